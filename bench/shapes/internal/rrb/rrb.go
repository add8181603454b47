// Package rrb is a vector of which copies are cheap, for goroutines with a copy each: a relaxed radix balanced tree after
// P. Bagwell and T. Rompf, "RRB-trees: efficient immutable vectors" (2011). What several vectors have
// in common is counted, and changed in place when nobody else has it.
package rrb

import "sync/atomic"

// Width is the greatest number of children or values of a node.
const Width = 2

// A Vector may be copied with Copy only. Copies may be used at the same time.
type Vector struct{ root *node }

// A node has values, or children of which each but the first begins where the one before ends.
type node struct {
	refs  atomic.Int32 // vectors and nodes that have it
	n     int
	ends  [Width]int // the number of values up to the end of each child
	child [Width]*node
	value [Width]int
}

// Of returns a vector of the values.
func Of(values ...int) *Vector {
	v := new(Vector)
	for _, value := range values {
		v.Append(value)
	}
	return v
}

// Copy returns another vector with the same values.
func (v *Vector) Copy() *Vector {
	if v.root != nil {
		v.root.refs.Add(1)
	}
	return &Vector{v.root}
}

// Release gives up what the vector has, which is empty then.
func (v *Vector) Release() {
	v.root.release()
	v.root = nil
}

// Len returns the number of values.
func (v *Vector) Len() int {
	if v.root == nil {
		return 0
	}
	return v.root.len()
}

// Get returns the value of an index, which has to be there.
func (v *Vector) Get(i int) int {
	n := v.root
	for n.child[0] != nil {
		k := n.find(&i)
		n = n.child[k]
	}
	return n.value[i]
}

// Set changes the value of an index, which has to be there.
func (v *Vector) Set(i, value int) {
	v.root = v.root.own()
	n := v.root
	for n.child[0] != nil {
		k := n.find(&i)
		n.child[k] = n.child[k].own()
		n = n.child[k]
	}
	n.value[i] = value
}

// Append adds a value at the end.
func (v *Vector) Append(value int) {
	leaf := &node{n: 1, value: [Width]int{value}}
	leaf.refs.Store(1)
	if v.root == nil {
		v.root = leaf
		return
	}
	v.root = v.root.own()
	if !v.root.append(leaf) {
		v.root = join(v.root, leaf)
	}
}

// Concat adds the values of another vector at the end.
func (v *Vector) Concat(w *Vector) {
	w = w.Copy()
	if v.root == nil || w.root == nil {
		if v.root == nil {
			v.root = w.root
		}
		return
	}
	v.root = join(v.root, w.root)
}

// join returns a node of two others, for which it takes over the references.
func join(a, b *node) *node {
	n := &node{n: 2, child: [Width]*node{a, b}, ends: [Width]int{a.len(), a.len() + b.len()}}
	n.refs.Store(1)
	return n
}

// append adds a leaf with one value at the end of n, which nobody else has, and reports whether there was room.
func (n *node) append(leaf *node) bool {
	last := n.n - 1
	if n.child[0] == nil {
		if n.n == Width {
			return false
		}
		n.value[n.n] = leaf.value[0]
		n.n++
		return true
	}
	n.child[last] = n.child[last].own()
	switch {
	case n.child[last].append(leaf):
		n.ends[last]++
	case n.n < Width:
		n.child[n.n], n.ends[n.n] = leaf, n.ends[last]+1
		n.n++
	case last > 0 && n.child[last].height() < n.child[0].height():
		n.child[last] = join(n.child[last], leaf)
		n.ends[last]++
	default:
		return false
	}
	return true
}

// own returns n if nobody else has it, and otherwise a copy in its place.
func (n *node) own() *node {
	if n.refs.Load() == 1 {
		return n
	}
	m := &node{n: n.n, ends: n.ends, child: n.child, value: n.value}
	m.refs.Store(1)
	for _, c := range m.child {
		if c != nil {
			c.refs.Add(1)
		}
	}
	n.release()
	return m
}

// release gives up a reference.
func (n *node) release() {
	if n == nil || n.refs.Add(-1) > 0 {
		return
	}
	for i, c := range n.child {
		c.release()
		n.child[i] = nil
	}
}

// find returns which child has an index, and makes it one of the child's.
func (n *node) find(i *int) int {
	k := 0
	for *i >= n.ends[k] {
		k++
	}
	if k > 0 {
		*i -= n.ends[k-1]
	}
	return k
}

func (n *node) len() int {
	if n.child[0] == nil {
		return n.n
	}
	return n.ends[n.n-1]
}

func (n *node) height() int {
	if n.child[0] == nil {
		return 1
	}
	return 1 + n.child[0].height()
}

// Valid reports whether there are no cycles and all that is counted is right, if no other vector has any of it. Nothing may
// be going on.
func (v *Vector) Valid() bool {
	if v.root == nil {
		return true
	}
	refs := make(map[*node]int32)
	if !v.root.valid(refs, make(map[*node]bool)) {
		return false
	}
	for n, count := range refs {
		if n.refs.Load() != count {
			return false
		}
	}
	return true
}

// valid counts a reference to n, and those in what is below it. It reports whether that is valid and none of the nodes that
// are open is a part of it.
func (n *node) valid(refs map[*node]int32, open map[*node]bool) bool {
	if refs[n]++; refs[n] > 1 {
		return !open[n]
	}
	if n.n < 1 || n.n > Width {
		return false
	}
	open[n] = true
	end := 0
	for i, c := range n.child {
		if (c != nil) != (n.child[0] != nil && i < n.n) {
			return false
		}
		if c == nil {
			continue
		}
		if !c.valid(refs, open) {
			return false
		}
		if end += c.len(); end != n.ends[i] {
			return false
		}
	}
	open[n] = false
	return true
}
