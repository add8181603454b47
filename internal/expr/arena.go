package expr

import (
	"fmt"
	"maps"
	"slices"
)

// ID names an expression in an [Arena].
type ID uint32

// None is the zero ID: no symbolic value.
const None ID = 0

// node is one expression, 24 bytes. What args holds depends on op: operands,
// the two halves of a Const's value, a Var's index into Arena.names, or the place
// and number of a Table's operands in Arena.elements.
type node struct {
	hash  uint64 // of the structure: equal in every arena
	args  [3]ID
	op    Op
	width uint8 // 0 of an array
	lo    uint8 // lowest bit taken, for Extract; the Rounding, for FRound; width of the index, of an array
	// products is how many products of variables there are in the sums and
	// differences at the top, see polynomial.go.
	products uint8
}

// Arena holds hash-consed expressions. It is not safe for concurrent use:
// each worker has its own. The zero Arena is not ready; use [NewArena].
type Arena struct {
	nodes []node // indexed by ID; nodes[None] is unused
	spans []span // likewise
	// table is an open-addressing hash table of IDs with linear probing; its
	// length is a power of two. Entries are only ever removed in the reverse
	// of the order of insertion, which leaves no holes in probe sequences.
	table []ID

	elements []ID // operands of Tables, one after another

	names  []string      // names of the Vars in the order of their IDs
	byName map[string]ID // and the Var of each name, the first one
	others map[named]ID  // those that have the name of an earlier one and another width

	rebuilding bool // an expression from a polynomial

	support   supports
	evaluator *Evaluator // of Eval, nil while in use
}

// NewArena returns an empty arena.
func NewArena() *Arena {
	return &Arena{
		nodes:  make([]node, 1, 256),
		spans:  make([]span, 1, 256),
		table:  make([]ID, 512),
		byName: map[string]ID{},
		others: map[named]ID{},
	}
}

// A named is what tells variables apart.
type named struct {
	name  string
	width uint8
}

// Len returns the number of expressions in the arena: every ID of the arena
// is at most Len.
func (a *Arena) Len() int { return len(a.nodes) - 1 }

// Op returns the operator of x.
func (a *Arena) Op(x ID) Op { return a.nodes[x].op }

// Width returns the width of x in bits, and 0 for None and for an array, see
// ArrayWidths.
func (a *Arena) Width(x ID) uint8 { return a.nodes[x].width }

// Hash returns a hash of the structure of x, the same in every arena: it gives
// expressions an order that does not depend on which were built before.
func (a *Arena) Hash(x ID) uint64 { return a.nodes[x].hash }

// NumArgs returns the number of operands of x.
func (a *Arena) NumArgs(x ID) int { return len(a.operands(&a.nodes[x])) }

// Arg returns operand i of x.
func (a *Arena) Arg(x ID, i int) ID {
	n := &a.nodes[x]
	args := a.operands(n)
	if i >= len(args) {
		panic(fmt.Sprintf("expr: argument %d of %s", i, n.op))
	}
	return args[i]
}

// operands returns the operands of n, which share its memory.
func (a *Arena) operands(n *node) []ID {
	if n.op == Table {
		return a.elements[n.args[0]:][:n.args[1]]
	}
	return n.args[:n.op.NumArgs()]
}

// ExtractLo returns the lowest bit that the Extract x takes from its operand.
func (a *Arena) ExtractLo(x ID) uint8 { return a.nodes[x].lo }

// ConstValue returns the value of x if x is a constant.
func (a *Arena) ConstValue(x ID) (uint64, bool) {
	n := &a.nodes[x]
	if n.op != Const {
		return 0, false
	}
	return n.value(), true
}

// VarName returns the name of the Var x.
func (a *Arena) VarName(x ID) string {
	n := &a.nodes[x]
	if n.op != Var {
		panic("expr: VarName of " + n.op.String())
	}
	return a.names[n.args[0]]
}

func (n *node) value() uint64 { return uint64(n.args[0]) | uint64(n.args[1])<<32 }

