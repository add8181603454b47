package shape

import (
	"go/types"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// noteParts records that a pointer to a value of type t, which is being chosen, cannot lead to an
// object that has been found before it as a part of one.
func (h *Heap) noteParts(t *code.Type) {
	if slices.ContainsFunc(h.objects, func(o *object) bool { return o.typ != t && !o.ref && !o.opened && len(parts(nil, t, o.typ, 0)) > 0 }) {
		h.m.AddBound(run.NoSite, "objects of the input that are no part of an object that is found later")
	}
}

// narrow records to what else the variables could lead that the run has used or compared. That is
// known at its end only, when all slices have been drawn and all package variables are known to
// which the code refers.
func (h *Heap) narrow() {
	var done []variable // one of each type
	for i := range h.vars {
		v := &h.vars[i]
		if v.elem == nil || v.ref && v.elem.Shape == code.ShapeFunc ||
			slices.ContainsFunc(done, func(w variable) bool { return w.elem == v.elem && w.ref == v.ref }) {
			continue
		}
		elements := !v.ref && slices.ContainsFunc(h.elems, v.inside)
		globals := slices.ContainsFunc(h.m.Variables, func(o *heap.Object) bool {
			return o.Type != nil && (v.inside(o.Type) || o.Type.Shape == code.ShapePointer && v.inside(o.Type.Elem))
		})
		if (elements || globals) && !v.chosen && !h.compared(v) {
			continue // another one of the type may be used
		}
		done = append(done, *v)
		if elements {
			h.m.AddBound(run.NoSite, "pointers in the input that do not lead to elements of slices")
		}
		switch {
		case globals && v.ref:
			h.m.AddBound(run.NoSite, "maps and channels in the input that are not those of package variables")
		case globals:
			h.m.AddBound(run.NoSite, "pointers in the input that do not lead to package variables or what these point to")
		}
	}
}

// inside reports whether something to which the variable could lead is in a variable of type t: the
// pointee, or the map or channel itself.
func (v *variable) inside(t *code.Type) bool {
	return contains(t, func(u *code.Type) bool { return u == v.elem || v.ref && alike(u, v.elem) })
}

// alike reports whether values of two types can be the same map or channel.
func alike(t, u *code.Type) bool {
	switch {
	case t.Shape != u.Shape:
		return false
	case t.Shape == code.ShapeMap:
		return types.Identical(t.Go.Underlying(), u.Go.Underlying())
	}
	return t.Shape == code.ShapeChan && t.Elem == u.Elem
}

// compared reports whether there is a condition on a pointer but for whether it is nil.
func (h *Heap) compared(v *variable) bool {
	if v.sym == expr.None {
		return false
	}
	a := h.m.Arena
	isNil := a.Eq(v.sym, a.Const(0, a.Width(v.sym)))
	notNil := a.Not(isNil)
	return slices.ContainsFunc(h.m.Trace.Path, func(c run.Condition) bool {
		return c.Kind != run.Assumed && c.Cond != isNil && c.Cond != notNil && slices.Contains(a.Vars(nil, c.Cond), v.sym)
	})
}

// contains reports whether a value of type t has a part of such a type.
func contains(t *code.Type, is func(*code.Type) bool) bool {
	switch {
	case is(t):
		return true
	case t.Shape == code.ShapeArray:
		return contains(t.Elem, is)
	case t.Shape == code.ShapeStruct:
		return slices.ContainsFunc(t.Fields, func(f code.Field) bool { return contains(f.Type, is) })
	}
	return false
}
