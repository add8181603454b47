package ownership

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/ssaform"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// Config says of what program structures are looked for.
type Config struct {
	Calls    *callgraph.Graph
	Pointers *pointsto.Result
	Own      func(*types.Package) bool // whether a package is one of the program's own, not of the standard library
}

// A Program has the structures of a program. What is found out is found out once.
type Program struct {
	cfg        Config
	made       typeutil.Map // of types.Type to bool: what instructions of the program's own make
	exposed    []types.Type // of variables that may be written by what is not looked at
	reflects   bool         // functions may be called by package reflect with more than one argument
	structures typeutil.Map // of types.Type to *fragment.Structure, by the root; nil for none
	loops      map[*ssa.BasicBlock]bool
}

// New returns what finds structures.
func New(cfg Config) *Program {
	p := &Program{cfg: cfg, loops: make(map[*ssa.BasicBlock]bool)}
	writes := p.looksUnseen()
	var exposed typeutil.Map
	for _, o := range cfg.Pointers.Objects() {
		t := o.Type
		if t == nil || o.Kind == pointsto.Func {
			continue
		}
		if writes && o.Exposed && o.Kind != pointsto.Box && exposed.At(t) == nil { // nobody can change what is in an interface
			exposed.Set(t, true)
			p.exposed = append(p.exposed, t)
			switch u := t.Underlying().(type) {
			case *types.Map:
				p.exposed = append(p.exposed, u.Key(), u.Elem())
			case *types.Chan:
				p.exposed = append(p.exposed, u.Elem())
			case *types.Slice:
				p.exposed = append(p.exposed, u.Elem())
			}
		}
		if alloc, ok := o.Instr.(*ssa.Alloc); ok && o.Kind == pointsto.Variable {
			p.make(alloc.Type().Underlying().(*types.Pointer).Elem())
		}
	}
	return p
}

// reflectWrites are the functions and methods of package reflect that write what they are given.
// reflectCalls are those that call functions, and those that give method values, which code calls
// as it calls any function value.
var (
	reflectWrites = map[string]bool{
		"reflect.Append": true, "reflect.AppendSlice": true, "reflect.Copy": true, "reflect.NewAt": true,
		"(reflect.Value).Set": true, "(reflect.Value).SetIterKey": true, "(reflect.Value).SetIterValue": true, "(reflect.Value).SetMapIndex": true,
		"(reflect.Value).SetPointer": true, "(reflect.Value).Grow": true,
		"(internal/reflectlite.Value).Set": true, // of errors.As
	}
	reflectCalls = map[string]bool{
		"reflect.MakeFunc": true, "(reflect.Value).Call": true, "(reflect.Value).CallSlice": true,
		"(reflect.Value).Method": true, "(reflect.Value).MethodByName": true, "(reflect.Value).Methods": true,
		"(*reflect.rtype).Method": true, "(*reflect.rtype).MethodByName": true, "(*reflect.rtype).Methods": true,
	}
)

// looksUnseen finds out whether functions are called by package reflect, and reports whether some
// code writes by it, or may write through pointers that it has made of an unsafe.Pointer. What else
// the standard library does with these is known; fuzz tests, which package testing calls, have no
// pointers as arguments.
//
// It counts who calls a function of package reflect, and not how: a method value or an interface
// has a wrapper that calls it, and that is of no package.
func (p *Program) looksUnseen() (writes bool) {
	for _, n := range p.cfg.Pointers.Calls().Nodes {
		if n.Func != nil {
			name := n.Func.String()
			writes = writes || reflectWrites[name] && isCalledOutside(n, "reflect", "internal/reflectlite")
			p.reflects = p.reflects || reflectCalls[name] && isCalledOutside(n, "reflect", "testing")
		}
		if n.Body == nil {
			continue
		}
		pkg := packageOf(n.Body)
		if pkg == nil || !p.cfg.Own(pkg) {
			continue
		}
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				if conv, ok := instr.(*ssa.Convert); ok {
					from, ok := conv.X.Type().Underlying().(*types.Basic)
					writes = writes || ok && from.Kind() == types.UnsafePointer
				}
			}
		}
	}
	return writes
}

// isCalledOutside reports whether a function is called by code that is not in any of some packages.
func isCalledOutside(n *callgraph.Node, packages ...string) bool {
	return slices.ContainsFunc(n.Callers(), func(s *callgraph.Site) bool {
		if s.Caller.Body == nil {
			return true
		}
		pkg := packageOf(s.Caller.Body)
		return pkg == nil || !slices.Contains(packages, pkg.Path())
	})
}

// packageOf returns the package of a function, of what it is an instance of if it is one; nil if it
// has none, as a wrapper.
func packageOf(fn *ssa.Function) *types.Package {
	fn = ssaform.Outermost(fn)
	if of := fn.Origin(); of != nil {
		fn = of
	}
	if fn.Pkg == nil {
		return nil
	}
	return fn.Pkg.Pkg
}

// make notes the structs that are in a variable of type t, which may be roots.
func (p *Program) make(t types.Type) {
	if p.made.At(t) != nil {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if named, ok := types.Unalias(t).(*types.Named); ok && p.cfg.Own(named.Obj().Pkg()) {
			p.made.Set(t, true)
		}
		for f := range u.Fields() {
			p.make(f.Type())
		}
	case *types.Array:
		p.make(u.Elem())
	}
}

