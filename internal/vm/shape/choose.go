package shape

import (
	"fmt"
	"math/bits"
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
	defer func(before bool) { h.choosing = before }(h.choosing)
	h.choosing = true
	switch v := &h.vars[i]; {
	case v.slice != nil:
		return h.chooseLength(g, i)
	case v.iface != nil:
		return h.chooseType(g, i)
	case v.number:
		return h.chooseNumber(g, i)
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
		f := &filling{Heap: h, g: g, depth: v.depth, slices: v.slice.slices, edge: v.slice.edge}
		f.elements(v.slice.Object, v.slice.elem, v.slice.name, int(n), v.slice.region)
	}
	return !h.m.Over
}

// chooseNumber is choose for a number.
func (h *Heap) chooseNumber(g *state.Goroutine, i int) bool {
	v := &h.vars[i]
	v.chosen = true
	h.open--
	h.m.Equate(g, v.sym, h.m.Trace.Inputs[v.input].Value)
	return !h.m.Over
}

// choosePointer is choose for a pointer, a map, a channel or a function.
func (h *Heap) choosePointer(g *state.Goroutine, i int) bool {
	m, a := h.m, h.m.Arena
	if !h.chooseAround(g, i) || !h.keepApart(g, i) {
		return false
	}
	v := &h.vars[i]
	fresh := v.object != nil && v.object.number == 0
	if !v.ref {
		h.noteParts(v.elem)
	}
	next := int32(len(h.objects)) + 1
	known := h.among(v)
	if h.allows(v) {
		m.AddCondition(g, a.Or(known, a.Eq(v.sym, a.Const(codeOf(next, 0), 64))), true, run.Assumed)
	} else if !h.check(g, known, !fresh) {
		return false
	}
	if m.Over {
		return false
	}
	if fresh {
		v.object.first, v.object.before = i, len(h.vars)
		h.number(v.object, next)
	}
	v.chosen = true
	h.open--
	if v.isFunc() && v.target.P != nil {
		h.noteFunctions(v.elem)
	}
	value := h.valueOf(v.target)
	m.Equate(g, v.sym, value)
	if !fresh && !m.Over && !h.leadBack(g, i) {
		return false
	}
	if fresh && !m.Over && h.exclude(g, v.object) {
		h.fill(g, v.object, v.depth)
	}
	if to := v.target.P; !fresh && to != nil && v.lock.typ != nil && !m.Over {
		// No two structs have the same condition.
		if at := to.Word(int(v.target.N) + LockerOf(v.elem) + 1); at.P != v.lock.at.Object || int(at.N) != v.lock.at.Offset {
			h.reject()
		}
	}
	if v.done != nil && v.target.P != nil && !m.Over {
		h.knowDone(g, v.done, v.target.P)
	}
	return !m.Over
}

// check adds to the path whether a condition holds. If it does not, there is no such input, and the
// run ends. It returns false if the run is over.
func (h *Heap) check(g *state.Goroutine, cond expr.ID, holds bool) bool {
	m := h.m
	if m.AddCondition(g, cond, holds, run.Check); !holds && !m.Over {
		m.Trace.Skipped = true
		m.Stop(run.Finished, "")
	}
	return !m.Over
}

// chooseAround branches on whether a pointer that is about to be chosen leads to a part of an object to which one
// leads that was drawn before it and has not been chosen. If it does, that one is chosen first.
func (h *Heap) chooseAround(g *state.Goroutine, i int) bool {
	a, v := h.m.Arena, h.vars[i]
	around := func(elem *code.Type) bool { return elem != v.elem && len(parts(nil, elem, v.elem, 0)) > 0 }
	if !v.ref && !h.chooseTypes(g, i, around) {
		return false
	}
	for k := range i {
		w := h.vars[k]
		if v.ref || w.elem == nil || w.ref || w.chosen || w.elem == v.elem {
			continue
		}
		for _, off := range parts(nil, w.elem, v.elem, 0) {
			into := a.Eq(v.sym, a.Add(w.sym, a.Const(codeOf(0, off), 64)))
			whole := a.And(a.Not(a.Eq(w.sym, a.Const(0, 64))), a.Ult(w.sym, a.Const(codeOf(0, 1), 64)))
			leads := w.target.P != nil && w.target.N == 0 && v.target == heap.Word{P: w.target.P, N: uint64(off)}
			h.m.AddCondition(g, a.And(whole, into), leads, run.Check)
			if h.m.Over {
				return false
			}
			if leads {
				return h.choosePointer(g, k) && h.chooseAround(g, i)
			}
		}
	}
	return true
}

