package shapes

import (
	"fmt"
	"iter"
	"strings"
)

// Nil is a pointer to no object.
const Nil = -1

// Types has for each type of objects the types that its fields point to.
type Types [][]int

// A Heap is objects and pointers to them, which are indices of Objects or Nil.
type Heap struct {
	Roots   []int
	Objects []Object
}

// An Object is a struct of pointers.
type Object struct {
	Type   int
	Fields []int
}

// All yields the shapes of heaps with at most so many objects of each type, from which the roots point to
// objects of the types given. Each shape comes once, its objects in the order in which a
// breadth-first search from the roots meets them.
func All(types Types, roots, most []int) iter.Seq[*Heap] {
	return func(yield func(*Heap) bool) {
		counts := make([]int, len(types))
		for {
			// Heaps that differ in how many objects they have differ in shape.
			seen := make(map[string]bool)
			for h := range named(types, roots, counts) {
				c, all := h.canonical()
				if !all || seen[c.String()] {
					continue
				}
				seen[c.String()] = true
				if !yield(c) {
					return
				}
			}
			if !next(counts, func(i int) int { return most[i] }) {
				return
			}
		}
	}
}

// next counts on, as with digits of which the i-th is highest(i) at most. It reports false after the last number.
func next(digits []int, highest func(i int) int) bool {
	for i := range digits {
		if digits[i] < highest(i) {
			digits[i]++
			return true
		}
		digits[i] = 0
	}
	return false
}

// named yields all heaps of so many objects of each type, which is always the same one with other pointers.
func named(types Types, roots, counts []int) iter.Seq[*Heap] {
	return func(yield func(*Heap) bool) {
		h := &Heap{Roots: make([]int, len(roots))}
		first := make([]int, len(types)) // the index of the first object of a type
		var pointers []*int
		var pointees []int // their types
		for i, t := range roots {
			pointers, pointees = append(pointers, &h.Roots[i]), append(pointees, t)
		}
		for t, n := range counts {
			first[t] = len(h.Objects)
			for range n {
				o := Object{t, make([]int, len(types[t]))}
				for i, t := range types[t] {
					pointers, pointees = append(pointers, &o.Fields[i]), append(pointees, t)
				}
				h.Objects = append(h.Objects, o)
			}
		}
		digits := make([]int, len(pointers)) // 0 for nil, or the number of an object of the type
		for {
			for i, d := range digits {
				*pointers[i] = Nil
				if d > 0 {
					*pointers[i] = first[pointees[i]] + d - 1
				}
			}
			if !yield(h) || !next(digits, func(i int) int { return counts[pointees[i]] }) {
				return
			}
		}
	}
}

// canonical returns the part of the heap that can be reached, in order, and whether that is all of it.
func (h *Heap) canonical() (c *Heap, all bool) {
	c = &Heap{Roots: make([]int, len(h.Roots))}
	names := make(map[int]int)
	var order []int
	rename := func(p int) int {
		if p == Nil {
			return Nil
		}
		name, ok := names[p]
		if !ok {
			name = len(order)
			names[p], order = name, append(order, p)
		}
		return name
	}
	for i, p := range h.Roots {
		c.Roots[i] = rename(p)
	}
	for i := 0; i < len(order); i++ {
		o := h.Objects[order[i]]
		fields := make([]int, len(o.Fields))
		for j, p := range o.Fields {
			fields[j] = rename(p)
		}
		c.Objects = append(c.Objects, Object{o.Type, fields})
	}
	return c, len(order) == len(h.Objects)
}

// String returns the roots, and the type and the fields of each object, such as "0 nil: 0(1 nil) 0(0 1)".
func (h *Heap) String() string {
	var b strings.Builder
	list := func(pointers []int) {
		for i, p := range pointers {
			if i > 0 {
				b.WriteByte(' ')
			}
			if p == Nil {
				b.WriteString("nil")
			} else {
				fmt.Fprint(&b, p)
			}
		}
	}
	list(h.Roots)
	b.WriteByte(':')
	for _, o := range h.Objects {
		fmt.Fprintf(&b, " %d(", o.Type)
		list(o.Fields)
		b.WriteByte(')')
	}
	return b.String()
}

// Shared reports whether two pointers point to one object.
func (h *Heap) Shared() bool {
	pointed := make(map[int]bool)
	shared := false
	count := func(pointers []int) {
		for _, p := range pointers {
			shared = shared || p != Nil && pointed[p]
			pointed[p] = true
		}
	}
	count(h.Roots)
	for _, o := range h.Objects {
		count(o.Fields)
	}
	return shared
}

// Cyclic reports whether pointers lead from an object back to it.
func (h *Heap) Cyclic() bool {
	const open, done = 1, 2
	state := make([]int, len(h.Objects))
	var cyclic func(p int) bool
	cyclic = func(p int) bool {
		if p == Nil || state[p] == done {
			return false
		}
		if state[p] == open {
			return true
		}
		state[p] = open
		for _, q := range h.Objects[p].Fields {
			if cyclic(q) {
				return true
			}
		}
		state[p] = done
		return false
	}
	for p := range h.Objects {
		if cyclic(p) {
			return true
		}
	}
	return false
}
