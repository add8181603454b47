package expr

import (
	"fmt"
	"slices"
)

// Arrays map bit-vectors of one width, the indexes, to bit-vectors of another, the
// elements. An array is not a value that is compared or chosen: it is made by
// Table and Store and used by Select, whose result is a bit-vector again. There
// are no variables for arrays; one of unknown contents is a Table of variables.
//
// A Table is kept as short as it can be, and a Store at a constant index of a
// Table is another Table. So expressions for the same array are often one.

// MaxTable is the number of elements that a Table may list.
const MaxTable = 1 << 16

// storeReach is how many stores a new store looks through for one that it
// overwrites.
const storeReach = 32

// ArrayWidths returns the widths of the indexes and of the elements of x, an
// array, and zeros for other expressions.
func (a *Arena) ArrayWidths(x ID) (index, elem uint8) {
	n := &a.nodes[x]
	switch n.op {
	case Table, Store: // the last operand is an element
		args := a.operands(n)
		return n.lo, a.nodes[args[len(args)-1]].width
	}
	return 0, 0
}

// Table returns the array, with indexes of the given width, that has elems at the
// indexes from 0 on, and rest at all others.
func (a *Arena) Table(indexWidth uint8, elems []ID, rest ID) ID {
	checkWidth(indexWidth)
	n := len(elems)
	if n > MaxTable || indexWidth < 64 && uint64(n) > 1<<indexWidth {
		panic(fmt.Sprintf("expr: Table of %d elements with indexes of width %d", n, indexWidth))
	}
	width := a.sameWidth(Table, rest, rest)
	for _, x := range elems {
		if w := a.nodes[x].width; w != width {
			panic(fmt.Sprintf("expr: Table of widths %d and %d", width, w))
		}
	}
	if indexWidth < 64 && uint64(n) == 1<<indexWidth { // nothing is left for rest
		rest = elems[n-1]
	}
	for n > 0 && elems[n-1] == rest { // as others that are not listed
		n--
	}
	hash := mix(uint64(Table) | uint64(width)<<8 | uint64(indexWidth)<<16)
	start := len(a.elements)
	a.elements = append(append(a.elements, elems[:n]...), rest)
	for _, x := range a.elements[start:] {
		hash = mix(hash + a.nodes[x].hash)
	}
	t := node{hash: hash, op: Table, lo: indexWidth, args: [3]ID{ID(start), ID(n + 1)}}
	if x := a.known(t); x != None {
		a.elements = a.elements[:start]
		return x
	}
	return a.intern(t)
}

// known returns the Table with the operands of t, None if there is none yet.
func (a *Arena) known(t node) ID {
	for slot := t.hash & uint64(len(a.table)-1); a.table[slot] != None; slot = (slot + 1) & uint64(len(a.table)-1) {
		x := a.table[slot]
		n := &a.nodes[x]
		if n.op == Table && n.hash == t.hash && n.lo == t.lo && slices.Equal(a.operands(n), a.operands(&t)) {
			return x
		}
	}
	return None
}

// Store returns the array with value at the index and with the elements of
// another array elsewhere.
func (a *Arena) Store(array, index, value ID) ID {
	indexWidth := a.checkArray(Store, array, index)
	if _, w := a.ArrayWidths(array); w != a.nodes[value].width {
		panic(fmt.Sprintf("expr: Store of width %d among elements of width %d", a.nodes[value].width, w))
	}
	if below, elem := a.read(array, index); elem == value { // a[i] = a[i]
		return array
	} else if n := &a.nodes[value]; n.op == Select && n.args[0] == below && n.args[1] == index {
		return array
	}
	array = a.withoutStore(array, index, storeReach)
	if n := &a.nodes[array]; n.op == Table {
		if i, ok := a.ConstValue(index); ok && i < MaxTable {
			return a.replace(n, i, value)
		}
	}
	return a.build(Store, 0, indexWidth, array, index, value)
}

// replace returns the Table n with value at index i.
func (a *Arena) replace(n *node, i uint64, value ID) ID {
	args := a.operands(n)
	indexWidth, rest := n.lo, args[len(args)-1]
	elems := make([]ID, 0, max(len(args), int(i)+1))
	elems = append(elems, args[:len(args)-1]...)
	for uint64(len(elems)) <= i {
		elems = append(elems, rest)
	}
	elems[i] = value
	return a.Table(indexWidth, elems, rest)
}

// withoutStore returns the array without a store at the index, if there is one
// among the last ones: the next store there hides it.
func (a *Arena) withoutStore(array, index ID, reach int) ID {
	n := a.nodes[array]
	switch {
	case n.op != Store || reach == 0:
		return array
	case n.args[1] == index:
		return n.args[0]
	}
	below := a.withoutStore(n.args[0], index, reach-1)
	if below == n.args[0] {
		return array
	}
	return a.Store(below, n.args[1], n.args[2])
}

// Select returns the element of the array at the index.
func (a *Arena) Select(array, index ID) ID {
	a.checkArray(Select, array, index)
	array, elem := a.read(array, index)
	if elem != None {
		return elem
	}
	_, width := a.ArrayWidths(array)
	if n := a.nodes[index]; n.op == Ite && a.constArms(&n) {
		return a.Ite(n.args[0], a.Select(array, n.args[1]), a.Select(array, n.args[2]))
	}
	if n := a.nodes[array]; n.op == Table && n.args[1] == 2 { // one element besides the rest
		first, rest := a.elements[n.args[0]], a.elements[n.args[0]+1]
		return a.Ite(a.Eq(index, a.Const(0, n.lo)), first, rest)
	}
	return a.build(Select, width, 0, array, index, None)
}

// read goes down from the array to where its element at the index is decided, past
// stores at indexes that are plainly others. It returns the element if that is
// plain, too, and otherwise the array that is to be read.
func (a *Arena) read(array, index ID) (below, elem ID) {
	for {
		n := &a.nodes[array]
		if n.op == Table {
			args := a.operands(n)
			last := uint64(len(args) - 1)
			if i, ok := a.ConstValue(index); ok || last == 0 {
				return array, args[min(i, last)]
			}
			return array, None
		}
		if n.args[1] == index {
			return array, n.args[2]
		}
		if !a.distinct(n.args[1], index) {
			return array, None
		}
		array = n.args[0]
	}
}

// distinct reports whether x and y plainly never have the same value: constants, a
// constant that is beyond the range of the other, or one value plus different
// constants.
func (a *Arena) distinct(x, y ID) bool {
	nx, ny := &a.nodes[x], &a.nodes[y]
	if nx.op == Const && ny.op == Const {
		return x != y
	}
	if ny.op == Const {
		nx, ny, y = ny, nx, x
	}
	if nx.op == Const && nx.value() > mask(ny.width)>>a.leadingZeros(y) {
		return true
	}
	x, c := a.offset(x)
	y, d := a.offset(y)
	return x == y && c != d
}

// offset takes x apart into an expression and a constant that is added to it.
func (a *Arena) offset(x ID) (ID, uint64) {
	if n := &a.nodes[x]; n.op == Add {
		if c, ok := a.ConstValue(n.args[1]); ok {
			return n.args[0], c
		}
	}
	return x, 0
}

// checkArray panics unless array is one and the index fits it. It returns the
// width of the index.
func (a *Arena) checkArray(op Op, array, index ID) uint8 {
	w, _ := a.ArrayWidths(array)
	if w == 0 || a.nodes[index].width != w {
		panic(fmt.Sprintf("expr: %s on %s with indexes of width %d at an index of width %d",
			op, a.nodes[array].op, w, a.nodes[index].width))
	}
	return w
}
