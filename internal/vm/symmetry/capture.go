package symmetry

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// capturesValue reports whether the variable whose address is in cell i of closures of fn is
// only set before it is captured, and only closures have its address.
func capturesValue(fn *state.Function, i int) bool {
	if fn.SetOnce == nil && fn.SSA != nil && fn.SSA.Parent() != nil {
		fn.SetOnce = make([]bool, len(fn.SSA.FreeVars))
		for k, v := range fn.SSA.FreeVars {
			fn.SetOnce[k] = isSetOnce(v)
		}
	}
	return i < len(fn.SetOnce) && fn.SetOnce[i]
}

// isSetOnce is capturesValue for a captured variable.
func isSetOnce(v *ssa.FreeVar) bool {
	fn := v.Parent()
	if fn.Parent() == nil {
		return false
	}
	i := slices.Index(fn.FreeVars, v)
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if c, ok := instr.(*ssa.MakeClosure); ok && c.Fn == fn {
				switch of := c.Bindings[i].(type) {
				case *ssa.FreeVar:
					return isSetOnce(of)
				case *ssa.Alloc:
					return isVariableSetOnce(of)
				}
				return false
			}
		}
	}
	return false
}

// isVariableSetOnce is isSetOnce for the variable itself.
func isVariableSetOnce(v *ssa.Alloc) bool {
	var set *ssa.Store
	for _, r := range *v.Referrers() {
		if s, ok := r.(*ssa.Store); ok {
			if set != nil || s.Val == v {
				return false
			}
			set = s
		}
	}
	return set != nil && isOnlyRead(v, set)
}

// isOnlyRead reports whether the variable at address v is only read and captured, except by set,
// which comes before it is captured.
func isOnlyRead(v ssa.Value, set *ssa.Store) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp: // the only operation on addresses is a load
		case *ssa.Store:
			if r != set {
				return false
			}
		case *ssa.MakeClosure:
			if set != nil && !ssaform.Dominates(set, r) {
				return false
			}
			for i, b := range r.Bindings {
				if b == v && !isOnlyRead(r.Fn.(*ssa.Function).FreeVars[i], nil) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
