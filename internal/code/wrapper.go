package code

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Same returns the function that stands for fn: for a method value (x.M) or a method
// expression (T.M), of which go/ssa makes a new wrapper for every place where it is
// written, the first of those that do the same, and fn itself for all others. In gc's code
// there is one, and its address can be compared by package reflect.
func (p *Program) Same(fn *ssa.Function) *ssa.Function {
	if fn.Synthetic == "" || fn.Parent() != nil || fn.Pkg != nil || fn.Object() == nil || fn.Signature.Recv() != nil {
		return fn
	}
	if same := p.same[fn]; same != nil {
		return same
	}
	same := fn
	for _, other := range p.wrappers[fn.Object()] {
		if sameWrapper(fn, other) {
			same = other
			break
		}
	}
	if same == fn {
		p.wrappers[fn.Object()] = append(p.wrappers[fn.Object()], fn)
	}
	p.same[fn] = same
	return same
}

// sameWrapper reports whether two wrappers of the same method do the same.
func sameWrapper(a, b *ssa.Function) bool {
	if a.Name() != b.Name() || a.Synthetic != b.Synthetic || !types.Identical(a.Signature, b.Signature) {
		return false
	}
	if len(a.TypeArgs()) != len(b.TypeArgs()) || len(a.FreeVars) != len(b.FreeVars) {
		return false
	}
	for i, t := range a.TypeArgs() {
		if !types.Identical(t, b.TypeArgs()[i]) {
			return false
		}
	}
	for i, v := range a.FreeVars {
		if !types.Identical(v.Type(), b.FreeVars[i].Type()) {
			return false
		}
	}
	return true
}
