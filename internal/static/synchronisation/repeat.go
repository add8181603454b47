package synchronisation

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// An Earlier is a decision of which the outcome is that of another one, each time that a function comes to that.
type Earlier struct {
	Decision int // its index
	Inverted bool
}

// Repeats returns, of each decision of a list, those before it in its function that have the same
// condition, or the opposite one: that is computed from the same values, and nothing writes what it
// is read from in between. The function has come to those whenever it comes to the decision, and
// their last outcomes are its own.
func (s *Slice) Repeats(list []Decision) [][]Earlier {
	repeats := make([][]Earlier, len(list))
	for i, d := range list {
		for k, e := range list {
			if i == k || d.Branch.Parent() != e.Branch.Parent() || !ssaform.Dominates(e.Branch, d.Branch) {
				continue
			}
			if same, inverted := s.sameCondition(e.Branch.Cond, d.Branch.Cond); same {
				repeats[i] = append(repeats[i], Earlier{k, inverted})
			}
		}
	}
	return repeats
}

// A comparison is a condition without negations.
type comparison struct {
	op       token.Token // EQL, LSS, LEQ or, if it is no comparison, ILLEGAL
	x, y     ssa.Value
	inverted bool
}

// comparisonOf takes a condition apart.
func comparisonOf(cond ssa.Value) comparison {
	c := comparison{op: token.ILLEGAL, x: cond}
	for {
		not, ok := c.x.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			break
		}
		c.x, c.inverted = not.X, !c.inverted
	}
	b, ok := c.x.(*ssa.BinOp)
	if !ok {
		return c
	}
	x, y := b.X, b.Y
	basic, _ := x.Type().Underlying().(*types.Basic)
	ordered := basic != nil && basic.Info()&types.IsFloat == 0 // of floats, one that is not less is not greater or equal
	switch {
	case b.Op == token.EQL, b.Op == token.LSS, b.Op == token.LEQ && !ordered:
		c.op = b.Op
	case b.Op == token.NEQ:
		c.op, c.inverted = token.EQL, !c.inverted
	case b.Op == token.GTR, b.Op == token.GEQ && !ordered:
		x, y = y, x
		if c.op = token.LSS; b.Op == token.GEQ {
			c.op = token.LEQ
		}
	case b.Op == token.GEQ:
		c.op, c.inverted = token.LSS, !c.inverted
	case b.Op == token.LEQ:
		x, y = y, x
		c.op, c.inverted = token.LSS, !c.inverted
	default:
		return c
	}
	c.x, c.y = x, y
	return c
}

// sameCondition reports whether two conditions in a function are the same, or one is the opposite of the other.
func (s *Slice) sameCondition(a, b ssa.Value) (same, inverted bool) {
	c, d := comparisonOf(a), comparisonOf(b)
	if c.op != d.op {
		return false, false
	}
	same = s.same(c.x, d.x) && (c.y == nil || s.same(c.y, d.y)) || c.op == token.EQL && s.same(c.x, d.y) && s.same(c.y, d.x)
	return same, c.inverted != d.inverted
}

// same reports whether two values in a function are computed in the same way from values that are
// computed once, and from memory that nothing writes in between.
func (s *Slice) same(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	if !types.Identical(a.Type(), b.Type()) {
		return false
	}
	switch a := a.(type) {
	case *ssa.Const:
		b, ok := b.(*ssa.Const)
		return ok && (a.Value == nil) == (b.Value == nil) && (a.Value == nil || constant.Compare(a.Value, token.EQL, b.Value))
	case *ssa.BinOp:
		b, ok := b.(*ssa.BinOp)
		return ok && a.Op == b.Op && s.same(a.X, b.X) && s.same(a.Y, b.Y)
	case *ssa.UnOp:
		b, ok := b.(*ssa.UnOp)
		if !ok || a.Op != b.Op || a.CommaOk || b.CommaOk || a.Op == token.ARROW || !s.same(a.X, b.X) {
			return false
		}
		return a.Op != token.MUL || s.unwritten(a, b)
	case *ssa.Convert:
		b, ok := b.(*ssa.Convert)
		return ok && isBasic(a.Type()) && isBasic(a.X.Type()) && s.same(a.X, b.X)
	case *ssa.ChangeType:
		b, ok := b.(*ssa.ChangeType)
		return ok && s.same(a.X, b.X)
	case *ssa.Call:
		b, ok := b.(*ssa.Call)
		return ok && isLength(a) && isLength(b) && a.Call.Value.Name() == b.Call.Value.Name() && s.same(a.Call.Args[0], b.Call.Args[0])
	case *ssa.Field:
		b, ok := b.(*ssa.Field)
		return ok && a.Field == b.Field && s.same(a.X, b.X)
	case *ssa.FieldAddr:
		b, ok := b.(*ssa.FieldAddr)
		return ok && a.Field == b.Field && s.same(a.X, b.X)
	case *ssa.Index:
		b, ok := b.(*ssa.Index)
		return ok && s.same(a.X, b.X) && s.same(a.Index, b.Index)
	case *ssa.IndexAddr:
		b, ok := b.(*ssa.IndexAddr)
		return ok && s.same(a.X, b.X) && s.same(a.Index, b.Index)
	}
	return false
}

func isBasic(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() != types.UnsafePointer
}

// isLength reports whether a call is len or cap of what has a length that does not change.
func isLength(call *ssa.Call) bool {
	b, ok := call.Call.Value.(*ssa.Builtin)
	if !ok || b.Name() != "len" && b.Name() != "cap" {
		return false
	}
	switch call.Call.Args[0].Type().Underlying().(type) {
	case *types.Basic, *types.Slice, *types.Array:
		return true
	}
	return false
}

// unwritten reports whether two loads from one address, of which one is executed on all ways to the
// other, yield the same.
func (s *Slice) unwritten(a, b *ssa.UnOp) bool {
	if ssaform.Dominates(b, a) {
		a, b = b, a
	} else if !ssaform.Dominates(a, b) {
		return false
	}
	// What is written while packages are initialised only is constant from then on.
	if !s.defs.Written(a.X, func(instr ssa.Instruction) bool { return !initialises(instr.Parent()) }) {
		return true
	}
	return reaching.Root(a.X) != nil && !s.defs.Interferes(a.X) && !s.defs.Between(a, b, a.X)
}
