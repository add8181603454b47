package code

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A MethodEntry is a method in the method set of a type.
type MethodEntry struct {
	Name string
	Pkg  string // import path, of unexported names
	Sel  *types.Selection
}

// A methodTable remembers what a program was asked about methods.
type methodTable struct {
	sets    map[*Type][]MethodEntry
	funcs   map[methodKey]*ssa.Function
	missing map[[2]*Type]string // by type and interface, the name of a method, "" for none
}

type methodKey struct {
	t         *Type
	pkg, name string
}

func newMethodTable() methodTable {
	return methodTable{
		sets:    make(map[*Type][]MethodEntry),
		funcs:   make(map[methodKey]*ssa.Function),
		missing: make(map[[2]*Type]string),
	}
}

// Methods returns the method set of t in the order of package reflect: by
// name, exported ones first. The result is shared and not to be changed.
func (p *Program) Methods(t *Type) []MethodEntry {
	if list, ok := p.methods.sets[t]; ok {
		return list
	}
	set := p.SSA.MethodSets.MethodSet(t.Go)
	list := make([]MethodEntry, 0, set.Len())
	for sel := range set.Methods() {
		m := MethodEntry{Name: sel.Obj().Name(), Sel: sel}
		if !sel.Obj().Exported() {
			m.Pkg = sel.Obj().Pkg().Path()
		}
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b MethodEntry) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Pkg, b.Pkg))
	})
	p.methods.sets[t] = list
	return list
}

// MethodFunc returns the function that implements m, a method of a type that is not an
// interface. Its receiver is of the type whose method set m is from.
func (p *Program) MethodFunc(m MethodEntry) *ssa.Function {
	defer p.lock()()
	return p.SSA.MethodValue(m.Sel)
}

// Method returns the function that a call of m runs when the dynamic type is t, which
// is a wrapper for a promoted method; nil when t has no such method. Such a function is
// called through [Program.InterfaceMethod].
func (p *Program) Method(t *Type, m Method) *ssa.Function {
	key := methodKey{t, m.Pkg, m.Name}
	if fn, ok := p.methods.funcs[key]; ok {
		return fn
	}
	var fn *ssa.Function
	if sel := p.SSA.MethodSets.MethodSet(t.Go).Lookup(m.Func.Pkg(), m.Name); sel != nil {
		fn = p.MethodFunc(MethodEntry{Sel: sel})
	}
	p.methods.funcs[key] = fn
	return fn
}

// Implements reports whether values of type t, which may be an interface itself, have
// the methods of the interface type iface, and otherwise the name of the first method
// that is missing.
func (p *Program) Implements(t, iface *Type) (ok bool, missing string) {
	key := [2]*Type{t, iface}
	if missing, ok := p.methods.missing[key]; ok {
		return missing == "", missing
	}
	want := iface.Go.Underlying().(*types.Interface)
	if m, _ := types.MissingMethod(t.Go, want, true); m != nil {
		missing = m.Name()
	}
	p.methods.missing[key] = missing
	return missing == "", missing
}

// CalledMethod returns the entry of [Func.Methods] for a call of method fn of the
// interface type iface.
func (p *Program) CalledMethod(iface types.Type, fn *types.Func) Method {
	m := Method{Name: fn.Name(), Func: fn, Iface: p.Type(iface), Results: p.Type(fn.Signature().Results()).Words}
	if !fn.Exported() {
		m.Pkg = fn.Pkg().Path()
	}
	it := iface.Underlying().(*types.Interface)
	for other := range it.Methods() {
		if cmp.Or(strings.Compare(other.Name(), m.Name), strings.Compare(unexportedPkg(other), m.Pkg)) < 0 {
			m.Index++
		}
	}
	return m
}

func unexportedPkg(fn *types.Func) string {
	if fn.Exported() {
		return ""
	}
	return fn.Pkg().Path()
}
