package linear

import (
	"fmt"
	"go/types"
)

// symPath is the package that draws values of all shapes.
const symPath = "github.com/everyway-go/everyway/sym"

// AnyShape is the From of [Options] with which histories begin with every value of the type, and
// not only with those for which a predicate holds.
const AnyShape = "any"

// A predicate says which values of a type are valid: a method without parameters, or a function of
// the package or its tests.
type predicate struct {
	name     string
	fn       *types.Func // nil if all values are
	method   bool
	external bool // it is in the package of the external tests
}

// findPredicate finds a predicate of a type by its name.
func findPredicate(pkg, tests *types.Package, t types.Type, name string) (*predicate, error) {
	if name == AnyShape {
		return &predicate{name: name}, nil
	}
	p := &predicate{name: name}
	found, _, _ := types.LookupFieldOrMethod(t, true, pkg, name)
	if fn, ok := found.(*types.Func); ok {
		p.fn, p.method = fn, true
		if sig := fn.Signature(); sig.Params().Len() == 0 && sig.Results().Len() == 1 && isBool(sig.Results().At(0).Type()) {
			return p, nil
		}
		return nil, fmt.Errorf("-from %s: the method %s is a %s: it has to be a func() bool",
			name, name, types.TypeString(fn.Signature(), nil))
	}
	obj := pkg.Scope().Lookup(name)
	if obj == nil && tests != nil {
		p.external = true
		obj = tests.Scope().Lookup(name)
	}
	fn, ok := obj.(*types.Func)
	if !ok {
		return nil, fmt.Errorf("-from %s: give a number of calls, %s, or the name of a predicate: %s has no such method, and package %s and its tests no such function",
			name, AnyShape, types.TypeString(t, types.RelativeTo(pkg)), pkg.Path())
	}
	p.fn = fn
	sig := fn.Signature()
	if sig.Params().Len() == 1 && sig.Results().Len() == 1 && isBool(sig.Results().At(0).Type()) &&
		unify(sig.Params().At(0).Type(), t, map[*types.TypeParam]types.Type{}) {
		return p, nil
	}
	return nil, fmt.Errorf("-from %s is a %s: it has to be a func(%s) bool",
		name, types.TypeString(sig, types.RelativeTo(pkg)), types.TypeString(t, types.RelativeTo(pkg)))
}

func isBool(t types.Type) bool { return types.Identical(t, types.Typ[types.Bool]) }

// internal reports whether only the package of the type can name the predicate.
func (p *predicate) internal() bool { return p.fn != nil && !p.external && !p.fn.Exported() }

// call writes that the predicate holds for a variable, empty if it does so for all.
func (p *predicate) call(s *Subject, x string) string {
	switch {
	case p.fn == nil:
		return ""
	case p.method:
		return x + "." + p.name + "()"
	case p.external: // it is in the package in which the tests are
		return p.name + "(" + x + ")"
	}
	return s.scope.qualified(p.fn) + "(" + x + ")"
}

// describe says which values there are.
func (p *predicate) describe(t string) string {
	if p.fn == nil {
		return "any " + t
	}
	return "any " + t + " for which " + p.name + " holds"
}