// is reports whether x is the constant v, reduced to the width of x.
func (a *Arena) is(x ID, v uint64) bool {
	n := &a.nodes[x]
	return n.op == Const && n.value() == v&mask(n.width)
}

func (a *Arena) isConst(x ID) bool { return a.nodes[x].op == Const }

// Const returns the constant v, reduced to width bits.
func (a *Arena) Const(v uint64, width uint8) ID {
	checkWidth(width)
	v &= mask(width)
	return a.intern(node{
		hash: mix(mix(uint64(Const)|uint64(width)<<8) ^ v),
		op:   Const, width: width,
		args: [3]ID{ID(uint32(v)), ID(v >> 32)},
	})
}

// Bool returns the constant 1 or 0 of width 1.
func (a *Arena) Bool(b bool) ID {
	if b {
		return a.Const(1, 1)
	}
	return a.Const(0, 1)
}

// VarNamed returns the first variable with the name, if there is one.
func (a *Arena) VarNamed(name string) (ID, bool) {
	x, ok := a.byName[name]
	return x, ok
}

// Var returns the variable with the name. It panics if the name already
// belongs to a variable of another width.
func (a *Arena) Var(name string, width uint8) ID {
	x := a.VarOfRun(name, width)
	if first := a.byName[name]; first != x {
		panic(fmt.Sprintf("expr: variable %s of width %d used with width %d", name, a.nodes[first].width, width))
	}
	return x
}

// VarOfRun is Var for an arena with expressions of several runs. In these a name may stand for
// different things, such as what is in the first object that a pointer leads to: variables with one
// name and different widths are different ones.
func (a *Arena) VarOfRun(name string, width uint8) ID {
	checkWidth(width)
	first, taken := a.byName[name]
	if taken {
		if a.nodes[first].width == width {
			return first
		}
		if x, ok := a.others[named{name, width}]; ok {
			return x
		}
	}
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * prime
	}
	x := a.intern(node{
		hash: mix(h ^ uint64(Var) ^ uint64(width)<<8),
		op:   Var, width: width,
		args: [3]ID{ID(len(a.names))},
	})
	a.names = append(a.names, name)
	if taken {
		a.others[named{name, width}] = x
	} else {
		a.byName[name] = x
	}
	return x
}

// build interns an expression with operands, as it is.
func (a *Arena) build(op Op, width, lo uint8, x, y, z ID) ID {
	h := mix(uint64(op) | uint64(width)<<8 | uint64(lo)<<16)
	h = mix(h ^ a.nodes[x].hash)
	h = mix(h + a.nodes[y].hash)
	h = mix(h + a.nodes[z].hash)
	n := node{hash: h, op: op, width: width, lo: lo, args: [3]ID{x, y, z}}
	n.products = a.products(&n)
	if s := a.spanOf(&n); s.lo == s.hi && width > 0 { // the only value
		return a.Const(s.lo, width)
	}
	return a.intern(n)
}

// intern returns the ID of n, adding it if it is new.
func (a *Arena) intern(n node) ID {
	slot := n.hash & uint64(len(a.table)-1)
	for a.table[slot] != None {
		if a.nodes[a.table[slot]] == n {
			return a.table[slot]
		}
		slot = (slot + 1) & uint64(len(a.table)-1)
	}
	x := ID(len(a.nodes))
	a.nodes = append(a.nodes, n)
	a.spans = append(a.spans, a.spanOf(&n))
	if 2*len(a.nodes) > len(a.table) {
		a.grow()
	} else {
		a.table[slot] = x
	}
	return x
}

// grow doubles the table. Entries are put in again in the order of their IDs,
// so that Release can go on removing from the end.
func (a *Arena) grow() {
	a.table = make([]ID, 2*len(a.table))
	for x := ID(1); int(x) < len(a.nodes); x++ {
		slot := a.nodes[x].hash & uint64(len(a.table)-1)
		for a.table[slot] != None {
			slot = (slot + 1) & uint64(len(a.table)-1)
		}
		a.table[slot] = x
	}
}

// Mark is a point in the growth of an arena.
type Mark struct {
	nodes, elements, names, supports int
}

