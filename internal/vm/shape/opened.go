package shape

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A structure that the program has made is opened: the pointers in it become inputs. Its objects
// are numbered like those that have been chosen, but keep their names, since events and maps have
// those. So the value of an input that leads to one is the code of its number, and the word in
// memory is an expression that has the code of the object in its place.

// An opening is what is found of a structure before its pointers become inputs.
type opening struct {
	*Heap
	g     *state.Goroutine
	next  int32 // number of the next object
	queue []*object
	cells []cell
	seen  map[heap.Location]bool // cells and elements of slices, which several slices may share
}

// A cell is one that has a pointer of the structure.
type cell struct {
	heap.Location
	elem   *code.Type
	name   string
	depth  int
	absent uint64 // the value that stands for what the program has made
}

// OpenObjects makes the pointers inputs that are in the variable of type t at a location, and in
// what they lead to. It returns false if the run is over.
func (h *Heap) OpenObjects(g *state.Goroutine, at heap.Location, t *code.Type, name string) bool {
	full := h.m.InputPrefix + name
	if i, ok := h.index[full]; ok {
		if h.vars[i].target == (heap.Word{P: at.Object, N: uint64(at.Offset)}) {
			return true
		}
		return h.m.Unsupported(g, fmt.Sprintf("sym.Open of two structures with the name %s", name))
	}
	if !whole(at.Object, at.Offset, t) {
		return h.m.Unsupported(g, fmt.Sprintf("sym.Open of what is no whole variable that the test has made: %s, of type %s", name, t))
	}
	x := h.m.Draw(name, code.Pointer)
	before := len(h.objects)
	first := int32(before) + 1
	if asked, _ := decode(x.N); h.m.Concrete && asked > 0 {
		first = asked // the objects keep the numbers that the plan has given them
	}
	o := &opening{Heap: h, g: g, next: first, seen: map[heap.Location]bool{}}
	o.found(at.Object, t, 0)
	for len(o.queue) > 0 {
		next := o.queue[0]
		o.queue = o.queue[1:]
		o.visit(heap.Location{Object: next.Object}, next.typ, fmt.Sprintf("&%d", next.number), next.depth+1)
	}
	f := &filling{Heap: h, g: g}
	v := variable{name: full, sym: x.Sym, index: len(h.vars), input: f.inputOf(full), elem: t, target: heap.Word{P: at.Object}}
	f.add(v)
	h.vars[v.index].chosen = true
	h.open--
	h.record(&v)
	h.m.Trace.Inputs[v.input].Type = "*" + t.String()
	if a := h.m.Arena; x.Sym != expr.None {
		h.m.AddCondition(g, a.Eq(x.Sym, a.Const(codeOf(first, 0), 64)), true, run.Assumed)
		h.excludeOpened(g, h.objects[before:])
	}
	for i := range h.objects[before:] {
		h.objects[before+i].before = len(h.vars)
	}
	for _, c := range o.cells {
		if h.m.Over {
			return false
		}
		f.depth = c.depth
		p := f.lead(c.name, "*"+c.elem.String(), variable{elem: c.elem, absent: c.absent})
		h.m.Heap.Store(c.Object, c.Offset, []heap.Word{p.Word}, []expr.ID{p.Sym})
	}
	for _, o := range h.objects[before:] {
		o.was = contentsOf(o)
	}
	return !h.m.Over && (!h.m.Concrete || h.settleConcrete(g))
}

// found returns the object of the structure that a variable is, to which a number of pointers lead one after the other.
func (o *opening) found(v *heap.Object, t *code.Type, depth int) *object {
	for _, known := range o.objects {
		if known.Object == v {
			return known
		}
	}
	found := &object{Object: v, typ: t, number: o.next, opened: true, first: len(o.vars), depth: depth}
	o.next++
	o.objects = append(o.objects, found)
	o.queue = append(o.queue, found)
	return found
}

// visit finds the pointers in a value of type t.
func (o *opening) visit(at heap.Location, t *code.Type, name string, depth int) {
	if named, ok := types.Unalias(t.Go).(*types.Named); ok && named.Obj().Pkg() != nil {
		switch pkg, what := named.Obj().Pkg().Path(), named.Obj().Name(); {
		case pkg == "sync/atomic" && what == "Pointer":
			o.pointer(at, o.m.Program.Type(named.TypeArgs().At(0)), name, depth)
			return
		case pkg == "sync" || pkg == "sync/atomic":
			return
		}
	}
	switch t.Shape {
	case code.ShapePointer:
		o.pointer(at, t.Elem, name, depth)
	case code.ShapeArray:
		if later(t.Elem) {
			o.visitAll(at, t.Elem, int(t.Len), name, depth)
		}
	case code.ShapeStruct:
		for i := range t.Fields {
			if f := &t.Fields[i]; f.Name != "_" {
				o.visit(heap.Location{Object: at.Object, Offset: at.Offset + f.Offset}, f.Type, name+"."+f.Name, depth)
			}
		}
	case code.ShapeSlice:
		if !later(t.Elem) || at.Object.ShadowAt(at.Offset, 2) != nil {
			return
		}
		if array := at.Object.Word(at.Offset); array.P != nil {
			o.visitAll(heap.Location{Object: array.P, Offset: int(array.N)}, t.Elem, int(at.Object.Word(at.Offset+1).N), name, depth)
		}
	}
}

