package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// A layout says which slots a variable of a type has.
type layout struct {
	slots  []types.Type // their types, which are no structs or arrays
	fields []int32      // of a struct: the first slot of each field
	starts [][]int32    // by slot, the numbers of the types of the parts that begin there, outer ones first
	points bool         // some slot may hold a pointer
}

// maxSlots bounds the slots of a type. What comes after shares the last one.
const maxSlots = 1 << 12

// layouts remembers the layouts of types.
type layouts struct {
	known  map[types.Type]*layout
	byType typeutil.Map // to *layout, by identical types

	numbers    map[types.Type]int32
	numberings typeutil.Map // to int32, by identical underlying types
}

func newLayouts() *layouts {
	l := &layouts{known: make(map[types.Type]*layout), numbers: make(map[types.Type]int32)}
	hasher := typeutil.MakeHasher()
	l.byType.SetHasher(hasher)
	l.numberings.SetHasher(hasher)
	return l
}

// number returns a number for a type, which is that of all types with an identical underlying type.
func (l *layouts) number(t types.Type) int32 {
	if n, ok := l.numbers[t]; ok {
		return n
	}
	n, ok := l.numberings.At(t.Underlying()).(int32)
	if !ok {
		n = int32(l.numberings.Len())
		l.numberings.Set(t.Underlying(), n)
	}
	l.numbers[t] = n
	return n
}

// of returns the layout of a type.
func (l *layouts) of(t types.Type) *layout {
	if at, ok := l.known[t]; ok {
		return at
	}
	at, ok := l.byType.At(t).(*layout)
	if !ok {
		at = l.make(t)
		l.byType.Set(t, at)
	}
	l.known[t] = at
	return at
}

func (l *layouts) make(t types.Type) *layout {
	at := &layout{}
	add := func(t types.Type) {
		part := l.of(t)
		at.fields = append(at.fields, int32(min(len(at.slots), maxSlots-1)))
		for i, s := range part.slots {
			if len(at.slots) == maxSlots {
				break
			}
			at.slots = append(at.slots, s)
			at.starts = append(at.starts, part.starts[i])
		}
		at.points = at.points || part.points
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			add(f.Type())
		}
	case *types.Tuple:
		for v := range u.Variables() {
			add(v.Type())
		}
	case *types.Array:
		add(u.Elem())
	}
	if len(at.slots) == 0 {
		at.slots = []types.Type{t}
		at.starts = [][]int32{nil}
		at.points = holdsPointer(t)
	}
	at.starts[0] = append([]int32{l.number(t)}, at.starts[0]...)
	return at
}

// holdsPointer reports whether a slot of a type may hold a pointer.
func holdsPointer(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	}
	return false
}

// field returns the first slot of a field.
func (l *layouts) field(t types.Type, i int) int32 { return l.of(t).fields[i] }

// elem returns the type that a pointer, slice or channel points to.
func elem(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return u.Elem()
	case *types.Slice:
		return u.Elem()
	case *types.Chan:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	}
	return nil
}

// content returns what the object has to which a value of type t points.
func content(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Map:
		return types.NewTuple(types.NewParam(0, nil, "", u.Key()), types.NewParam(0, nil, "", u.Elem()))
	case *types.Signature, *types.Interface, *types.Basic:
		return nil
	}
	return elem(t)
}