// Mark returns the current point in the growth of a.
func (a *Arena) Mark() Mark {
	return Mark{nodes: len(a.nodes), elements: len(a.elements), names: len(a.names), supports: len(a.support.log)}
}

// Release cuts the arena back to m: every expression built since is gone, and
// its ID will name another. Marks taken after m are no longer valid.
func (a *Arena) Release(m Mark) {
	a.support.release(m.supports)
	for x := ID(len(a.nodes) - 1); int(x) >= m.nodes; x-- {
		slot := a.nodes[x].hash & uint64(len(a.table)-1)
		for a.table[slot] != x {
			slot = (slot + 1) & uint64(len(a.table)-1)
		}
		a.table[slot] = None
	}
	a.nodes = a.nodes[:m.nodes]
	a.spans = a.spans[:m.nodes]
	a.elements = a.elements[:m.elements]
	for _, name := range a.names[m.names:] {
		if int(a.byName[name]) >= m.nodes {
			delete(a.byName, name)
		}
	}
	maps.DeleteFunc(a.others, func(_ named, x ID) bool { return int(x) >= m.nodes })
	clear(a.names[m.names:])
	a.names = a.names[:m.names]
}

// supports remembers the variables of expressions that Vars was called with, so that
// Vars does not go through such an expression again.
type supports struct {
	span map[ID][2]int // bounds of the variables of an expression in vars
	vars []ID
	log  []ID // keys of span in the order of their entry
}

func (s *supports) release(n int) {
	for _, x := range s.log[n:] {
		s.vars = s.vars[:min(len(s.vars), s.span[x][0])]
		delete(s.span, x)
	}
	s.log = s.log[:n]
}

// Vars appends the distinct variables of x to dst, in the order of their IDs.
func (a *Arena) Vars(dst []ID, x ID) []ID {
	switch a.nodes[x].op {
	case Const:
		return dst
	case Var:
		return append(dst, x)
	}
	s := &a.support
	if span, ok := s.span[x]; ok {
		return append(dst, s.vars[span[0]:span[1]]...)
	}
	seen := map[ID]bool{x: true}
	stack := []ID{x}
	start := len(dst)
	for len(stack) > 0 {
		y := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &a.nodes[y]
		if n.op == Var {
			dst = append(dst, y)
		} else if span, ok := s.span[y]; ok {
			dst = append(dst, s.vars[span[0]:span[1]]...)
		} else {
			for _, arg := range a.operands(n) {
				if !seen[arg] {
					seen[arg] = true
					stack = append(stack, arg)
				}
			}
		}
	}
	slices.Sort(dst[start:])
	dst = dst[:start+len(slices.Compact(dst[start:]))]
	if s.span == nil {
		s.span = map[ID][2]int{}
	}
	s.span[x] = [2]int{len(s.vars), len(s.vars) + len(dst) - start}
	s.vars = append(s.vars, dst[start:]...)
	s.log = append(s.log, x)
	return dst
}

// commute puts the operands of a commutative operator into their order:
// constants last, otherwise by structure.
func (a *Arena) commute(x, y ID) (ID, ID) {
	nx, ny := &a.nodes[x], &a.nodes[y]
	if cx, cy := nx.op == Const, ny.op == Const; cx != cy {
		if cx {
			return y, x
		}
		return x, y
	}
	if nx.hash > ny.hash || nx.hash == ny.hash && x > y {
		return y, x
	}
	return x, y
}

// sameWidth returns the width of x and y, which has to be one.
func (a *Arena) sameWidth(op Op, x, y ID) uint8 {
	wx, wy := a.nodes[x].width, a.nodes[y].width
	if wx != wy || wx == 0 { // None and arrays have no width
		panic(fmt.Sprintf("expr: %s of widths %d and %d", op, wx, wy))
	}
	return wx
}

func checkWidth(width uint8) {
	if width < 1 || width > 64 {
		panic(fmt.Sprintf("expr: width %d", width))
	}
}

// mix is the finalizer of SplitMix64.
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
