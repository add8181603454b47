package synchronisation

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// A Memory says which parts of memory are read in a slice: what is in all others has no influence on which operations there are. Parts are
// told apart by fields of structs, by types of elements and variables, and where an address is that of a variable, by that.
type Memory struct {
	fields   typeutil.Map // by the struct, map[int]bool
	elements typeutil.Map // of arrays and slices
	any      typeutil.Map // types of what is read through pointers that may lead anywhere
	maps     typeutil.Map
	globals  map[*ssa.Global]bool
	allocs   map[*ssa.Alloc]bool
	made     map[*ssa.Function]*typeutil.Map // by the function with the allocs, their types
	received typeutil.Map                    // types of elements of channels
	captured map[*ssa.FreeVar]bool
}

// Memory returns what the slice reads.
func (s *Slice) Memory() *Memory {
	m := &Memory{
		globals: make(map[*ssa.Global]bool), allocs: make(map[*ssa.Alloc]bool), made: make(map[*ssa.Function]*typeutil.Map),
		captured: make(map[*ssa.FreeVar]bool),
	}
	for addr := range s.read {
		m.read(s, addr, make(map[ssa.Value]bool))
	}
	for _, t := range s.receives {
		m.received.Set(underlying(t), true)
	}
	for v := range s.values {
		if fv, ok := v.(*ssa.FreeVar); ok {
			m.captured[fv] = true
		}
	}
	return m
}

// underlying returns a type by which parts are told apart: pointers are converted between types with the same underlying one.
func underlying(t types.Type) types.Type { return t.Underlying() }

// read adds what is read at an address, in the elements of a slice, or in a map.
func (m *Memory) read(s *Slice, addr ssa.Value, seen map[ssa.Value]bool) {
	if seen[addr] {
		return
	}
	seen[addr] = true
	switch t := addr.Type().Underlying().(type) {
	case *types.Slice:
		m.elements.Set(underlying(t.Elem()), true)
		return
	case *types.Map:
		m.maps.Set(t, true)
		return
	case *types.Pointer:
		m.pointed(s, addr, t, seen)
	default:
		// Of a type parameter or an unsafe pointer, it is not known what is there.
		m.any.Set(types.Typ[types.Invalid], true)
	}
}

func (m *Memory) pointed(s *Slice, addr ssa.Value, t *types.Pointer, seen map[ssa.Value]bool) {
	if unsafely(addr) {
		m.any.Set(types.Typ[types.Invalid], true)
		return
	}
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		of := underlying(a.X.Type().Underlying().(*types.Pointer).Elem())
		known, _ := m.fields.At(of).(map[int]bool)
		if known == nil {
			known = make(map[int]bool)
			m.fields.Set(of, known)
		}
		known[a.Field] = true
		return
	case *ssa.IndexAddr:
		m.elements.Set(underlying(t.Elem()), true)
		return
	case *ssa.Global:
		m.globals[a] = true
		return
	case *ssa.Alloc:
		m.allocs[a] = true
		fn := a.Parent()
		if m.made[fn] == nil {
			m.made[fn] = &typeutil.Map{}
		}
		m.made[fn].Set(underlying(t.Elem()), true)
		return
	case *ssa.FreeVar:
		if bound := s.closures[a.Parent()]; a.Parent().Parent() != nil && len(bound) > 0 {
			for i, fv := range a.Parent().FreeVars {
				if fv == a {
					for _, c := range bound {
						m.read(s, c.Bindings[i], seen)
					}
				}
			}
			return
		}
	case *ssa.Phi:
		for _, e := range a.Edges {
			m.read(s, e, seen)
		}
		return
	case *ssa.Const:
		return // nil
	}
	m.any.Set(underlying(t.Elem()), true)
	if at, ok := t.Elem().Underlying().(*types.Array); ok {
		m.elements.Set(underlying(at.Elem()), true) // of a slice that was converted
	}
}

// unsafely reports whether an address comes from an unsafe pointer, so that types do not say what is there.
func unsafely(addr ssa.Value) bool {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		case *ssa.ChangeType:
			addr = a.X
		case *ssa.Convert:
			b, ok := a.X.Type().Underlying().(*types.Basic)
			return ok && b.Kind() == types.UnsafePointer
		default:
			return false
		}
	}
}

// Everything reports whether it is not known what is read.
func (m *Memory) Everything() bool { return m.any.At(types.Typ[types.Invalid]) != nil }

// Field reports whether a field of a struct is read.
func (m *Memory) Field(of types.Type, field int) bool {
	known, _ := m.fields.At(underlying(of)).(map[int]bool)
	return known[field]
}

// Element reports whether elements of a type are read.
func (m *Memory) Element(t types.Type) bool { return m.elements.At(underlying(t)) != nil || m.Any(t) }

// Any reports whether parts of a type are read wherever they are.
func (m *Memory) Any(t types.Type) bool { return m.any.At(underlying(t)) != nil }

// Map reports whether maps of a type are read.
func (m *Memory) Map(t types.Type) bool { return m.maps.At(t.Underlying()) != nil }

// Received reports whether it matters what is received from channels with elements of a type.
func (m *Memory) Received(elem types.Type) bool { return m.received.At(underlying(elem)) != nil }

// Global reports whether a package variable is read as a whole.
func (m *Memory) Global(g *ssa.Global) bool { return m.globals[g] }

// Made reports whether a variable of a type is read as a whole that a function has made.
func (m *Memory) Made(by *ssa.Function, t types.Type) bool {
	of := m.made[by]
	return of != nil && of.At(underlying(t)) != nil
}

// Local reports whether a variable that is kept in registers is read.
func (m *Memory) Local(a *ssa.Alloc) bool { return m.allocs[a] }
