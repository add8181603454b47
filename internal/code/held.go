package code

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Held returns a variable of the source that has a value, and is not in memory, when its function
// is about to execute an instruction; nil if that is not known of any.
func (r *References) Held(v ssa.Value, at ssa.Instruction) *types.Var {
	fn := at.Parent()
	if p, ok := v.(*ssa.Parameter); ok {
		if o, ok := p.Object().(*types.Var); ok && isNamed(o) && r.holds(o, v, at) {
			return o
		}
	}
	tried := make(map[*types.Var]bool)
	for i := range r.of[fn] {
		ref := &r.of[fn][i]
		if ref.Value == v && !ref.IsAddr && isNamed(ref.Var) && !tried[ref.Var] {
			if tried[ref.Var] = true; r.holds(ref.Var, v, at) {
				return ref.Var
			}
		}
	}
	return nil
}

func isNamed(v *types.Var) bool { return v.Name() != "" && v.Name() != "_" }

// holds reports whether a variable has a value on all ways to an instruction: it is what the source
// said last of the variable, which is not in memory.
func (r *References) holds(o *types.Var, v ssa.Value, at ssa.Instruction) bool {
	fn := at.Parent()
	if inMemory(o, fn) {
		return false
	}
	byBlock := make(map[*ssa.BasicBlock][]*Reference)
	for i := range r.of[fn] {
		if ref := &r.of[fn][i]; ref.Var == o {
			byBlock[ref.Block] = append(byBlock[ref.Block], ref)
		}
	}
	// after returns whether the variable has the value after n instructions of a block, if that is so at its beginning.
	after := func(b *ssa.BasicBlock, n int, is bool) bool {
		for _, phi := range phis(b) {
			if isPhiOf(phi, o) {
				is = phi == v
			}
		}
		computed := -1
		if instr, ok := v.(ssa.Instruction); ok && instr.Block() == b {
			if computed = slices.Index(b.Instrs, instr); computed < n {
				phi, ok := v.(*ssa.Phi)
				is = ok && isPhiOf(phi, o) // otherwise the variable has what it had before
			} else {
				computed = -1
			}
		}
		for _, ref := range byBlock[b] {
			if computed < ref.Before && ref.Before <= n {
				is = ref.Value == v && !ref.IsAddr
			}
		}
		return is
	}
	begins := make([]bool, len(fn.Blocks))
	for i := range begins {
		begins[i] = true
	}
	_, isParameter := v.(*ssa.Parameter)
	begins[0] = isParameter
	if fn.Recover != nil {
		begins[fn.Recover.Index] = false
	}
	for changed := true; changed; {
		changed = false
		for _, b := range fn.Blocks {
			for _, p := range b.Preds {
				if begins[b.Index] && !after(p, len(p.Instrs), begins[p.Index]) {
					begins[b.Index], changed = false, true
				}
			}
		}
	}
	b := at.Block()
	return after(b, slices.Index(b.Instrs, at), begins[b.Index])
}

// isPhiOf reports whether a phi is what a variable has where ways meet.
func isPhiOf(phi *ssa.Phi, o *types.Var) bool { return phi.Pos() == o.Pos() && phi.Comment == o.Name() }

// inMemory reports whether a variable is one that a function has in memory: a package variable, one
// that it has captured, or one that has an address there.
func inMemory(o *types.Var, fn *ssa.Function) bool {
	if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
		return true
	}
	for _, fv := range fn.FreeVars {
		if fv.Pos() == o.Pos() {
			return true
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if a, ok := instr.(*ssa.Alloc); ok && a.Pos() == o.Pos() {
				return true
			}
		}
	}
	return false
}
