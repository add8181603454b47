package code

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// InputTypes returns the types of which an interface that is an input may have values, in an order
// that depends on the program only: those that packages outside of the standard library declare,
// the type of what errors.New returns, and those of the standard library that a package outside of
// it can name, if each of their values is one that a program could have made. Of a type T that is
// in the list, *T is meant as well. What drives the search has types that the program does not
// know.
func (p *Program) InputTypes() []*types.Named {
	var list []*types.Named
	named := p.namedByOthers()
	for _, pkg := range p.Packages() {
		path, standard := pkg.Pkg.Path(), p.Standard(pkg.Pkg)
		if !standard && strings.HasPrefix(path, symPackage) || standard && path != "errors" && !named[pkg.Pkg] {
			continue
		}
		for _, name := range pkg.Pkg.Scope().Names() {
			obj, ok := pkg.Pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			n, ok := types.Unalias(obj.Type()).(*types.Named)
			if !ok || n.TypeParams().Len() > 0 || n.TypeArgs().Len() > 0 || types.IsInterface(n) ||
				obj.IsAlias() && !(standard && n.Obj().Exported()) || p.isMade(obj) {
				continue
			}
			if standard && !(path == "errors" && name == "errorString") && !(named[pkg.Pkg] && obj.Exported() && anyValue(n)) {
				continue
			}
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b *types.Named) int { return cmp.Compare(types.TypeString(a, nil), types.TypeString(b, nil)) })
	return slices.Compact(list) // an alias and what it stands for
}

// isMade reports whether what is declared is in a file that was made for the search.
func (p *Program) isMade(obj types.Object) bool { return p.Made != nil && p.Made(obj.Pos()) }

// symPackage is the import path of the package that draws inputs, and begins those of its parts.
const symPackage = "github.com/everyway-go/everyway/sym"

// namedByOthers returns the packages of the standard library that other packages import.
func (p *Program) namedByOthers() map[*types.Package]bool {
	named := make(map[*types.Package]bool)
	for _, pkg := range p.Packages() {
		if p.Standard(pkg.Pkg) || strings.HasPrefix(pkg.Pkg.Path(), symPackage) {
			continue
		}
		for _, of := range pkg.Pkg.Imports() {
			if of.Path() != "testing" && of.Path() != "unsafe" && p.Standard(of) {
				named[of] = true
			}
		}
	}
	return named
}

// Begun are the types of the standard library with unexported fields of which an input has values
// as constructors make them: package shape knows how.
var Begun = map[string]bool{"bytes.Buffer": true, "bytes.Reader": true, "strings.Reader": true, "strings.Builder": true}

// anyValue reports whether each value of a type of the standard library is one that a program
// outside of it makes. Whether that is so of one that has pointers, functions or interfaces, which
// could be nil, nothing says.
func anyValue(t types.Type) bool {
	_, isFunc := t.Underlying().(*types.Signature)
	return isFunc || plain(t, nil)
}

// plain reports whether any values of the parts make a value of a type, since all fields are
// exported, and no part leads to something else.
func plain(t types.Type, around []types.Type) bool {
	if slices.Contains(around, t) {
		return true
	}
	around = append(around, t)
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && Begun[n.Obj().Pkg().Path()+"."+n.Obj().Name()] {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer && t.Kind() != types.Uintptr
	case *types.Slice:
		return plain(t.Elem(), around)
	case *types.Array:
		return plain(t.Elem(), around)
	case *types.Map:
		return plain(t.Key(), around) && plain(t.Elem(), around)
	case *types.Struct:
		for f := range t.Fields() {
			if !f.Exported() || !plain(f.Type(), around) {
				return false
			}
		}
		return true
	}
	return false
}

// Stores are the types of the values that code outside of the standard library stores in variables
// of type atomic.Value. One that is an interface stands for all of which it can have values.
type Stores struct {
	In        map[*types.Var][]types.Type // in variables and fields, as they are declared
	Elsewhere []types.Type                // through pointers, in elements of arrays and the like
}

// Of returns the types of what may be stored in a variable or field, in an order that depends on the program only.
func (s *Stores) Of(v *types.Var) []types.Type {
	return inOrder(slices.Concat(s.In[v.Origin()], s.Elsewhere))
}

// All returns the types of what may be stored anywhere, in an order that depends on the program only.
func (s *Stores) All() []types.Type {
	list := slices.Clone(s.Elsewhere)
	for _, of := range s.In {
		list = append(list, of...)
	}
	return inOrder(list)
}

// inOrder sorts types, and has none twice.
func inOrder(list []types.Type) []types.Type {
	slices.SortStableFunc(list, func(a, b types.Type) int { return cmp.Compare(types.TypeString(a, nil), types.TypeString(b, nil)) })
	return slices.CompactFunc(list, types.Identical)
}

// InputFuncs returns the functions of the program that a function value that is an input may be, if
// it is of their type, in an order that depends on the program only: those that its own packages
// declare.
func (p *Program) InputFuncs() []*ssa.Function {
	var list []*ssa.Function
	for _, pkg := range p.Packages() {
		if p.Standard(pkg.Pkg) || strings.HasPrefix(pkg.Pkg.Path(), symPackage) || p.Own != nil && !p.Own(pkg) {
			continue
		}
		for _, m := range pkg.Members {
			if fn, ok := m.(*ssa.Function); ok && fn.Synthetic == "" && fn.Object() != nil &&
				!p.isMade(fn.Object()) && fn.Signature.TypeParams().Len() == 0 && fn.Name() != "main" && fn.Name() != "init" {
				list = append(list, fn)
			}
		}
	}
	slices.SortFunc(list, func(a, b *ssa.Function) int {
		return cmp.Or(cmp.Compare(a.Pkg.Pkg.Path(), b.Pkg.Pkg.Path()), cmp.Compare(a.Name(), b.Name()))
	})
	return list
}
