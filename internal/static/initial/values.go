package initial

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// values find out what is known of values by where they come from, across calls.
type values struct {
	definitions *reaching.Program
	isNotNil    func(x ssa.Value) (is, known bool) // says of some values whether they are nil; isNotNil or one that knows more
}

// describe notes what is known of the parameters, captured variables and phis of a function.
func (v values) describe(c *fragment.Context, fn *ssa.Function) {
	note := func(x ssa.Value) {
		if isNillable(x.Type()) {
			if v.all(x, v.isNotNil) {
				c.NotNil[x] = true
			}
			return
		}
		var k *ssa.Const
		same := func(x ssa.Value) (is, known bool) {
			is, known = isConst(x)
			if !is {
				return is, known
			}
			if k == nil {
				k = x.(*ssa.Const)
			}
			return k.String() == x.(*ssa.Const).String(), true
		}
		if v.all(x, same) && k != nil {
			c.Same[x] = k
		}
	}
	for _, p := range fn.Params {
		note(p)
	}
	for _, p := range fn.FreeVars {
		note(p)
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if load, ok := instr.(*ssa.UnOp); ok && isNillable(load.Type()) {
				if is, known := v.isNotNil(load); is && known {
					c.NotNil[load] = true
				}
			}
			if phi, ok := instr.(*ssa.Phi); ok {
				if r, ok := rangeOf(phi); ok {
					c.Ranges[phi] = r
				} else if from := beginsWith(phi); from != nil {
					c.AtLeast[phi] = from
				}
				note(phi)
			}
		}
	}
}

// all reports whether a property holds of all values that x may be. Is says whether it holds of one; if that is not known, it
// depends on where this one comes from.
func (v values) all(x ssa.Value, is func(ssa.Value) (is, known bool)) bool {
	return v.allOr(x, is, false)
}

// allOr is all, but for what comes from where nothing is known, of which unknown says whether the property holds.
func (v values) allOr(x ssa.Value, is func(ssa.Value) (is, known bool), unknown bool) bool {
	const limit = 1000
	seen := map[ssa.Value]bool{x: true}
	work := []ssa.Value{x}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if is, known := is(x); known {
			if !is {
				return false
			}
			continue
		}
		sources := v.sources(x)
		if len(seen) > limit || len(sources) == 0 && !unknown {
			return false
		}
		for _, s := range sources {
			switch {
			case s == nil || s == x && len(sources) == 1:
				if !unknown {
					return false
				}
			case !seen[s]:
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return true
}

// sources returns the values that a value may be, as reaching.Program.Sources, and what a variable is set to that has been loaded, if that is always
// the same.
func (v values) sources(x ssa.Value) []ssa.Value {
	switch x := x.(type) {
	case *ssa.UnOp:
		if x.Op == token.MUL {
			if value, ok := reaching.Settled(x.X); ok {
				return []ssa.Value{value}
			}
		}
	case *ssa.ChangeType:
		return []ssa.Value{x.X}
	}
	return v.definitions.Sources(x)
}

// isNotNil reports whether a pointer is not nil, as far as its definition says it.
func isNotNil(x ssa.Value) (is, known bool) {
	switch x := x.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeClosure, *ssa.Function:
		return true, true
	case *ssa.Const:
		return false, true
	case *ssa.FreeVar:
		if x.Parent().Parent() != nil {
			return true, true // the address of a variable
		}
	}
	return false, false
}

// isConst reports whether a value is a constant.
func isConst(x ssa.Value) (is, known bool) {
	_, is = x.(*ssa.Const)
	return is, is
}

// isNillable reports whether values of a type can be nil, and lead to one thing otherwise: pointers, maps, channels and functions.
func isNillable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return true
	}
	return false
}
