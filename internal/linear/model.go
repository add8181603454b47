package linear

import (
	"fmt"
	"go/types"
)

// A Model is a variable of the user's that says what calls give, of the type porcupine.Model or one
// that has the same fields.
type Model struct {
	name, encode string
	toModel      bool                  // it is nondeterministic: its method ToModel returns the model
	has          map[string]types.Type // the fields of the model
	external     bool                  // it is in the package of the external tests
}

// findModel finds a model, and the function that encodes calls for it, unless that has no name.
func findModel(pkg, tests *types.Package, name, encode string) (*Model, error) {
	m := &Model{name: name, encode: encode}
	obj := pkg.Scope().Lookup(name)
	if obj == nil && tests != nil {
		pkg, m.external = tests, true
		obj = pkg.Scope().Lookup(name)
	}
	if obj == nil {
		return nil, fmt.Errorf("-model %s: package %s and its tests declare no such variable", name, pkg.Path())
	}
	if _, ok := obj.(*types.Func); ok {
		return nil, fmt.Errorf("-model %s is a function: name a variable that is a porcupine.Model", name)
	}
	wrong := fmt.Errorf("-model %s has type %s: name a variable that is a porcupine.Model", name, obj.Type())
	if _, ok := obj.(*types.Var); !ok {
		return nil, wrong
	}
	m.has = fieldsOf(obj.Type())
	step, _ := m.has["Step"].(*types.Signature)
	if m.has["Init"] == nil || step == nil || step.Params().Len() != 3 {
		return nil, wrong
	}
	if m.toModel = step.Results().Len() == 1; m.toModel { // states that there can be next
		found, _, _ := types.LookupFieldOrMethod(obj.Type(), true, pkg, "ToModel")
		method, ok := found.(*types.Func)
		if !ok || method.Signature().Results().Len() != 1 {
			return nil, fmt.Errorf("-model %s has type %s, whose Step returns one result, and no method ToModel: name a variable that is a porcupine.NondeterministicModel", name, obj.Type())
		}
		m.has = fieldsOf(method.Signature().Results().At(0).Type())
	}
	if encode == "" {
		return m, nil
	}
	fn, ok := pkg.Scope().Lookup(encode).(*types.Func)
	const want = "func(method string, args, results []any) (input, output any)"
	if !ok {
		return nil, fmt.Errorf("-encode %s: package %s and its tests declare no such function", encode, pkg.Path())
	}
	if got := types.TypeString(fn.Signature(), nil); !isEncoding(fn.Signature()) {
		return nil, fmt.Errorf("-encode %s is a %s: it has to be a %s", encode, got, want)
	}
	return m, nil
}

// fieldsOf returns the types of the fields of a struct, by their names.
func fieldsOf(t types.Type) map[string]types.Type {
	fields := map[string]types.Type{}
	if model, ok := t.Underlying().(*types.Struct); ok {
		for f := range model.Fields() {
			fields[f.Name()] = f.Type()
		}
	}
	return fields
}

// isEncoding reports whether a function takes a method, arguments and results, and returns an input and an output.
func isEncoding(sig *types.Signature) bool {
	if sig.Params().Len() != 3 || sig.Results().Len() != 2 {
		return false
	}
	empty := types.NewInterfaceType(nil, nil)
	list := types.NewSlice(empty)
	same := func(got, want types.Type) bool { return types.Identical(got.Underlying(), want) }
	return same(sig.Params().At(0).Type(), types.Typ[types.String]) && same(sig.Params().At(1).Type(), list) &&
		same(sig.Params().At(2).Type(), list) &&
		same(sig.Results().At(0).Type(), empty) && same(sig.Results().At(1).Type(), empty)
}
