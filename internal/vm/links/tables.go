package links

import (
	"cmp"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Tables hold what has been linked. They only grow, until Cut is called, and hold no state of
// a run.
type Tables struct {
	FuncOf    map[*ssa.Function]*state.Function
	ThunkOf   map[*ssa.Function]*state.Function // of methods, for calls through an interface
	Methods   map[MethodKey]*state.Function
	Written   map[any]*state.Function // functions that primitives have written, by their keys
	NilCall   *state.Function         // the function that calls of nil functions run, nil until there is such a call
	Globals   map[*ssa.Global]*heap.Object
	GlobalIDs map[*ssa.Global]int32 // of all variables of the program
	Texts     map[string]heap.Word  // constant strings
	Types     []*heap.Object        // type objects by code.Type.ID
	constants int32                 // number of objects made for constants, which is the last Count with goroutine ConstantObjects

	variableOf map[*heap.Object]*ssa.Global // the inverse of Globals
	kept       struct {
		funcs, variables int
		constants        int32
		reserved         map[string]int32 // numbers of functions that were not linked
	}
}

// A MethodKey is a dynamic type and the method that is called on it.
type MethodKey struct {
	Type      *code.Type
	Pkg, Name string
}

// NewTables returns tables for prog in which nothing is linked.
func NewTables(prog *code.Program) Tables {
	return Tables{
		FuncOf:     make(map[*ssa.Function]*state.Function),
		ThunkOf:    make(map[*ssa.Function]*state.Function),
		Methods:    make(map[MethodKey]*state.Function),
		Written:    make(map[any]*state.Function),
		Globals:    make(map[*ssa.Global]*heap.Object),
		GlobalIDs:  numberGlobals(prog),
		Texts:      make(map[string]heap.Word),
		variableOf: make(map[*heap.Object]*ssa.Global),
	}
}

// numberGlobals numbers the global variables of the program, in an order that depends
// only on the program.
func numberGlobals(prog *code.Program) map[*ssa.Global]int32 {
	pkgs := prog.Packages()
	slices.SortFunc(pkgs, func(a, b *ssa.Package) int {
		return cmp.Or(
			cmp.Compare(a.Pkg.Path(), b.Pkg.Path()),
			cmp.Compare(len(a.Members), len(b.Members)))
	})
	ids := make(map[*ssa.Global]int32)
	for _, pkg := range pkgs {
		var globals []*ssa.Global
		for _, member := range pkg.Members {
			if g, ok := member.(*ssa.Global); ok {
				globals = append(globals, g)
			}
		}
		slices.SortFunc(globals, func(a, b *ssa.Global) int { return cmp.Compare(a.Name(), b.Name()) })
		for _, g := range globals {
			ids[g] = int32(len(ids))
		}
	}
	return ids
}

// AddVariable makes o the object of a package variable.
func (t *Tables) AddVariable(m *state.State, v *ssa.Global, o *heap.Object) {
	t.Globals[v], t.variableOf[o] = o, v
	m.Variables = append(m.Variables, o)
}

// TypeOf returns the type of a package variable.
func TypeOf(p *code.Program, v *ssa.Global) *code.Type {
	return p.Type(v.Type().Underlying().(*types.Pointer).Elem())
}

// NewConstant returns an object that is never written.
func (t *Tables) NewConstant(kind heap.ObjectKind) *heap.Object {
	t.constants++
	return &heap.Object{ID: run.ObjectID{Goroutine: run.ConstantObjects, Count: t.constants}, Kind: kind}
}

// Keep makes what has been linked so far what Cut keeps.
func (t *Tables) Keep(m *state.State) {
	t.kept.funcs, t.kept.variables, t.kept.constants = len(m.Funcs), len(m.Variables), t.constants
	t.kept.reserved = maps.Clone(m.Reserved)
	maps.DeleteFunc(t.kept.reserved, func(_ string, id int32) bool { return m.Funcs[id] != nil })
}

// Cut forgets what has been linked since Keep was called. The state of m is that of then.
func (t *Tables) Cut(m *state.State) {
	n := t.kept.funcs
	clear(m.Funcs[n:])
	m.Funcs, m.Reserved = m.Funcs[:n], maps.Clone(t.kept.reserved)
	reserved := make(map[int32]bool)
	for _, id := range m.Reserved {
		m.Funcs[id], reserved[id] = nil, true
	}
	since := func(f *state.Function) bool { return f != nil && (int(f.ID) >= n || reserved[f.ID]) }
	ofFunc := func(_ *ssa.Function, f *state.Function) bool { return since(f) }
	maps.DeleteFunc(t.FuncOf, ofFunc)
	maps.DeleteFunc(t.ThunkOf, ofFunc)
	maps.DeleteFunc(t.Methods, func(_ MethodKey, f *state.Function) bool { return since(f) })
	maps.DeleteFunc(t.Written, func(_ any, f *state.Function) bool { return since(f) })
	if since(t.NilCall) {
		t.NilCall = nil
	}
	for _, o := range m.Variables[t.kept.variables:] {
		delete(t.Globals, t.variableOf[o])
		delete(t.variableOf, o)
	}
	m.Variables = slices.Delete(m.Variables, t.kept.variables, len(m.Variables))
	t.constants = t.kept.constants
	newer := func(o *heap.Object) bool { return o != nil && o.ID.Count > t.constants }
	maps.DeleteFunc(t.Texts, func(_ string, w heap.Word) bool { return newer(w.P) })
	for i, o := range t.Types {
		if newer(o) {
			t.Types[i] = nil
		}
	}
	for _, f := range m.Funcs {
		if f == nil { // a number that is reserved
			continue
		}
		for _, list := range [...][]*state.Function{f.Linked, f.LinkedBuiltins} {
			for i, callee := range list {
				if since(callee) {
					list[i] = nil
				}
			}
		}
		for i := range f.Caches {
			if c := &f.Caches[i]; since(c.Func) || newer(c.Type) {
				*c = state.MethodCache{}
			}
		}
		if newer(f.Value) {
			f.Value = nil
		}
	}
}
