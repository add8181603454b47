package border

import (
	"fmt"
	"go/types"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/static/synchronisation"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A source has the words of a value.
type source interface {
	word(i int) (heap.Word, expr.ID, location)
	// needed reports whether a word may be read from there on. What a register has that is not needed can be anything.
	needed(i int) bool
}

// onStack has words on the stack of a goroutine, in registers of a frame.
type onStack struct {
	g     *state.Goroutine
	frame int
	first int
	need  []uint64 // the registers of the frame that are needed, nil if all are
}

func (s onStack) needed(i int) bool {
	r := s.first + i - int(s.g.Frames[s.frame].Base)
	return s.need == nil || s.need[r/64]>>(r%64)&1 != 0
}

func (s onStack) word(i int) (heap.Word, expr.ID, location) {
	sym := expr.None
	if s.g.Frames[s.frame].Symbolic {
		sym = s.g.Sym[s.first+i]
	}
	return s.g.Stack[s.first+i], sym, location{goroutine: s.g, frame: s.frame, offset: s.first + i}
}

// inObject has words in an object.
type inObject struct {
	object *heap.Object
	first  int
}

func (s inObject) needed(int) bool { return true }

func (s inObject) word(i int) (heap.Word, expr.ID, location) {
	sym := expr.None
	if s.object.Sym != nil {
		sym = s.object.Sym[s.first+i]
	}
	return s.object.Word(s.first + i), sym, location{object: s.object, offset: s.first + i}
}

// value reads a value of a type, whose words begin at base, and whose slots begin at a slot of a content.
func (w *walk) value(t *code.Type, base, slot int, content synchronisation.Content, from source, p path) {
	if w.out.Problem != "" || !content.ReadsAny(slot, code.Slots(t)) && !w.hasPrimitive(t) {
		return
	}
	switch t.Shape {
	case code.ShapeStruct:
		if primitive(t) {
			w.fixed(t, base, from, p)
			return
		}
		for i := range t.Fields {
			f := &t.Fields[i]
			w.value(f.Type, base+f.Offset, slot, content, from, p.step(cover.Step("."+f.Name)))
			slot += code.Slots(f.Type)
		}
	case code.ShapeArray:
		for i := range int(t.Len) {
			w.value(t.Elem, base+i*t.Elem.Words, slot, content, from, p.step(cover.Step(fmt.Sprintf("[%d]", i))))
		}
	case code.Scalar:
		if t.Words == 1 {
			w.scalar(t, base, from, p)
		}
	default:
		w.fixed(t, base, from, p)
	}
}

// scalar reads a number.
func (w *walk) scalar(t *code.Type, base int, from source, p path) {
	if !from.needed(base) {
		return
	}
	word, sym, at := from.word(base)
	k := t.Kind(0)
	if !k.Integer() && k != code.Bool || word.P != nil {
		w.fixed(t, base, from, p)
		return
	}
	name := p.String()
	for w.names[name] {
		name += "'"
	}
	w.names[name] = true
	if len(w.out.Cells) >= maxCells {
		w.problem("more than %d numbers may decide what synchronises, such as %s", maxCells, name)
		return
	}
	width := heap.KindWidth(k)
	w.note("(%d)", width)
	w.out.Cells = append(w.out.Cells, Cell{
		Input: cover.Input{Name: name, Width: width, Type: types.TypeString(t.Go.Underlying(), nil), Root: p.root, Steps: p.steps},
		Kind:  k, Value: word.Number(k), Sym: sym, at: at,
	})
}

// fixed reads a value that is part of the shape.
func (w *walk) fixed(t *code.Type, base int, from source, p path) {
	switch t.Shape {
	case code.ShapeString:
		if !from.needed(base) || !from.needed(base+1) {
			w.one(from, base, p)
			w.one(from, base+1, p.step("len"))
			return
		}
		text, sym, _ := from.word(base)
		length, lengthSym, _ := from.word(base + 1)
		if !w.Concrete && (sym != expr.None || lengthSym != expr.None || text.P != nil && text.P.Sym != nil && text.P.ShadowAt(int(text.N), int(length.N)) != nil) {
			w.problem("the string %s depends on inputs", p)
			return
		}
		w.note("%q ", heap.StringAt(text, int(length.N)))
	case code.ShapeStruct:
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Name == "checker" && isCond(t) && !w.memory.CopiesConditions() {
				continue
			}
			w.fixed(f.Type, base+f.Offset, from, p.step(cover.Step("."+f.Name)))
		}
	case code.ShapeArray:
		for i := range int(t.Len) {
			w.fixed(t.Elem, base+i*t.Elem.Words, from, p.step(cover.Step(fmt.Sprintf("[%d]", i))))
		}
	case code.ShapeSlice:
		w.one(from, base, p)
		w.one(from, base+1, p.step("len"))
		w.one(from, base+2, p.unnamed("cap"))
	default:
		for i := range t.Words {
			w.one(from, base+i, p)
		}
	}
}

