package program

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/load"
)

// Parameters returns the parameters over which a target is searched: those of
// the fuzz callback after the *testing.T, or of the function, receiver first.
func Parameters(t *load.Target) []*types.Var {
	var params []*types.Var
	switch t.Kind {
	case load.TargetFuzz:
		if sig := fuzzCallback(t.Func); sig != nil {
			for i := 1; i < sig.Params().Len(); i++ {
				params = append(params, sig.Params().At(i))
			}
		}
	case load.TargetFunc:
		sig := t.Func.Signature
		if recv := sig.Recv(); recv != nil {
			params = append(params, recv)
		}
		for p := range sig.Params().Variables() {
			params = append(params, p)
		}
	}
	return params
}

// checkInputs returns an error when a parameter of the target is of a type over
// which it cannot be searched.
func checkInputs(t *load.Target) error {
	for _, p := range Parameters(t) {
		if bad := unsupportedPart(p.Type()); bad != nil {
			what := types.TypeString(p.Type(), types.RelativeTo(t.Package.Types))
			if part := types.TypeString(bad, types.RelativeTo(t.Package.Types)); part != what {
				what += ", which has a part of type " + part
			}
			return fmt.Errorf("%s: parameter %s is a %s: inputs are scalars, strings, slices, arrays and structs of these", t.Name, p.Name(), what)
		}
	}
	return nil
}

// unsupportedPart returns a type inside t whose values cannot be inputs, nil
// when there is none.
func unsupportedPart(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return t
		}
		return nil
	case *types.Slice:
		return unsupportedPart(u.Elem())
	case *types.Array:
		return unsupportedPart(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if bad := unsupportedPart(f.Type()); bad != nil {
				return bad
			}
		}
		return nil
	}
	return t
}

// fuzzCallback returns the signature of the function that a fuzz target hands
// to f.Fuzz, nil when it does so through another function.
func fuzzCallback(fn *ssa.Function) *types.Signature {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			callee := call.Common().StaticCallee()
			if callee == nil || callee.String() != "(*testing.F).Fuzz" {
				continue
			}
			if arg, ok := call.Common().Args[1].(*ssa.MakeInterface); ok {
				sig, _ := arg.X.Type().Underlying().(*types.Signature)
				return sig
			}
		}
	}
	return nil
}
