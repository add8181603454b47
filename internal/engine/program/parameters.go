package program

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/everyway-go/everyway/internal/load"
)

// parameters returns the parameters of a function or method, receiver first.
func parameters(t *load.Target) []*types.Var {
	var params []*types.Var
	sig := t.Func.Signature
	if recv := sig.Recv(); recv != nil {
		params = append(params, recv)
	}
	for p := range sig.Params().Variables() {
		params = append(params, p)
	}
	return params
}

// checkInputs returns an error when a parameter of a function is of a type over which it
// cannot be searched.
func checkInputs(t *load.Target) error {
	for _, p := range parameters(t) {
		if bad := unsupportedPart(p.Type(), map[types.Type]bool{}); bad != nil {
			what := types.TypeString(p.Type(), types.RelativeTo(t.Package.Types))
			if part := types.TypeString(bad, types.RelativeTo(t.Package.Types)); part != what {
				what += ", which has a part of type " + part
			}
			return fmt.Errorf("%s: parameter %s is a %s: inputs are of every type but unsafe.Pointer", t.Name, p.Name(), what)
		}
	}
	return nil
}

// addGlobals makes package variables inputs of a function. Their inputs have their names, as those of parameters have.
func addGlobals(t *load.Target, names []string) error {
	for _, name := range names {
		v := t.Package.SSA.Var(name)
		switch {
		case v == nil && t.Package.Types.Scope().Lookup(name) != nil:
			return fmt.Errorf("-globals %s: in package %s that is no variable", name, t.Package.Path)
		case v == nil:
			return fmt.Errorf("-globals %s: package %s has no variable of that name", name, t.Package.Path)
		case slices.Contains(t.Globals, v):
			continue
		case slices.ContainsFunc(parameters(t), func(p *types.Var) bool { return p.Name() == name }):
			return fmt.Errorf("-globals %s: %s has a parameter of that name, which hides the variable", name, t.Name)
		}
		of := v.Type().(*types.Pointer).Elem()
		if bad := unsupportedPart(of, map[types.Type]bool{}); bad != nil {
			return fmt.Errorf("-globals %s: the variable has a part of type %s: inputs are of every type but unsafe.Pointer", name, types.TypeString(bad, types.RelativeTo(t.Package.Types)))
		}
		t.Globals = append(t.Globals, v)
	}
	return nil
}

// GlobalNames returns the names of the package variables that are inputs of a target.
func GlobalNames(t *load.Target) []string {
	var names []string
	for _, v := range t.Globals {
		names = append(names, v.Name())
	}
	return names
}

// drawsAny reports whether a target draws interfaces or functions by itself, without package sym.
// Their values are of types and functions that nothing of the target need mention: see
// code.Program.InputTypes.
func drawsAny(t *load.Target) bool {
	if t.Kind == load.TargetContext {
		return true
	}
	if t.Kind != load.TargetFunc {
		return false
	}
	var list []types.Type
	for _, p := range parameters(t) {
		list = append(list, p.Type())
	}
	for _, v := range t.Globals {
		list = append(list, v.Type())
	}
	seen := make(map[types.Type]bool)
	return slices.ContainsFunc(list, func(t types.Type) bool { return leadsToAny(t, seen) })
}

// leadsToAny reports whether a value of type t leads to an interface, an atomic.Value, which leads
// to one, or a function.
func leadsToAny(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Name() == "Value" &&
		named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync/atomic" {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Interface, *types.Signature:
		return true
	case *types.Pointer:
		return leadsToAny(t.Elem(), seen)
	case *types.Slice:
		return leadsToAny(t.Elem(), seen)
	case *types.Array:
		return leadsToAny(t.Elem(), seen)
	case *types.Chan:
		return leadsToAny(t.Elem(), seen)
	case *types.Map:
		return leadsToAny(t.Key(), seen) || leadsToAny(t.Elem(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			if leadsToAny(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// unsupportedPart returns a type inside t whose values cannot be inputs, nil
// when there is none. It has seen the types around t, which can be parts of themselves through slices.
func unsupportedPart(t types.Type, seen map[types.Type]bool) types.Type {
	if seen[t] {
		return nil
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return t
		}
		return nil
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return nil // what it leads to is seen when a run gets there
	case *types.Slice:
		return unsupportedPart(u.Elem(), seen)
	case *types.Array:
		return unsupportedPart(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if bad := unsupportedPart(f.Type(), seen); bad != nil {
				return bad
			}
		}
		return nil
	}
	return t
}