// isCond reports whether a type is sync.Cond. Its part checker is its own address from its first
// use on, so that it panics when it is used after it has been copied.
func isCond(t *code.Type) bool {
	named, ok := t.Go.(*types.Named)
	return ok && named.Obj().Name() == "Cond" && primitive(t)
}

// one reads a word that is part of the shape.
func (w *walk) one(from source, i int, p path) {
	if !from.needed(i) {
		return
	}
	word, sym, _ := from.word(i)
	if sym != expr.None && !w.Concrete {
		w.problem("%s depends on inputs", p)
		return
	}
	if word.P != nil {
		w.pointer(word, p)
		return
	}
	w.note("%d ", word.N)
}

// words reads words of which only that is known that they may matter.
func (w *walk) words(list []heap.Word, syms []expr.ID, p path) {
	for i, word := range list {
		if len(syms) > i && syms[i] != expr.None && !w.Concrete {
			w.problem("%s depends on inputs", p)
			return
		}
		if word.P != nil {
			w.pointer(word, p)
		} else {
			w.note("%d ", word.N)
		}
	}
}

// pointer reads a pointer: what it points to is reached.
func (w *walk) pointer(word heap.Word, p path) {
	o := word.P
	switch {
	case o == nil:
		w.note("nil ")
		return
	case o == w.vm.ZeroSized:
		w.note("empty ")
		return
	case o.Kind == heap.TypeObject:
		if o.Desc != nil {
			w.note("type %s ", o.Desc.Go)
		}
		return
	case o.Kind == heap.ViewObject, o.Kind == heap.WeakObject, o.Kind == heap.IteratorObject:
		w.problem("%s leads to what cannot be described", p)
		return
	}
	n, known := w.numbers[o]
	if !known {
		if n = len(w.numbers); n >= maxObjects {
			w.problem("more than %d objects may decide what synchronises", maxObjects)
			return
		}
		w.numbers[o] = n
		to := p.deref()
		if o.Kind == heap.Array {
			to = p // elements are steps from a slice
			to.variable = false
		}
		if word.N != 0 {
			to = p.unnamed("…") // it leads to a part
		}
		if v := w.globalOf[o]; v != nil {
			to = globalPath(v.of)
			to.variable = false
		}
		w.queue = append(w.queue, reached{o, to})
	}
	w.note("#%d+%d ", n, word.N)
}

// hasPrimitive reports whether a value of a type has a part with which goroutines synchronise.
func (r *Reader) hasPrimitive(t *code.Type) bool {
	is, known := r.primitives[t]
	if known {
		return is
	}
	switch t.Shape {
	case code.ShapeStruct:
		is = primitive(t)
		for i := range t.Fields {
			is = is || r.hasPrimitive(t.Fields[i].Type)
		}
	case code.ShapeArray:
		is = r.hasPrimitive(t.Elem)
	}
	r.primitives[t] = is
	return is
}

// primitive reports whether a type is one of package sync.
func primitive(t *code.Type) bool {
	named, ok := types.Unalias(t.Go).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	switch named.Obj().Pkg().Path() {
	case "sync", "internal/sync":
		return true
	}
	return false
}