// Structures returns those whose roots variables may lead to that have some types.
func (p *Program) Structures(of []types.Type) (list []fragment.Structure) {
	var seen typeutil.Map
	for i := 0; i < len(of); i++ {
		t := of[i]
		if seen.At(t) != nil {
			continue
		}
		seen.Set(t, true)
		if p.made.At(t) != nil {
			if s := p.structure(t); s != nil {
				list = append(list, *s)
			}
		}
		of = append(of[:len(of):len(of)], p.partsOf(t)...)
	}
	return list
}

// partsOf returns the types of the parts of a value, and of what it leads to.
func (p *Program) partsOf(t types.Type) (list []types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			list = append(list, f.Type())
		}
	case *types.Tuple:
		for v := range u.Variables() {
			list = append(list, v.Type())
		}
	case *types.Map:
		list = append(list, u.Key(), u.Elem())
	case *types.Interface:
		if p.isClosed(t) {
			list = p.implementing(u)
		}
	case interface{ Elem() types.Type }:
		list = append(list, u.Elem())
	}
	return list
}

// isClosed reports whether an interface is one of the program's own, with methods.
func (p *Program) isClosed(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && p.cfg.Own(named.Obj().Pkg()) && t.Underlying().(*types.Interface).NumMethods() > 0
}

// implementing returns the types of which an interface may have values.
func (p *Program) implementing(t *types.Interface) (list []types.Type) {
	for _, b := range p.cfg.Calls.Boxed() {
		if types.Implements(b, t) {
			list = append(list, b)
		}
	}
	return list
}

// structure returns the structure with a root, nil if it is not proved that there is one.
func (p *Program) structure(root types.Type) *fragment.Structure {
	if known, ok := p.structures.At(root).(*fragment.Structure); ok {
		return known
	}
	var found *fragment.Structure
	e := edgesOf(p, root)
	if len(e.list) > 0 && !slices.ContainsFunc(p.exposed, func(t types.Type) bool { return e.in(t) || e.rooted(t) }) && newProof(p, e).holds() {
		found = &fragment.Structure{Root: root, Edges: e.list}
	}
	p.structures.Set(root, found)
	return found
}

// edges are the types of variables that hold structures with a root together.
type edges struct {
	program *Program
	root    types.Type
	is      typeutil.Map // of types.Type to bool
	list    []types.Type
	visited typeutil.Map

	has   map[types.Type]bool // see in
	roots map[types.Type]bool // see rooted
}

// edgesOf returns the edges of the structures with a root: all to which it leads but those that lead to other roots.
func edgesOf(p *Program, root types.Type) *edges {
	e := &edges{program: p, root: root, has: make(map[types.Type]bool), roots: make(map[types.Type]bool)}
	e.visit(root)
	clear(e.has) // what has been asked before all were known
	return e
}

// visit finds the edges that are in variables of type t.
func (e *edges) visit(t types.Type) {
	if e.visited.At(t) != nil {
		return
	}
	e.visited.Set(t, true)
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if named, ok := types.Unalias(t).(*types.Named); ok && !e.program.isOwn(named) {
			return
		}
		for f := range u.Fields() {
			e.visit(f.Type())
		}
	case *types.Array:
		e.visit(u.Elem())
	case *types.Pointer:
		if named, ok := types.Unalias(u.Elem()).(*types.Named); !e.rooted(u.Elem()) && (!ok || e.program.isOwn(named)) {
			e.add(t)
			e.visit(u.Elem())
		}
	case *types.Map:
		if !e.rooted(u.Key()) && !e.rooted(u.Elem()) {
			e.add(t)
			e.visit(u.Key())
			e.visit(u.Elem())
		}
	case *types.Slice:
		if e.visit(u.Elem()); !e.rooted(u.Elem()) && e.holds(u.Elem()) {
			e.add(t)
		}
	case *types.Interface:
		if !e.program.isClosed(t) {
			return
		}
		all := e.program.implementing(u)
		if len(all) > 0 && !slices.ContainsFunc(all, func(t types.Type) bool { return e.rooted(elem(t)) }) {
			e.add(t)
			for _, t := range all {
				if p, ok := t.Underlying().(*types.Pointer); ok {
					t = p.Elem()
				}
				e.visit(t)
			}
		}
	}
}

// isOwn reports whether a type may be a part of a structure: it is one of the program's own, or one
// of a container of the standard library.
func (p *Program) isOwn(named *types.Named) bool {
	pkg := named.Obj().Pkg()
	return pkg != nil && (p.cfg.Own(pkg) || strings.HasPrefix(pkg.Path(), "container/"))
}

func (e *edges) add(t types.Type) {
	if e.is.At(t) == nil {
		e.is.Set(t, true)
		e.list = append(e.list, t)
	}
}

// holds is in while edges are looked for: all that may be one counts.
func (e *edges) holds(t types.Type) bool {
	return code.HasPart(t, func(t types.Type) bool {
		switch t.Underlying().(type) {
		case *types.Pointer, *types.Map, *types.Slice, *types.Interface:
			return e.is.At(t) != nil
		}
		return false
	})
}

// in reports whether variables of type t are edges, or have some as parts.
func (e *edges) in(t types.Type) bool {
	is, known := e.has[t]
	if !known {
		is = code.HasPart(t, func(t types.Type) bool { return e.is.At(t) != nil })
		e.has[t] = is
	}
	return is
}

// rooted reports whether variables of type t have roots.
func (e *edges) rooted(t types.Type) bool {
	is, known := e.roots[t]
	if !known {
		is = code.HasPart(t, func(t types.Type) bool { return types.Identical(t, e.root) })
		e.roots[t] = is
	}
	return is
}

// elem returns the type to which a pointer leads; t itself for others.
func elem(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