// among returns the condition that a pointer is nil or points to an object that has been chosen.
func (h *Heap) among(v *variable) expr.ID {
	a := h.m.Arena
	cond := a.Eq(v.sym, a.Const(0, 64))
	if v.isFunc() {
		for _, o := range h.functions(v.elem) {
			cond = a.Or(cond, a.Eq(v.sym, a.Const(codeOf(o.number, 0), 64)))
		}
	}
	for _, o := range h.objects {
		for _, off := range v.parts(o) {
			if v.reaches(o) {
				cond = a.Or(cond, a.Eq(v.sym, a.Const(codeOf(o.number, off), 64)))
			}
		}
	}
	return cond
}

// reaches reports whether a pointer can point to a part of an object that has been chosen. If the
// pointer was drawn before that, what it points to had to follow from its value in the plan and
// those of the pointers drawn before it: it did if one of these led to the object. One that has
// been opened since then is none of the input.
func (v *variable) reaches(o *object) bool {
	if o.opened {
		return v.index >= o.before
	}
	return v.isOf(o) || v.index >= o.before || v.index > o.first
}

// exclude adds to the path condition that the pointers that have not been chosen do not point to
// what they cannot reach of an object that has just been chosen. If there are any, those that point
// to no part of it do not have its value either: it would not be clear of which object a part is
// meant.
func (h *Heap) exclude(g *state.Goroutine, o *object) bool {
	a := h.m.Arena
	inside := func(elem *code.Type) bool { return elem != o.typ && len(parts(nil, o.typ, elem, 0)) > 0 }
	if !o.ref && !h.chooseTypes(g, len(h.vars), inside) {
		return false
	}
	if !slices.ContainsFunc(h.vars, func(v variable) bool {
		return v.elem != nil && !v.chosen && !v.isOf(o) && len(v.parts(o)) > 0
	}) {
		return true
	}
	for i := range h.vars {
		v := &h.vars[i]
		if v.elem == nil || v.chosen || v.isOf(o) {
			continue
		}
		offsets := v.parts(o)
		if v.reaches(o) {
			if slices.Contains(offsets, 0) {
				continue
			}
			offsets = nil
		} else if len(offsets) > 0 {
			h.m.AddBound(run.NoSite, "pointers in the input that do not lead to parts of objects that are found later")
		}
		if !slices.Contains(offsets, 0) {
			h.m.AddCondition(g, a.Not(a.Eq(v.sym, a.Const(codeOf(o.number, 0), 64))), true, run.Assumed)
		}
		if len(offsets) == 0 {
			continue
		}
		cond := a.Bool(true)
		for _, off := range offsets {
			cond = a.And(cond, a.Not(a.Eq(v.sym, a.Const(codeOf(o.number, off), 64))))
		}
		// If a pointer to the whole was drawn before it that may still lead to the object, it could
		// have led into the object when it was drawn. Then there are runs on both sides.
		if slices.ContainsFunc(h.vars[:i], func(w variable) bool { return w.elem == o.typ && !w.ref && !w.chosen && !h.knownNil(&w) }) {
			if !h.check(g, cond, v.target.P != o.Object) {
				return false
			}
			continue
		}
		h.m.AddCondition(g, cond, true, run.Assumed)
	}
	return !h.m.Over
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
// search, unless there is no other object.
func (h *Heap) allows(v *variable) bool {
	n := 0
	for _, o := range h.objects {
		if !v.isOf(o) {
			continue
		}
		if o.region == v.region && v.pointers.IsSingle(v.region) {
			return false // it is this one
		}
		n++
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

// isOf reports whether the variable can lead to the whole of o. Maps and channels of several types can be the same.
func (v *variable) isOf(o *object) bool {
	return v.ref == o.ref && (v.elem == o.typ || v.ref && alike(v.elem, o.typ))
}

// parts returns the offsets at which o has parts to which the variable can lead. No two functions are the same.
func (v *variable) parts(o *object) []int {
	switch {
	case !v.ref && !o.ref:
		if !v.pointers.May(v.region, o.region, v.elem == o.typ) {
			return nil
		}
		return parts(nil, o.typ, v.elem, 0)
	case v.isOf(o) && v.elem.Shape != code.ShapeFunc && v.pointers.May(v.region, o.region, true):
		return []int{0}
	}
	return nil
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

// resolve returns to what a variable leads whose value in the plan is raw. The
// object is not nil if it has not been chosen.
func (h *Heap) resolve(g *state.Goroutine, raw uint64, v *variable) (heap.Word, *object) {
	if raw == 0 {
		return heap.Word{}, nil
	}
	if v.isFunc() {
		for _, o := range h.functions(v.elem) {
			if raw == codeOf(o.number, 0) {
				return heap.Word{P: o.Object}, nil
			}
		}
	}
	for _, o := range h.objects {
		if number, off := decode(raw); o.opened && o.number == number && slices.Contains(v.parts(o), off) {
			return heap.Word{P: o.Object, N: uint64(off)}, nil
		}
	}
	for _, o := range h.waiting {
		if o.raw == raw && v.isOf(o) && len(v.parts(o)) > 0 {
			return heap.Word{P: o.Object}, o
		}
	}
	if id, off := heap.Pointee(raw); id.Goroutine == run.InputObjects {
		leads := func(o *object) bool { return slices.Contains(v.parts(o), off) }
		for _, o := range h.objects {
			if o.number == id.Count && leads(o) {
				return heap.Word{P: o.Object, N: uint64(off)}, nil
			}
		}
		for _, o := range h.waiting {
			if o.number == 0 && o.raw == codeOf(id.Count, 0) && leads(o) {
				return heap.Word{P: o.Object, N: uint64(off)}, o
			}
		}
	}
	o := &object{typ: v.elem, ref: v.ref, raw: raw, region: v.region}
	o.Object = h.newObject(g, o, unchosen+int32(len(h.waiting)))
	if o.Object == nil {
		return heap.Word{}, nil
	}
	h.waiting = append(h.waiting, o)
	return heap.Word{P: o.Object}, o
}

// Settle implements state.InputHeap.
func (h *Heap) Settle(g *state.Goroutine) bool {
	if h.open == 0 || !h.shared() {
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

// shared reports whether several goroutines can use the objects from now on: they live, and do not
// just wait for a test or for the goroutines that a context has, or a timer may start one.
func (h *Heap) shared() bool {
	if len(h.m.Timers) > 0 {
		return true
	}
	users := 0
	for _, g := range h.m.Live {
		if len(g.Frames) > 0 && !waitsForTest(g) {
			users++
		}
	}
	return users > 1
}

// waitsForTest reports whether a goroutine waits in package testing until a test has ended that it
// has started.
func waitsForTest(g *state.Goroutine) bool {
	switch g.Top().Func.Name {
	case "testing.(*T).Run", "testing.runTests", "testing.runFuzzTests", "testing.everywayContext":
		return true
	}
	return false
}

// keepApart adds to the path that a pointer which is about to be chosen does not join two
// structures. It returns false if the run is over, as it is if the pointer does: there is no such
// input.
func (h *Heap) keepApart(g *state.Goroutine, i int) bool {
	v := &h.vars[i]
	if v.edge.structures == 0 {
		return true
	}
	a := h.m.Arena
	cond, joined := expr.None, false
	for _, o := range h.objects {
		if !h.joins(v, o.Object) {
			continue
		}
		joined = joined || v.target.P == o.Object
		for _, off := range v.parts(o) {
			not := a.Not(a.Eq(v.sym, a.Const(codeOf(o.number, off), 64)))
			if cond != expr.None {
				not = a.And(cond, not)
			}
			cond = not
		}
	}
	switch {
	case cond == expr.None:
		return true
	case joined:
		return h.check(g, cond, false)
	}
	h.m.AddCondition(g, cond, true, run.Assumed)
	return !h.m.Over
}

// joins reports whether two structures would have a part in common if a variable led to an object.
func (h *Heap) joins(v *variable, to *heap.Object) bool {
	for left := v.edge.structures; left != 0; left &= left - 1 {
		bit := bits.TrailingZeros64(left)
		if a := h.rootOf(v.edge.from, bit); a != nil {
			if b := h.rootOf(to, bit); b != nil && a != b {
				return true
			}
		}
	}
	return false
}

// rootOf returns the object with a root of a structure to which edges lead from an object, in
// either direction. It is nil if there is none.
func (h *Heap) rootOf(o *heap.Object, bit int) *heap.Object {
	root := h.m.Structures[bit]
	reached := []*heap.Object{o}
	seen := map[*heap.Object]bool{o: true}
	for i := 0; i < len(reached); i++ {
		at := reached[i]
		for _, known := range h.objects {
			if known.Object == at && !known.ref && contains(known.typ, func(t *code.Type) bool { return t == root }) {
				return at
			}
		}
		for k := range h.vars {
			w := &h.vars[k]
			if !w.chosen || w.target.P == nil || w.edge.structures&(1<<bit) == 0 {
				continue
			}
			for _, next := range []*heap.Object{w.edge.from, w.target.P} {
				if (w.edge.from == at || w.target.P == at) && !seen[next] {
					seen[next] = true
					reached = append(reached, next)
				}
			}
		}
	}
	return nil
}
