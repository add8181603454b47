package compile

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile/regalloc"
)

// A value says how an SSA value is kept.
type value struct {
	role     role
	words    int
	variable bool           // an Alloc that is kept in registers, not in memory
	node     *regalloc.Node // own: its registers, nil when it needs none
	base     ssa.Value      // part: of which value it is a part
	off      int            // part: from which word on
}

// A role is a way to keep an SSA value.
type role uint8

const (
	// own values have registers.
	own role = iota
	// part values are consecutive words of another value.
	part
	// folded values are not computed where they stand: the instructions that
	// use them do that.
	folded
	// dead values are not computed at all.
	dead
)

// values say how each SSA value of a function is kept. A classifier makes them.
type values struct {
	prog *code.Program
	fn   *ssa.Function
	of   map[ssa.Value]*value // of all values except constants, functions and globals
	// appends has the elements of appends that are folded, by the slice appended; see
	// classifier.foldAppend.
	appends map[ssa.Value][]ssa.Value
	pins    []constKey // constants that are kept in registers throughout
	pinned  map[constKey]*regalloc.Node
	nodes   *regalloc.Function // has the nodes of all values
}

// words returns the number of words of a value of type t.
func (vs *values) words(t types.Type) int { return vs.prog.Type(t).Words }

// valueWords returns the number of words of v. The tuples and iterators of
// range loops have types of their own.
func (vs *values) valueWords(v ssa.Value) int {
	switch v := v.(type) {
	case *ssa.Range:
		return 1
	case *ssa.Next:
		_, words := vs.nextLayout(v)
		return words
	}
	return vs.words(v.Type())
}

// nextKey is the offset of the key in the result of an ssa.Next, after the boolean.
const nextKey = 1

// nextLayout returns the offset of the value in the result of v, and its length. A key or value
// that is not used has its place, too.
func (vs *values) nextLayout(v *ssa.Next) (val, words int) {
	if v.IsString {
		return nextKey + 1, nextKey + 2
	}
	m := v.Iter.(*ssa.Range).X.Type().Underlying().(*types.Map)
	val = nextKey + vs.words(m.Key())
	return val, val + vs.words(m.Elem())
}

// sameWords reports whether a conversion from one type to the other leaves the words as
// they are, and the widths of their kinds.
func (vs *values) sameWords(from, to types.Type) bool {
	a, b := vs.prog.Type(from), vs.prog.Type(to)
	if a.Shape == b.Shape && a.Shape != code.Scalar {
		return a.Shape != code.ShapeComplex || a.Kinds[0] == b.Kinds[0]
	}
	if a.Shape == code.ShapeUnsafePointer || b.Shape == code.ShapeUnsafePointer {
		return false
	}
	if a.Shape != code.Scalar || b.Shape != code.Scalar {
		return false
	}
	x, y := a.Kinds[0], b.Kinds[0]
	return x == y || x.Integer() && y.Integer() && x.Bits() == 64 && y.Bits() == 64
}

// firstKind returns the kind of the first word of v, which can be nil.
func (vs *values) firstKind(v ssa.Value) code.Kind {
	if kind := code.KindOf(v.Type()); kind != code.NoKind {
		return kind // the predeclared nil has a type without a layout
	}
	return vs.prog.Type(v.Type()).Kinds[0]
}

// ownNode returns the node of v when v is kept on its own, otherwise nil.
func (vs *values) ownNode(v ssa.Value) *regalloc.Node {
	if val := vs.of[v]; val != nil && val.role == own {
		return val.node
	}
	return nil
}

// locate returns the node in which operand v is, from which word on, when it is in
// registers. Values of no words have no node.
func (vs *values) locate(v ssa.Value) (n *regalloc.Node, off int32, ok bool) {
	for {
		val := vs.of[v]
		switch {
		case val == nil:
			n := vs.pinned[keyOf(v)]
			return n, off, n != nil
		case val.role == part:
			off += int32(val.off)
			v = val.base
		case val.node != nil:
			return val.node, off, true
		case val.words == 0:
			return nil, 0, true
		default:
			panic(fmt.Sprintf("operand %s = %v has no registers", v.Name(), v))
		}
	}
}

// isVariable reports whether v is an Alloc that is kept in registers.
func (vs *values) isVariable(v ssa.Value) bool {
	alloc, ok := v.(*ssa.Alloc)
	if !ok {
		return false
	}
	val := vs.of[alloc]
	return val != nil && val.variable
}

// variable resolves addr to a variable in registers and an offset in it.
func (vs *values) variable(addr ssa.Value) (alloc *ssa.Alloc, off int, ok bool) {
	base, off := vs.address(addr)
	alloc, _ = base.(*ssa.Alloc)
	return alloc, off, alloc != nil && vs.isVariable(alloc)
}

// address resolves addr through folded selections to a base and an offset.
func (vs *values) address(addr ssa.Value) (base ssa.Value, off int) {
	for {
		v := vs.of[addr]
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			if v.role != folded {
				return addr, off
			}
			off += vs.prog.Type(elem(a.X.Type())).Fields[a.Field].Offset
			addr = a.X
		case *ssa.IndexAddr:
			i, ok := constElement(a)
			if v.role != folded || !ok {
				return addr, off
			}
			off += i * vs.words(elem(a.Type()))
			addr = a.X
		default:
			return addr, off
		}
	}
}

// element returns the folded IndexAddr that addr is, nil when it is none.
func (vs *values) element(addr ssa.Value) *ssa.IndexAddr {
	index, ok := addr.(*ssa.IndexAddr)
	if !ok || vs.of[index].role != folded {
		return nil
	}
	if _, ok := constElement(index); ok {
		return nil // an offset
	}
	return index
}

// notNil reports whether pointer v is known not to be nil.
func (vs *values) notNil(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global:
		return true
	case *ssa.FreeVar:
		return vs.fn.Parent() != nil // the address of a captured variable
	case *ssa.FieldAddr:
		return vs.of[v] != nil && vs.of[v].role == own || vs.notNil(v.X)
	case *ssa.IndexAddr:
		return vs.of[v] != nil && vs.of[v].role == own || vs.notNil(v.X)
	}
	return false
}

// inFoldedAppend reports whether store fills the array of a folded append.
func (vs *values) inFoldedAppend(store *ssa.Store) bool {
	addr, ok := store.Addr.(*ssa.IndexAddr)
	return ok && vs.of[addr] != nil && vs.of[addr].role == dead && len(*addr.Referrers()) > 0
}