// visitAll visits n elements of type t.
func (o *opening) visitAll(at heap.Location, t *code.Type, n int, name string, depth int) {
	for i := range n {
		o.visit(heap.Location{Object: at.Object, Offset: at.Offset + i*t.Words}, t, fmt.Sprintf("%s[%d]", name, i), depth)
	}
}

// pointer notes a cell that has a pointer, and the object to which it leads. A pointer that is an
// input already stays as it is, and so does one that leads to something else than a whole variable
// that a goroutine has made.
func (o *opening) pointer(at heap.Location, elem *code.Type, name string, depth int) {
	if o.seen[at] || at.Object.ShadowAt(at.Offset, 1) != nil {
		return
	}
	o.seen[at] = true
	to := at.Object.Word(at.Offset)
	c := cell{Location: at, elem: elem, name: name, depth: depth}
	switch {
	case to == heap.Word{} && elem.Size > 0:
	case to.P != nil && whole(to.P, int(to.N), elem):
		c.absent = codeOf(o.found(to.P, elem, depth).number, 0)
	default:
		o.m.AddBound(run.NoSite, "pointers that sym.Open leaves as the test has made them, since they lead to parts of variables or to package variables")
		return
	}
	o.cells = append(o.cells, c)
}

// whole reports whether a location is a whole variable of type t that a goroutine has made.
func whole(v *heap.Object, off int, t *code.Type) bool {
	return v.Kind == heap.Variable && off == 0 && v.Type == t && v.ID.Goroutine >= 0 && t.Size > 0
}

// excludeOpened adds to the path that the pointers that had been drawn before some objects were
// opened do not have their numbers, which are none of theirs: it records that as a bound.
func (h *Heap) excludeOpened(g *state.Goroutine, opened []*object) {
	a := h.m.Arena
	for i := range h.vars {
		v := &h.vars[i]
		if v.elem == nil || v.chosen {
			continue
		}
		for _, o := range opened {
			offsets := v.parts(o)
			if len(offsets) > 0 {
				h.m.AddBound(run.NoSite, "pointers in the input that do not lead to what sym.Open opens after them")
			}
			for _, off := range offsets {
				h.m.AddCondition(g, a.Not(a.Eq(v.sym, a.Const(codeOf(o.number, off), 64))), true, run.Assumed)
			}
		}
	}
}

// isOpened reports whether o is an object that has been opened.
func (h *Heap) isOpened(o *heap.Object) bool {
	return slices.ContainsFunc(h.objects, func(known *object) bool { return known.opened && known.Object == o })
}

// valueOf returns the value of an input that leads to a cell.
func (h *Heap) valueOf(to heap.Word) uint64 {
	if to.P != nil && to.P.ID.Goroutine != run.InputObjects {
		for _, o := range h.objects {
			if o.opened && o.Object == to.P {
				return codeOf(o.number, int(to.N))
			}
		}
		for _, list := range h.funcs { // a function has one number whatever the name of its type
			for _, o := range list {
				if o.Object == to.P {
					return codeOf(o.number, 0)
				}
			}
		}
	}
	return to.PointerCode()
}

// word returns the symbolic value of the word in memory of a variable: that of the input, or the
// code of an object that has been opened.
func (h *Heap) word(v *variable) expr.ID {
	x, a := v.sym, h.m.Arena
	if x == expr.None {
		return x
	}
	if v.isFunc() {
		for _, o := range h.functions(v.elem) {
			x = a.Ite(a.Eq(v.sym, a.Const(codeOf(o.number, 0), 64)), a.Const(heap.Word{P: o.Object}.PointerCode(), 64), x)
		}
	}
	for _, o := range h.objects {
		if !o.opened || !v.reaches(o) {
			continue
		}
		for _, off := range v.parts(o) {
			real := heap.Word{P: o.Object, N: uint64(off)}.PointerCode()
			x = a.Ite(a.Eq(v.sym, a.Const(codeOf(o.number, off), 64)), a.Const(real, 64), x)
		}
	}
	return x
}
