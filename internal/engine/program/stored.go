package program

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/load"
)

// storedTypes returns what code outside of the standard library stores in atomic values: see code.Stores.
func storedTypes(r *load.Result) code.Stores {
	stores := code.Stores{In: make(map[*types.Var][]types.Type)}
	for _, pkg := range r.All {
		if pkg.Standard || pkg.Path == symPath {
			continue
		}
		for _, f := range pkg.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				fun, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
				if !ok || len(call.Args) == 0 {
					return true
				}
				method, ok := pkg.Info.Uses[fun.Sel].(*types.Func)
				if !ok || !slices.Contains(storing, method.FullName()) {
					return true
				}
				t := types.Default(pkg.Info.TypeOf(call.Args[len(call.Args)-1]))
				switch {
				case t == types.Typ[types.UntypedNil]:
					return true
				case parameterised(t):
					t = types.Universe.Lookup("any").Type()
				}
				if v := receiver(pkg.Info, fun); v != nil {
					stores.In[v] = addType(stores.In[v], t)
				} else {
					stores.Elsewhere = addType(stores.Elsewhere, t)
				}
				return true
			})
		}
	}
	return stores
}

// storing are the methods that store their last argument.
var storing = []string{"(*sync/atomic.Value).Store", "(*sync/atomic.Value).Swap", "(*sync/atomic.Value).CompareAndSwap"}

// receiver returns the variable, which may be a field, that a selection of a method of it names;
// nil if it names none that is not a pointer.
func receiver(info *types.Info, fun *ast.SelectorExpr) *types.Var {
	var v *types.Var
	switch x := ast.Unparen(fun.X).(type) {
	case *ast.Ident:
		v, _ = info.Uses[x].(*types.Var)
	case *ast.SelectorExpr:
		v, _ = info.Uses[x.Sel].(*types.Var)
	}
	// Of an embedded field it has the name of what that is in.
	if s := info.Selections[fun]; s != nil {
		t := s.Recv()
		for _, i := range s.Index()[:len(s.Index())-1] {
			if p, ok := t.Underlying().(*types.Pointer); ok {
				t = p.Elem()
			}
			v = t.Underlying().(*types.Struct).Field(i)
			t = v.Type()
		}
	}
	if v == nil {
		return nil
	}
	if _, ok := v.Type().Underlying().(*types.Pointer); ok {
		return nil
	}
	return v.Origin()
}

// addType adds a type to a list, unless it is there.
func addType(list []types.Type, t types.Type) []types.Type {
	if slices.ContainsFunc(list, func(u types.Type) bool { return types.Identical(t, u) }) {
		return list
	}
	return append(list, t)
}

// parameterised reports whether a type depends on a type parameter.
func parameterised(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		for of := range t.TypeArgs().Types() {
			if parameterised(of) {
				return true
			}
		}
	case *types.Map:
		return parameterised(t.Key()) || parameterised(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			if parameterised(v.Type()) {
				return true
			}
		}
	case *types.Signature:
		return parameterised(t.Params()) || parameterised(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			if parameterised(f.Type()) {
				return true
			}
		}
	case interface{ Elem() types.Type }: // a pointer, slice, array or channel
		return parameterised(t.Elem())
	}
	return false
}
