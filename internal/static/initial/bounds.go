package initial

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static/protection"
)

// bounds returns between which numbers package variables and fields are when goroutines have stacks. Those whose lock none of the goroutines may hold are
// where they are while nobody holds it.
func (v *Variables) bounds(stacks [][]ssa.Instruction) (list []fragment.Bound) {
	was := v.fields.stacks
	v.fields.stacks = nil // who makes variables here is asked below
	all := v.protection.Bounds(structs{v.fields})
	v.fields.stacks = was
	for i := range all {
		b := &all[i]
		if b.Set && slices.ContainsFunc(stacks, func(stack []ssa.Instruction) bool {
			return slices.ContainsFunc(stack, func(at ssa.Instruction) bool { return makesOne(at.Parent(), b.Struct) })
		}) {
			continue
		}
		is := b.Free
		if slices.ContainsFunc(stacks, func(stack []ssa.Instruction) bool { return v.protection.MayHold(b, stack) }) {
			is = b.Ever
		}
		if is.Least > is.Most {
			continue // there are none
		}
		list = append(list, fragment.Bound{
			Variable: b.Variable, Field: fragment.Field{Struct: b.Struct, Fields: b.Fields}, Range: fragment.Range{Least: is.Least, Most: is.Most},
		})
	}
	return list
}

// makesOne reports whether a function makes a variable with a struct.
func makesOne(fn *ssa.Function, strct types.Type) bool {
	return anyOf(fn, func(instr ssa.Instruction) bool {
		alloc, ok := instr.(*ssa.Alloc)
		return ok && code.HasPart(alloc.Type().Underlying().(*types.Pointer).Elem(), func(t types.Type) bool { return types.Identical(t, strct) })
	})
}

// structs are the protection.Structs of a program.
type structs struct{ fields *fields }

// Known implements [protection.Structs]. What package reflect or the machine may have a pointer to, they may write.
func (s structs) Known(strct types.Type) bool {
	name := s.fields.nameOf(strct)
	if name == "" || s.fields.isCopied(strct) {
		return false
	}
	objects, known := s.fields.objects[name]
	if !known {
		objects = s.fields.objectsOf(strct)
		s.fields.objects[name] = objects
	}
	for _, o := range objects {
		if o.Exposed {
			return false
		}
	}
	return true
}

// MadeWith implements [protection.Structs].
func (s structs) MadeWith(strct types.Type, path []int) bool {
	for _, at := range s.fields.order {
		if types.Identical(at.Struct, strct) && slices.Equal(at.Fields, path) {
			return s.fields.madeWith(at)
		}
	}
	return false
}

var _ protection.Structs = structs{}
