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
		if notNil, k := v.known([]ssa.Value{x}); notNil {
			c.NotNil[x] = true
		} else if k != nil {
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
			if load, ok := instr.(*ssa.UnOp); ok && load.Op == token.MUL {
				note(load)
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

// known returns what is known of a value that is one of some: that it is not nil, or that it is a constant.
func (v values) known(list []ssa.Value) (notNil bool, same *ssa.Const) {
	for _, x := range list {
		if isNillable(x.Type()) {
			if !v.all(x, v.isNotNil) {
				return false, nil
			}
			notNil = true
			continue
		}
		is := func(x ssa.Value) (is, known bool) {
			is, known = isConst(x)
			if !is {
				return is, known
			}
			if same == nil {
				same = x.(*ssa.Const)
			}
			return same.String() == x.(*ssa.Const).String(), true
		}
		if !v.all(x, is) {
			return false, nil
		}
	}
	return notNil, same
}

// all reports whether a property holds of all values that x may be. Is says whether it holds of
// one; if that is not known, it depends on where this one comes from.
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

// sources returns the values that a value may be, as reaching.Program.Sources, and what may be in a
// variable that has been loaded, if all that sets it is known.
func (v values) sources(x ssa.Value) []ssa.Value {
	switch x := x.(type) {
	case *ssa.UnOp:
		if x.Op == token.MUL {
			if list, ok := reaching.Captured(x.X, x); ok {
				return list
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

// isNillable reports whether values of a type can be nil, and lead to one thing otherwise:
// pointers, maps, channels and functions.
func isNillable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return true
	}
	return false
}
