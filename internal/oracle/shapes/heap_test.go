package shapes

import (
	"fmt"
	"math/big"
	"slices"
	"testing"
)

// list and tree are types of one struct, with one and two pointers to itself.
var (
	list = Types{{0}}
	tree = Types{{0, 0}}
)

// numbers counts heaps by how many objects they have, of those that count.
func numbers(heaps []*Heap, most int, counts func(h *Heap) bool) []int {
	n := make([]int, most+1)
	for _, h := range heaps {
		if counts(h) {
			n[len(h.Objects)]++
		}
	}
	return n
}

// rooted returns the shapes of heaps of one type with one root.
func rooted(types Types, most int) []*Heap {
	return slices.Collect(All(types, []int{0}, []int{most}))
}

func every(*Heap) bool { return true }

// TestNumbers compares the numbers of shapes with those of the On-Line Encyclopedia of Integer Sequences.
func TestNumbers(t *testing.T) {
	total := func(h *Heap) bool { // no pointer is nil
		return h.Roots[0] != Nil && !slices.ContainsFunc(h.Objects, func(o Object) bool { return slices.Contains(o.Fields, Nil) })
	}
	lists, trees := rooted(list, 6), rooted(tree, 4)
	for _, c := range []struct {
		name   string
		heaps  []*Heap
		counts func(h *Heap) bool
		want   []int
	}{
		// The last node points to nil or to one of the nodes.
		{"lists", lists, every, []int{1, 2, 3, 4, 5, 6, 7}},
		{"lists without cycles", lists, func(h *Heap) bool { return !h.Cyclic() }, []int{1, 1, 1, 1, 1, 1, 1}},
		{"lists without sharing", lists, func(h *Heap) bool { return !h.Shared() }, []int{1, 1, 1, 1, 1, 1, 1}},
		// A000108, the Catalan numbers.
		{"binary trees", trees, func(h *Heap) bool { return !h.Shared() }, []int{1, 1, 2, 5, 14}},
		// A082161: automata of which nil is the absorbing state.
		{"binary trees with sharing", trees, func(h *Heap) bool { return !h.Cyclic() }, []int{1, 1, 3, 16, 127}},
		// A006689: initially connected automata with two inputs.
		{"without nil", trees, total, []int{0, 1, 12, 216, 5248}},
		{"doubly linked lists", trees, linked, []int{1, 1, 1, 1, 1}},
		{"rings", trees, func(h *Heap) bool { return total(h) && backward(h) }, []int{0, 1, 1, 1, 1}},
	} {
		if got := numbers(c.heaps, len(c.want)-1, c.counts); !slices.Equal(got, c.want) {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// linked reports whether the fields of the objects are the next and the previous one, from the first one on.
func linked(h *Heap) bool {
	return backward(h) && (h.Roots[0] == Nil || h.Objects[0].Fields[1] == Nil)
}

// backward reports whether the second fields lead back where the first ones come from.
func backward(h *Heap) bool {
	for i, o := range h.Objects {
		if next := o.Fields[0]; next != Nil && h.Objects[next].Fields[1] != i {
			return false
		}
		if previous := o.Fields[1]; previous != Nil && h.Objects[previous].Fields[0] != i {
			return false
		}
	}
	return true
}

// TestRecurrence compares with how V. A. Liskovets, "Exact enumeration of acyclic deterministic
// automata" (2006), counts initially connected automata, for ones with missing transitions: of the
// (n+1)^(kn) heaps of n named objects with k fields, each has a part that can be reached from the
// first object. If it has i objects, the fields of the others can be anything.
func TestRecurrence(t *testing.T) {
	for k, most := range map[int]int{1: 6, 2: 3, 3: 2} {
		got := numbers(rooted(Types{make([]int, k)}, most), most, every)
		power := func(n, e int) *big.Int { return new(big.Int).Exp(big.NewInt(int64(n)), big.NewInt(int64(e)), nil) }
		reached := make([]*big.Int, most+1) // with names
		for n := 1; n <= most; n++ {
			r := power(n+1, k*n)
			for i := 1; i < n; i++ {
				part := new(big.Int).Binomial(int64(n-1), int64(i-1))
				r.Sub(r, part.Mul(part, reached[i]).Mul(part, power(n+1, k*(n-i))))
			}
			reached[n] = r
			names := new(big.Int).MulRange(1, int64(n-1)) // of all but the first object
			if want := new(big.Int).Quo(r, names); want.Cmp(big.NewInt(int64(got[n]))) != 0 {
				t.Errorf("%d fields: %d shapes of %d objects, want %v", k, got[n], n, want)
			}
		}
	}
}

// TestRoots has two pointers to lists, and a list with a header: its shapes are written down.
func TestRoots(t *testing.T) {
	var got []string
	for h := range All(list, []int{0, 0}, []int{1}) {
		got = append(got, h.String())
	}
	for h := range All(Types{{1}, {1}}, []int{0}, []int{1, 1}) {
		got = append(got, h.String())
	}
	want := []string{
		"nil nil:", "0 nil: 0(nil)", "nil 0: 0(nil)", "0 0: 0(nil)", "0 nil: 0(0)", "nil 0: 0(0)", "0 0: 0(0)",
		"nil:", "0: 0(nil)", "0: 0(1) 1(nil)", "0: 0(1) 1(1)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func ExampleAll() {
	for h := range All(list, []int{0}, []int{2}) {
		fmt.Println(h, h.Shared(), h.Cyclic())
	}
	// Output:
	// nil: false false
	// 0: 0(nil) false false
	// 0: 0(0) true true
	// 0: 0(1) 0(nil) false false
	// 0: 0(1) 0(1) true true
	// 0: 0(1) 0(0) true true
}
