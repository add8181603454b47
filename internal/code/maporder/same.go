package maporder

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
)

// same reports whether two values are the same, because they are computed in the same way. If
// they are read from memory, that is done by the same iteration, which does not change it.
func (l *loop) same(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	switch x := x.(type) {
	case *ssa.Const:
		y, ok := y.(*ssa.Const)
		if !ok || !types.Identical(x.Type(), y.Type()) {
			return false
		}
		if x.Value == nil || y.Value == nil {
			return x.Value == y.Value
		}
		return x.Value.Kind() == y.Value.Kind() && constant.Compare(x.Value, token.EQL, y.Value)
	case *ssa.UnOp:
		y, ok := y.(*ssa.UnOp)
		return ok && x.Op == token.MUL && y.Op == token.MUL && l.same(x.X, y.X) && l.keeps(x, y)
	case *ssa.FieldAddr:
		y, ok := y.(*ssa.FieldAddr)
		return ok && x.Field == y.Field && l.same(x.X, y.X)
	case *ssa.IndexAddr:
		y, ok := y.(*ssa.IndexAddr)
		return ok && l.same(x.X, y.X) && l.same(x.Index, y.Index)
	case *ssa.Field:
		y, ok := y.(*ssa.Field)
		return ok && x.Field == y.Field && l.same(x.X, y.X)
	case *ssa.Extract:
		y, ok := y.(*ssa.Extract)
		return ok && x.Index == y.Index && x.Tuple == y.Tuple
	case *ssa.Call:
		y, ok := y.(*ssa.Call)
		if !ok {
			return false
		}
		b, ok := x.Call.Value.(*ssa.Builtin)
		c, alike := y.Call.Value.(*ssa.Builtin)
		return ok && alike && b.Name() == "len" && c.Name() == "len" && hasFixedLen(x.Call.Args[0].Type()) &&
			l.same(x.Call.Args[0], y.Call.Args[0])
	}
	return false
}

// hasFixedLen reports whether the length of a value of type t never changes.
func hasFixedLen(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Map, *types.Chan:
		return false
	}
	return true
}

// keeps reports whether memory that two instructions of the loop load from the same address is
// not changed between them. That holds of memory that was there before the iteration, as what is
// read of it is not written at all.
func (l *loop) keeps(x, y *ssa.UnOp) bool {
	if !l.contains(x) || !l.contains(y) {
		return false
	}
	for _, b := range l.blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				variable, ok := in.Addr.(*ssa.Alloc)
				if ok && onlyStore(variable) == in && (variable != x.X || ssaform.Dominates(in, x) && ssaform.Dominates(in, y)) {
					continue
				}
				if l.isMade(in.Addr) && mayOverlap(in.Val.Type(), x.Type()) {
					return false
				}
			case *ssa.Call:
				if b, ok := in.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" && b.Name() != "copy" {
					continue
				}
				if s, ok := in.Call.Args[0].Type().Underlying().(*types.Slice); ok && mayOverlap(s.Elem(), x.Type()) {
					return false
				}
			}
		}
	}
	return true
}

// mayOverlap reports whether a value of one type may be in the same memory as one of another
// type.
func mayOverlap(t, u types.Type) bool {
	return isAggregate(t) || isAggregate(u) || types.IdenticalIgnoreTags(t.Underlying(), u.Underlying())
}
