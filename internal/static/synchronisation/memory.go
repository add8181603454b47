package synchronisation

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/everyway-go/everyway/internal/static/pointsto"
)

// A Memory says which parts of memory are read in a slice with borders: what is in all others has
// no influence on which operations there are, and what is in these follows from the slice.
// Variables are told apart by the instructions that make them.
type Memory struct {
	pointers *pointsto.Result
	parts    *pointsto.Parts
	unknown  ssa.Value
	values   map[ssa.Value]bool
	boxes    map[*ssa.Function]*typeutil.Map // by the function that makes an interface and the type of what is in it: whether the slice reads that
	received typeutil.Map                    // types of elements of channels
	copied   bool                            // a condition variable may be
}

// Memory returns what the slice reads, which is one with borders.
func (s *Slice) Memory() *Memory {
	m := &Memory{pointers: s.pointers, parts: s.parts, unknown: s.unknown, values: s.values, boxes: make(map[*ssa.Function]*typeutil.Map)}
	initial := s.initial()
	for _, n := range s.ops.calls.Nodes {
		if n.Body == nil || !initial(n.Body) {
			continue
		}
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				m.copied = m.copied || copiesCond(instr)
				box, ok := instr.(*ssa.MakeInterface)
				if !ok {
					continue
				}
				if m.boxes[n.Body] == nil {
					m.boxes[n.Body] = &typeutil.Map{}
				}
				t := box.X.Type().Underlying()
				m.boxes[n.Body].Set(t, m.boxes[n.Body].At(t) == true || s.values[box])
			}
		}
	}
	for _, t := range s.receives {
		m.received.Set(t.Underlying(), true)
	}
	return m
}

// copiesCond reports whether an instruction may copy a condition variable: it loads one, or copies
// elements that have one.
func copiesCond(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op == token.MUL && hasCond(instr.Type())
	case ssa.CallInstruction:
		if b, ok := instr.Common().Value.(*ssa.Builtin); !ok || b.Name() != "copy" && b.Name() != "append" {
			return false
		}
		t, ok := instr.Common().Args[0].Type().Underlying().(*types.Slice)
		return ok && hasCond(t.Elem())
	}
	return false
}

// hasCond reports whether a value of a type has a condition variable in it.
func hasCond(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			// A type may be made of sync.Cond, and has its fields then.
			if f.Name() == "checker" && f.Pkg() != nil && f.Pkg().Path() == "sync" || hasCond(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return hasCond(t.Elem())
	}
	return false
}

// CopiesConditions reports whether the program may copy a condition variable. If it does not, it
// makes no difference whether one has been used.
func (m *Memory) CopiesConditions() bool { return m.copied }

// Unknown returns an address that the slice reads of which it is not known where it leads, nil if there is none.
func (m *Memory) Unknown() ssa.Value { return m.unknown }

// Received reports whether it matters what is received from channels with elements of a type.
func (m *Memory) Received(elem types.Type) bool { return m.received.At(elem.Underlying()) != nil }

// A Content says which slots of a variable are read: as package code counts them, those of the
// elements of an array being one.
type Content struct {
	parts   *pointsto.Parts
	objects []*pointsto.Object
	all     bool
}

// All is a content of which all slots are read.
func All() Content { return Content{all: true} }

// Reads reports whether a slot is read.
func (c Content) Reads(slot int) bool {
	if c.all {
		return true
	}
	for _, o := range c.objects {
		if c.parts.Has(o, slot) {
			return true
		}
	}
	return false
}

// ReadsAny reports whether one of n slots is read.
func (c Content) ReadsAny(slot, n int) bool {
	for i := range n {
		if c.Reads(slot + i) {
			return true
		}
	}
	return false
}

// Variable returns what is read of a package variable. It is false if no code refers to the variable.
func (m *Memory) Variable(g *ssa.Global) (Content, bool) {
	o := m.pointers.Variable(g)
	if o == nil {
		return Content{}, false
	}
	return Content{parts: m.parts, objects: []*pointsto.Object{o}}, true
}

// At returns what is read of the variables, the elements of the arrays, or the maps that an
// instruction makes. It is false if it makes none.
func (m *Memory) At(instr ssa.Instruction) (Content, bool) {
	if box, ok := instr.(*ssa.MakeInterface); ok && m.values[box] {
		return All(), true
	} else if ok {
		return Content{}, true
	}
	list := m.parts.At(instr)
	return Content{parts: m.parts, objects: list}, len(list) > 0
}

// Made is At for what a function has made before the program begins, of a type or with elements of it.
func (m *Memory) Made(by *ssa.Function, t types.Type) (Content, bool) {
	list := m.parts.Made(by, t)
	if of := m.boxes[by]; of != nil {
		switch of.At(t.Underlying()) {
		case true:
			return All(), true
		case false:
			return Content{parts: m.parts, objects: list}, true
		}
	}
	return Content{parts: m.parts, objects: list}, len(list) > 0
}
