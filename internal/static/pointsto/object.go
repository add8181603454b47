package pointsto

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// An Object is what pointers point to.
type Object struct {
	Kind Kind
	// Type is that of the variable; for Map and Chan the type of the map or channel, for Box the type of the
	// value in the interface.
	Type types.Type
	// Instr makes the object; nil for package variables, functions, and what the machine makes.
	Instr  ssa.Instruction
	Global *ssa.Global     // for Variable, a package variable
	Func   *callgraph.Node // for Func
	// Exposed says that package reflect, code with package unsafe or the machine may have a pointer to the object.
	Exposed bool

	id     int
	base   int32 // its first slot
	typ    int32 // for Box, the number of its type (see implementations)
	layout *layout
}

// A Kind says what an object is.
type Kind uint8

// The kinds of objects.
const (
	Variable Kind = iota // of new or &T{}, a local variable that lives on, a package variable
	Array                // of a slice
	Map
	Chan
	Func
	Box     // the copy of a value that is in an interface
	Unknown // of the machine, or of another type than a pointer to it says
)

var kinds = [...]string{"variable", "array", "map", "chan", "func", "box", "unknown"}

func (k Kind) String() string { return kinds[k] }

// A Label is a part of an object: what a pointer may point to.
type Label struct {
	*Object
	Slot int // of the object, from 0
}

// Path returns the fields that lead to the part, as ".mu.state"; empty for the whole object.
func (l Label) Path() string {
	if l.Slot == 0 || l.Kind == Map || l.Kind == Chan {
		return ""
	}
	return path(l.Type, l.Slot)
}

// path returns the fields of a type that lead to a slot.
func path(t types.Type, slot int) string {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return "[]" + path(u.Elem(), slot)
	case *types.Struct:
		at := 0
		l := newLayouts()
		for f := range u.Fields() {
			n := len(l.of(f.Type()).slots)
			if slot < at+n {
				return "." + f.Name() + path(f.Type(), slot-at)
			}
			at += n
		}
	}
	return ""
}

func (o *Object) String() string {
	switch {
	case o.Global != nil:
		return o.Global.String()
	case o.Func != nil:
		return o.Func.Name
	case o.Instr != nil:
		pos := o.Instr.Parent().Prog.Fset.Position(o.Instr.Pos())
		name := pos.Filename[strings.LastIndexByte(pos.Filename, '/')+1:]
		at := fmt.Sprintf("%s:%d", name, pos.Line)
		if !pos.IsValid() {
			at = o.Instr.Parent().String()
		}
		return fmt.Sprintf("%s %s at %s", o.Kind, types.TypeString(o.Type, (*types.Package).Name), at)
	}
	return fmt.Sprintf("%s %s", o.Kind, types.TypeString(o.Type, (*types.Package).Name))
}

func (l Label) String() string {
	if p := l.Path(); p != "" {
		return l.Object.String() + " " + p
	}
	return l.Object.String()
}

// label returns the label of a slot.
func (s *solver) label(slot int32) Label {
	o := s.objects[s.owner[slot]]
	return Label{o, int(slot - o.base)}
}

// object returns the object of a slot.
func (s *solver) object(slot int32) *Object { return s.objects[s.owner[slot]] }

// newObject makes an object that has the slots of a type.
func (s *solver) newObject(o *Object, content types.Type) *Object {
	o.id = len(s.objects)
	if o.Kind == Box {
		o.typ = s.implement.number(o.Type)
	}
	o.layout = s.layouts.of(content)
	o.base = s.slots(o.Kind, len(o.layout.slots))
	for i := range o.layout.slots {
		s.owner[int(o.base)+i] = int32(o.id)
	}
	s.objects = append(s.objects, o)
	return o
}

// A pool has nodes for the slots of objects that are alike.
type pool struct{ next, end int32 }

// A poolKey says which objects are alike: those of a kind, and of those the ones that have one slot.
type poolKey struct {
	kind  Kind
	small bool
}

// poolSize is how many nodes a pool takes at a time.
const poolSize = 1 << 10

// slots returns the first of n new nodes for the slots of an object. What is in one set is mostly
// alike, as are the interface values of a type parameter or the functions with a signature: their
// numbers are near each other, so that sets have fewer words.
func (s *solver) slots(kind Kind, n int) int32 {
	key := poolKey{kind, n == 1}
	p := s.pools[key]
	if int(p.end-p.next) < n {
		size := max(poolSize, n)
		p.next = s.nodes(size)
		p.end = p.next + int32(size)
	}
	first := p.next
	p.next += int32(n)
	s.pools[key] = p
	return first
}
