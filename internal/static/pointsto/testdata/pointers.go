package main

import (
	"sync"
	"unsafe"
)

type node struct {
	value int
	next  *node
	other *int
}

type shape interface{ grow(*node) *node }

type one struct{ n *node }

func (o one) grow(n *node) *node { return o.n }

type two struct{ n *node }

func (t *two) grow(n *node) *node { t.n = n; return t.n }

var global *node

func fields() (*node, *int) {
	a, b := new(node), new(node)
	x, y := new(int), new(int)
	a.next, b.next = b, a
	a.other, b.other = x, y
	return a.next, b.other
}

func identity[T any](p T) T { return p }

func elements() *node {
	list := []*node{new(node)}
	list = append(list, new(node))
	m := map[string]*node{"a": list[0]}
	c := make(chan *node, 1)
	c <- m["a"]
	return <-c
}

func methods() *node {
	s := shape(one{new(node)})
	if global != nil {
		s = &two{}
	}
	return s.grow(new(node))
}

func closures() *node {
	p := new(node)
	get := func() *node { return p }
	set := func(q *node) { p = q }
	set(new(node))
	return get()
}

func assertions(x any) *node {
	switch x := x.(type) {
	case *node:
		return x
	case shape:
		return x.grow(nil)
	}
	return nil
}

func casts(p *node) (*int, *node) {
	u := unsafe.Pointer(p)
	return (*int)(u), (*node)(u)
}

func recovered() (r any) {
	defer func() { r = recover() }()
	panic(new(two))
}

func main() {
	fields()
	identity(new(int))
	elements()
	methods()
	closures()
	assertions(new(node))
	assertions(one{})
	casts(&node{})
	recovered()
	var mu sync.Mutex
	mu.Lock()
	global = identity(&node{})
}
