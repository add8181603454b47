package main

import (
	"container/list"
	"maps"
)

// What the lines say is whether two variables of the type that they declare have nothing in common, and what holds together what each has.

type node struct {
	next  *node
	list  *nodes
	value any
}

type nodes struct { // shares: caches add nodes that have been found elsewhere, for all that is known of them
	head node
	n    int
}

func (l *nodes) init() *nodes {
	l.head.next = &l.head
	return l
}

func (l *nodes) push(n *node) *node {
	n.next, n.list = l.head.next, l
	l.head.next = n
	return n
}

func (l *nodes) moveToFront(n *node) {
	if l.head.next != n && n.list == l {
		l.push(n)
	}
}

type store interface{ get(key int) any }

type cache struct { // apart: *main.nodes, *main.node, map[int]*main.node
	nodes *nodes
	byKey map[int]*node
	evict func(any)
}

func newCache(evict func(any)) (*cache, error) {
	return &cache{nodes: new(nodes).init(), byKey: make(map[int]*node), evict: evict}, nil
}

func (c *cache) add(key int, value any) {
	if n, ok := c.byKey[key]; ok {
		c.nodes.moveToFront(n)
		n.value = value
		return
	}
	c.byKey[key] = c.nodes.push(&node{value: value})
}

func (c *cache) get(key int) any {
	if n := c.byKey[key]; n != nil {
		c.nodes.moveToFront(n)
		return n.value
	}
	return nil
}

type pair struct { // apart: *main.cache, *main.nodes, *main.node, map[int]*main.node, main.store
	hot  *cache
	cold store
}

func newPair() *pair {
	hot, _ := newCache(nil)
	cold, err := newCache(func(any) {})
	if err != nil {
		return nil
	}
	return &pair{hot, cold}
}

type tree struct { // apart: *main.leaf, []*main.leaf
	leaves []*leaf
}

type leaf struct{ value int }

func (t *tree) grow(values ...int) {
	for _, v := range values {
		t.leaves = append(t.leaves, &leaf{v})
	}
}

type forest struct { // shares: merge takes the branches of another one
	branches []*branch
}

type branch struct{ value int }

func (f *forest) merge(other *forest) { f.branches = append(f.branches, other.branches...) }

type lru struct { // apart: *list.List, map[string]*list.Element, *list.Element
	order *list.List
	items map[string]*list.Element
}

func (l *lru) add(key string) {
	if e, ok := l.items[key]; ok {
		l.order.MoveToFront(e)
		return
	}
	l.items[key] = l.order.PushFront(key)
}

type ring struct { // shares: all of a loop have one cell
	at *cell
}

type cell struct{ n int }

type window struct { // apart: *main.pane
	pane *pane
}

type pane struct{ n int }

type registry struct { // shares: a copy of a map has the same entries
	entries map[int]*record
}

type record struct{ n int }

func (r *registry) copy() *registry { return &registry{maps.Clone(r.entries)} }

func main() {
	(&registry{map[int]*record{1: {}}}).copy()
	p := newPair()
	p.hot.add(1, p.cold.get(2))
	q := newPair()
	q.hot.add(2, nil)
	var s store = q.hot
	s.get(1)
	var t, u tree
	t.grow(1, 2)
	u.grow(3)
	f, g := &forest{branches: []*branch{{1}}}, &forest{}
	g.merge(f)
	for range 2 {
		l := &lru{list.New(), make(map[string]*list.Element)}
		l.add("a")
	}
	c := &cell{}
	var rings []*ring
	for i := range 3 {
		rings = append(rings, &ring{c})
		w := &window{}
		w.pane = &pane{i}
	}
}
