package shape

import (
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Choose implements state.InputHeap.
func (h *Heap) Choose(g *state.Goroutine, x expr.ID, v uint64) (value uint64, ok bool) {
	a := h.m.Arena
	if h.open == 0 {
		return v, true
	}
	chosen := false
	for _, part := range a.Vars(nil, x) {
		i, is := h.index[a.VarName(part)]
		if !is || h.vars[i].chosen {
			continue
		}
		h = h.own()
		if !h.choose(g, i) {
			return 0, false
		}
		chosen = true
	}
	if !chosen {
		return v, true
	}
	inputs := h.m.Trace.Inputs
	values := make(map[expr.ID]uint64, len(inputs))
	for i := range inputs {
		values[inputs[i].Sym] = inputs[i].Value
	}
	return a.Eval(x, func(v expr.ID) uint64 { return values[v] }), true
}

// choose chooses the variable with an index, which has not been chosen: it adds to the path condition
// what its value is, and makes what follows from it inputs: the fields of the object to which a pointer
// points if it is new, and the elements of a slice. It returns false if the run is over.
func (h *Heap) choose(g *state.Goroutine, i int) bool {
	if h.vars[i].slice != nil {
		return h.chooseLength(g, i)
	}
	return h.choosePointer(g, i)
}

// chooseLength is choose for the length of a slice.
func (h *Heap) chooseLength(g *state.Goroutine, i int) bool {
	v := h.vars[i]
	h.vars[i].chosen = true
	h.open--
	n := h.m.Trace.Inputs[v.input].Value
	h.m.Equate(g, v.sym, n)
	if !h.m.Over {
		f := &filling{Heap: h, g: g, depth: v.depth}
		f.elements(v.slice.Object, v.slice.elem, v.slice.name, int(n))
	}
	return !h.m.Over
}

// choosePointer is choose for a pointer.
func (h *Heap) choosePointer(g *state.Goroutine, i int) bool {
	m, a, v := h.m, h.m.Arena, &h.vars[i]
	open := v.object != nil && v.object.number == 0
	fresh := open && v.object.typ == v.elem
	h.narrow(v.elem)
	next := int32(len(h.objects)) + 1
	possible, kind := h.among(v), run.Check
	if h.allows(v) {
		possible = a.Or(possible, a.Eq(v.sym, a.Const(codeOf(next, 0), 64)))
		if !open || fresh || v.target.N == 0 { // into the beginning: see separate
			kind = run.Assumed
		}
	}
	if lost := open && kind == run.Check; !h.assume(g, possible, !lost, kind) || !h.separate(g, v) {
		return false
	}
	if fresh {
		v.object.first, v.object.before = i, len(h.vars)
		h.number(v.object, next)
	}
	v.chosen = true
	h.open--
	value := v.target.PointerCode()
	m.Equate(g, v.sym, value)
	if fresh && !m.Over && h.exclude(g, v.object) {
		h.fill(g, v.object, v.depth)
	}
	return !m.Over
}

// assume adds a condition to the path. If it does not hold, since the input has a pointer that cannot point where it does,
// the run ends. It returns false if the run is over.
func (h *Heap) assume(g *state.Goroutine, cond expr.ID, holds bool, kind run.ConditionKind) bool {
	m := h.m
	if m.AddCondition(g, cond, holds, kind); !holds && !m.Over {
		m.Trace.Skipped = true
		m.Stop(run.Finished, "")
	}
	return !m.Over
}

// among returns the condition that a pointer is nil or points to an object that has been chosen.
func (h *Heap) among(v *variable) expr.ID {
	a := h.m.Arena
	cond := a.Eq(v.sym, a.Const(0, 64))
	for _, o := range h.objects {
		for _, off := range parts(nil, o.typ, v.elem, 0) {
			if v.reaches(o) {
				cond = a.Or(cond, a.Eq(v.sym, a.Const(codeOf(o.number, off), 64)))
			}
		}
	}
	return cond
}

// separate adds to the path condition that a pointer, which is about to be chosen, does not have the value of one that was
// drawn before it and has not been chosen, to a type that begins with what the pointer points to: the values say that it
// points to the first field of an object, which would have to be chosen before it.
func (h *Heap) separate(g *state.Goroutine, v *variable) bool {
	a := h.m.Arena
	for i := range h.vars[:v.index] {
		w := &h.vars[i]
		if w.slice != nil || w.chosen || w.elem == v.elem || !slices.Contains(parts(nil, w.elem, v.elem, 0), 0) {
			continue
		}
		holds, kind := v.target.P == nil || w.target.P != v.target.P || v.target.N != 0, run.Assumed
		if !holds {
			kind = run.Check
		}
		cond := a.Or(a.Eq(v.sym, a.Const(0, 64)), a.Not(a.Eq(v.sym, w.sym)))
		if !h.assume(g, cond, holds, kind) {
			return false
		}
	}
	return true
}

// reaches reports whether a pointer can point to a part of an object that has been chosen. If
// the pointer was drawn before that, what it points to had to follow from its value in the plan and those of the
// pointers drawn before it: it did if one of these led to the object.
func (v *variable) reaches(o *object) bool {
	return v.elem == o.typ || v.index >= o.before || v.index > o.first
}

// exclude adds to the path condition that the pointers that have not been chosen do not point to what they
// cannot reach of an object that has just been chosen. If there are any, those that point to no part of it do not have its
// value either: it would not be clear of which object a part is meant.
func (h *Heap) exclude(g *state.Goroutine, o *object) bool {
	a := h.m.Arena
	if !slices.ContainsFunc(h.vars, func(v variable) bool {
		return v.slice == nil && !v.chosen && v.elem != o.typ && len(parts(nil, o.typ, v.elem, 0)) > 0
	}) {
		return true
	}
	for i := range h.vars {
		v := &h.vars[i]
		if v.slice != nil || v.chosen || v.elem == o.typ {
			continue
		}
		offsets := parts(nil, o.typ, v.elem, 0)
		if v.reaches(o) {
			if slices.Contains(offsets, 0) {
				continue
			}
			offsets = nil
		} else if len(offsets) > 0 {
			h.m.AddBound(run.NoSite, "pointers in the input that do not lead to parts of objects that are found later")
		}
		cond := a.Not(a.Eq(v.sym, a.Const(codeOf(o.number, 0), 64)))
		for _, off := range offsets {
			cond = a.And(cond, a.Not(a.Eq(v.sym, a.Const(codeOf(o.number, off), 64))))
		}
		holds, kind := v.target.P != o.Object || v.reaches(o), run.Assumed
		if !holds {
			kind = run.Check
		}
		if !h.assume(g, cond, holds, kind) {
			return false
		}
	}
	return true
}

// number gives an object its number, by which it is chosen.
func (h *Heap) number(o *object, n int32) {
	o.number = n
	o.ID.Count = n
	h.objects = append(h.objects, o)
	for i := range h.vars {
		if v := &h.vars[i]; v.object == o {
			h.record(v)
		}
	}
}

// allows reports whether a pointer can point to a new object. If it cannot, that is a bound of the
// search.
func (h *Heap) allows(v *variable) bool {
	n := 0
	for _, o := range h.objects {
		if o.typ == v.elem {
			n++
		}
	}
	switch m := h.m; {
	case m.MaxObjects > 0 && n >= m.MaxObjects:
		m.AddBound(run.NoSite, fmt.Sprintf("at most %d %s (-maxobjects)", n, plural(n, v.elem)))
	case m.MaxChain > 0 && v.depth > m.MaxChain:
		m.AddBound(run.NoSite, fmt.Sprintf("objects that at most %d pointers lead to, one after the other (-maxchain)", m.MaxChain))
	default:
		return true
	}
	return false
}

func plural(n int, t *code.Type) string {
	if n == 1 {
		return "object of type " + t.String()
	}
	return "objects of type " + t.String()
}

// narrow records to what else pointers to values of type t could point.
func (h *Heap) narrow(t *code.Type) {
	in := func(u *code.Type) bool { return len(parts(nil, u, t, 0)) > 0 }
	if slices.ContainsFunc(h.elems, in) {
		h.m.AddBound(run.NoSite, "pointers in the input that do not lead to elements of slices")
	}
	if slices.ContainsFunc(h.objects, func(o *object) bool { return o.typ != t && len(parts(nil, t, o.typ, 0)) > 0 }) {
		h.m.AddBound(run.NoSite, "objects of the input that are no part of an object that is found later")
	}
	if slices.ContainsFunc(h.m.Variables, func(o *heap.Object) bool {
		return o.Type != nil && (in(o.Type) || o.Type.Shape == code.ShapePointer && in(o.Type.Elem))
	}) {
		h.m.AddBound(run.NoSite, "pointers in the input that do not lead to package variables or what these point to")
	}
}

// parts appends to list the offsets at which a value of type in has parts of type t.
func parts(list []int, in, t *code.Type, off int) []int {
	if in == t {
		return append(list, off)
	}
	switch in.Shape {
	case code.ShapeStruct:
		for i := range in.Fields {
			f := &in.Fields[i]
			list = parts(list, f.Type, t, off+f.Offset)
		}
	case code.ShapeArray:
		if first := parts(nil, in.Elem, t, 0); len(first) > 0 {
			for i := range int(in.Len) {
				for _, p := range first {
					list = append(list, off+i*in.Elem.Words+p)
				}
			}
		}
	}
	return list
}

// resolve returns what a pointer to elements of type t points to whose value in the plan is raw. The
// object is not nil if it has not been chosen.
func (h *Heap) resolve(g *state.Goroutine, raw uint64, t *code.Type) (heap.Word, *object) {
	if raw == 0 {
		return heap.Word{}, nil
	}
	for _, o := range h.waiting {
		if o.raw == raw && o.typ == t {
			return heap.Word{P: o.Object}, o
		}
	}
	if number, off := decode(raw); number > 0 {
		has := func(o *object) bool { return slices.Contains(parts(nil, o.typ, t, 0), off) }
		for _, o := range h.objects {
			if o.number == number && has(o) {
				return heap.Word{P: o.Object, N: uint64(off)}, nil
			}
		}
		for _, o := range h.waiting {
			if o.number == 0 && o.raw == codeOf(number, 0) && has(o) {
				return heap.Word{P: o.Object, N: uint64(off)}, o
			}
		}
	}
	o := &object{typ: t, raw: raw}
	o.Object = h.m.NewInput(g, t, heap.Variable, 1, unchosen+int32(len(h.waiting)))
	if o.Object == nil {
		return heap.Word{}, nil
	}
	h.waiting = append(h.waiting, o)
	return heap.Word{P: o.Object}, o
}

// Settle implements state.InputHeap.
func (h *Heap) Settle(g *state.Goroutine) bool {
	if h.open == 0 || !h.shared(g) {
		return true
	}
	return h.own().settle(g)
}

// settle chooses all pointers, also those of objects that are chosen on the way.
func (h *Heap) settle(g *state.Goroutine) bool {
	for i := 0; i < len(h.vars); i++ {
		if !h.vars[i].chosen && !h.choose(g, i) {
			return false
		}
	}
	return true
}

// shared reports whether others than g can use the objects from now on: another goroutine lives that
// does not just wait for the test that g runs, or a timer may start one.
func (h *Heap) shared(g *state.Goroutine) bool {
	if len(h.m.Timers) > 0 {
		return true
	}
	for _, other := range h.m.Live {
		if other != g && !waitsForTest(other) {
			return true
		}
	}
	return false
}

// waitsForTest reports whether a goroutine waits in package testing until a test has ended that it
// has started.
func waitsForTest(g *state.Goroutine) bool {
	switch g.Top().Func.Name {
	case "testing.(*T).Run", "testing.runTests", "testing.runFuzzTests":
		return true
	}
	return false
}
