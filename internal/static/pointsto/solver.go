package pointsto

import (
	"container/heap"
	"context"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// A node is a set of slots that something may point to: a slot of an object, or a part of a register.
type node struct {
	points set // what it may point to
	fresh  set // the part of points that has not been propagated
	copies set // nodes that point to all that this one does
	deps   []constraint
	same   int32 // the node that this one has been merged with; itself if none
	order  int32 // topological, of copies
	queued bool
}

// A constraint adds to other nodes what follows from what a node may point to.
type constraint interface {
	// apply is called with members that have been added.
	apply(s *solver, added set)
}

// A solver has the constraints of a program and solves them.
type solver struct {
	graph   *callgraph.Graph
	layouts *layouts
	node    []node  // number 0 is none: that of what holds no pointers
	owner   []int32 // by node, the number of the object that it is a slot of; 0 for none
	objects []*Object
	pools   map[poolKey]pool
	queue   queue
	edges   int // copies that were added since the order was computed

	values  map[ssa.Value]int32
	globals map[*ssa.Global]*Object
	funcs   []function // by callgraph.Node.ID
	boxes   typeutil.Map
	panics  int32 // values that were panicked with
	exposed exposed
	pending []*callgraph.Node // reached, and their code not looked at
	reach   []*callgraph.Node // in the order in which they were reached
	callees map[*callgraph.Site]map[*callgraph.Node]bool

	unknown map[*callgraph.Site]bool // what may call a function value that the machine has written

	code        *code.Program
	methods     map[methodKey]*callgraph.Node
	implement   *implementations
	types       map[*ssa.Package]*Object // see typeObject
	unknownFunc *Object                  // see machineFunc
}

// nodes returns the first of n new nodes.
func (s *solver) nodes(n int) int32 {
	first := int32(len(s.node))
	for i := range n {
		s.node = append(s.node, node{same: first + int32(i)})
		s.owner = append(s.owner, 0)
	}
	return first
}

// find returns the node that stands for n.
func (s *solver) find(n int32) int32 {
	for s.node[n].same != n {
		s.node[n].same = s.node[s.node[n].same].same
		n = s.node[n].same
	}
	return n
}

// add makes a node point to a slot.
func (s *solver) add(n, slot int32) {
	if n == 0 || slot == 0 {
		return
	}
	n = s.find(n)
	if s.node[n].points.add(slot) {
		s.node[n].fresh.add(slot)
		s.enqueue(n)
	}
}

// addSet makes a node point to all of a set.
func (s *solver) addSet(n int32, of set) {
	if n == 0 {
		return
	}
	n = s.find(n)
	if nd := &s.node[n]; nd.points.addAll(of, &nd.fresh) {
		s.enqueue(n)
	}
}

// copy makes node to point to all that node from does.
func (s *solver) copy(from, to int32) {
	if from == 0 || to == 0 {
		return
	}
	from, to = s.find(from), s.find(to)
	if from == to || !s.node[from].copies.add(to) {
		return
	}
	s.edges++
	s.addSet(to, s.node[from].points)
}

// copyBlock is copy for the parts of two values with the same layout.
func (s *solver) copyBlock(from, to int32, l *layout) {
	if from == 0 || to == 0 || !l.points {
		return
	}
	for i, t := range l.slots {
		if holdsPointer(t) {
			s.copy(from+int32(i), to+int32(i))
		}
	}
}

// constrain adds a constraint on what n may point to.
func (s *solver) constrain(n int32, c constraint) {
	if n == 0 {
		return
	}
	n = s.find(n)
	s.node[n].deps = append(s.node[n].deps, c)
	if len(s.node[n].points) > 0 {
		c.apply(s, append(set(nil), s.node[n].points...))
	}
}

func (s *solver) enqueue(n int32) {
	if !s.node[n].queued {
		s.node[n].queued = true
		heap.Push(&s.queue, n)
	}
}

// A queue has nodes to propagate from, in topological order.
type queue struct {
	solver *solver
	list   []int32
}

func (q *queue) Len() int { return len(q.list) }
func (q *queue) Less(i, j int) bool {
	a, b := &q.solver.node[q.list[i]], &q.solver.node[q.list[j]]
	return a.order < b.order || a.order == b.order && q.list[i] < q.list[j]
}
func (q *queue) Swap(i, j int) { q.list[i], q.list[j] = q.list[j], q.list[i] }
func (q *queue) Push(x any)    { q.list = append(q.list, x.(int32)) }
func (q *queue) Pop() any {
	n := q.list[len(q.list)-1]
	q.list = q.list[:len(q.list)-1]
	return n
}

// solve looks at the code of functions that are reached, and propagates, until nothing changes.
func (s *solver) solve(ctx context.Context) error {
	steps := 0
	for {
		for len(s.pending) > 0 {
			n := s.pending[0]
			s.pending = s.pending[1:]
			s.generate(n)
		}
		if s.queue.Len() == 0 {
			return ctx.Err()
		}
		if s.edges > len(s.node)/4 {
			s.mergeCycles()
		}
		if steps++; steps%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n := heap.Pop(&s.queue).(int32)
		s.node[n].queued = false
		if s.node[n].same != n {
			continue
		}
		s.propagate(n)
	}
}

// propagate passes on what has been added to a node.
func (s *solver) propagate(n int32) {
	fresh := s.node[n].fresh
	s.node[n].fresh = nil
	if len(fresh) == 0 {
		return
	}
	for i := 0; i < len(s.node[n].deps); i++ {
		s.node[n].deps[i].apply(s, fresh)
	}
	if s.node[n].same != n {
		return // it has been merged with another one, from which all is propagated
	}
	for to := range s.node[n].copies.all() {
		if to := s.find(to); to != n {
			s.addSet(to, fresh)
		}
	}
}

// mergeCycles merges the nodes of each cycle of copies, which point to the same in the end, and puts
// the nodes in topological order (Tarjan, Depth-first search and linear graph algorithms, SIAM J.
// Comput. 1972).
func (s *solver) mergeCycles() {
	s.edges = 0
	n := int32(len(s.node))
	index := make([]int32, n)
	low := make([]int32, n)
	var stack, onPath []int32
	next, order := int32(0), n
	type visit struct {
		node int32
		out  []int32
	}
	var path []visit
	open := func(v int32) {
		next++
		index[v], low[v] = next, next
		stack = append(stack, v)
		var out []int32
		for w := range s.node[v].copies.all() {
			out = append(out, w)
		}
		path = append(path, visit{v, out})
	}
	const done = 1 << 30
	for root := int32(1); root < n; root++ {
		if s.node[root].same != root || index[root] != 0 {
			continue
		}
		open(root)
		for len(path) > 0 {
			top := &path[len(path)-1]
			if len(top.out) > 0 {
				w := s.find(top.out[len(top.out)-1])
				top.out = top.out[:len(top.out)-1]
				switch {
				case index[w] == 0:
					open(w)
				case index[w] < done:
					low[top.node] = min(low[top.node], index[w])
				}
				continue
			}
			v := top.node
			path = path[:len(path)-1]
			if len(path) > 0 {
				up := path[len(path)-1].node
				low[up] = min(low[up], low[v])
			}
			if low[v] < index[v] {
				continue
			}
			onPath = onPath[:0]
			for {
				w := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				index[w] = done
				onPath = append(onPath, w)
				if w == v {
					break
				}
			}
			order--
			for _, w := range onPath {
				s.node[w].order = order
				if w != v {
					s.merge(w, v)
				}
			}
		}
	}
	heap.Init(&s.queue)
}

// merge makes node v stand for node w, too.
func (s *solver) merge(w, v int32) {
	from := s.node[w]
	s.node[w] = node{same: v, order: from.order, queued: from.queued}
	to := &s.node[v]
	// What one of them has been through, the other one has not.
	to.deps = append(to.deps, from.deps...)
	var none set
	to.copies.addAll(from.copies, &none)
	to.points.addAll(from.points, &none)
	to.fresh = append(set(nil), to.points...)
	s.enqueue(v)
}

// A load makes dst point to what slots at a distance from those of a node point to.
type load struct{ dst, off int32 }

func (c *load) apply(s *solver, added set) {
	for slot := range added.all() {
		if at := s.at(slot, c.off); at != 0 {
			s.copy(at, c.dst)
		}
	}
}

// A store makes slots at a distance from those of a node point to what src does.
type store struct{ src, off int32 }

func (c *store) apply(s *solver, added set) {
	for slot := range added.all() {
		if at := s.at(slot, c.off); at != 0 {
			s.copy(c.src, at)
		}
	}
}

// An offset makes dst point to slots at a distance from those of a node.
type offset struct{ dst, off int32 }

func (c *offset) apply(s *solver, added set) {
	var moved set
	for slot := range added.all() {
		if at := s.at(slot, c.off); at != 0 {
			moved.add(at)
		}
	}
	s.addSet(c.dst, moved)
}

// at returns the slot at a distance in the same object; 0 if the object ends before.
func (s *solver) at(slot, off int32) int32 {
	o := s.object(slot)
	if slot+off >= o.base+int32(len(o.layout.slots)) {
		return 0
	}
	return slot + off
}

// An assertion makes dst point to what the values of a type do that are in the interfaces that a
// node stands for.
type assertion struct {
	typ types.Type
	dst int32
	l   *layout
}

func (c *assertion) apply(s *solver, added set) {
	for slot := range added.all() {
		if o := s.object(slot); o.Kind == Box && types.Identical(o.Type, c.typ) {
			s.copyBlock(o.base, c.dst, c.l)
		}
	}
}

// An implementation makes dst point to those interface values of a node whose types have the
// methods of an interface.
type implementation struct {
	typ *types.Interface
	dst int32
}

func (c *implementation) apply(s *solver, added set) {
	var kept set
	for slot := range added.all() {
		if o := s.object(slot); o.Kind == Box && s.implement.has(o.typ, c.typ) {
			kept.add(slot)
		}
	}
	s.addSet(c.dst, kept)
}
