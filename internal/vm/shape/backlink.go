package shape

import (
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Pointers that lead back are the hint that the thesis of Sun (UC Riverside 2023, Table 3.2) calls
// klee_set_double_link. Where a pointer in a field link of an object x has been chosen and leads to
// an object y, the field back of y leads to x. If y is new, its pointer gets that value; the plan
// need not have it. If y has been found before, whether it does is a condition of the path, and a
// run in which it does not ends there.
//
// A comparison with another pointer says where such a pointer leads without choosing it, and two
// pointers that are equal may not both lead to what leads back to each. So these are chosen before
// they are compared. One that is not nil, and of which nothing else is asked, can always lead to a
// new object that leads back.

// A backLink says that the field back leads back from what the field link of a struct of type of leads to.
type backLink struct {
	of         *code.Type
	link, back string
}

// AddBackLink has back links in all structures that become inputs from now on.
func (h *Heap) AddBackLink(of *code.Type, link, back string) {
	h.links = append(h.links[:len(h.links):len(h.links)], backLink{of, link, back})
}

// A leading is a back link of a pointer: a back link of the type that has the pointer, and where
// the value of that type is.
type leading struct {
	back string // the field
	from uint64 // the value of a pointer to what has the field link
}

// backs returns the values that the fields of the object with a number, which is new, have because
// of the links of the pointer that leads to it, by the names of the inputs.
func (h *Heap) backs(v *variable, number int32) map[string]uint64 {
	var values map[string]uint64
	for _, l := range h.linksOf(v) {
		if values == nil {
			values = make(map[string]uint64)
		}
		values[fmt.Sprintf("%s&%d.%s", h.m.InputPrefix, number, l.back)] = l.from
	}
	return values
}

// leader returns where a pointer leads that has a value, which is that of an object that has been
// chosen or of a part of one. The object is nil if it has been opened.
func (h *Heap) leader(value uint64) (heap.Word, *object) {
	number, off := decode(value)
	o := h.numbered(number)
	to := heap.Word{P: o.Object, N: uint64(off)}
	if o.opened {
		return to, nil
	}
	return to, o
}

// linksOf returns the back links of a pointer, which has been chosen.
func (h *Heap) linksOf(v *variable) []leading {
	if v.target.P == nil {
		return nil
	}
	return h.linksFrom(v)
}

// linksFrom returns the back links of the field in which a pointer is.
func (h *Heap) linksFrom(v *variable) []leading {
	if len(h.links) == 0 || v.elem == nil || v.ref {
		return nil
	}
	number, part := owner(strings.TrimPrefix(v.name, h.m.InputPrefix))
	o := h.numbered(number)
	if o == nil {
		return nil
	}
	var list []leading
	for _, l := range h.links {
		for _, off := range parts(nil, o.typ, l.of, 0) {
			at := pathTo(o.typ, l.of, off) + "." + l.link
			if rest, ok := strings.CutPrefix(part, at); ok && (rest == "" || rest[0] == '[') {
				list = append(list, leading{l.back, codeOf(number, off)})
			}
		}
	}
	return list
}

// pathTo returns the fields and indices that lead to the part of type t that is at an offset in a value of type in.
func pathTo(in, t *code.Type, off int) string {
	switch {
	case in == t:
		return ""
	case in.Shape == code.ShapeArray:
		i := off / in.Elem.Words
		return fmt.Sprintf("[%d]", i) + pathTo(in.Elem, t, off-i*in.Elem.Words)
	}
	for i := range in.Fields {
		if f := &in.Fields[i]; slices.Contains(parts(nil, f.Type, t, f.Offset), off) {
			return "." + f.Name + pathTo(f.Type, t, off-f.Offset)
		}
	}
	return ""
}

// numbered returns the object with a number, nil if there is none.
func (h *Heap) numbered(number int32) *object {
	for _, o := range h.objects {
		if number > 0 && o.number == number {
			return o
		}
	}
	return nil
}

// leadBack adds to the path that an object that was found before leads back to where the pointer
// with an index is, which has just been chosen. It returns false if the run is over.
func (h *Heap) leadBack(g *state.Goroutine, i int) bool {
	v := h.vars[i]
	for _, l := range h.linksOf(&v) {
		number, off := decode(h.valueOf(v.target))
		to := h.numbered(number)
		if to == nil {
			continue
		}
		k, ok := h.index[fmt.Sprintf("%s&%d%s.%s", h.m.InputPrefix, number, pathTo(to.typ, v.elem, off), l.back)]
		if !ok || h.vars[k].elem == nil {
			continue // the program has made what is there
		}
		back := &h.vars[k]
		from, _ := h.leader(l.from)
		leads := back.target == from
		if back.sym == expr.None {
			if !leads {
				h.m.Trace.Skipped = true
				h.m.Stop(run.Finished, "")
				return false
			}
			continue
		}
		if !h.check(g, h.m.Arena.Eq(back.sym, h.m.Arena.Const(l.from, 64)), leads) {
			return false
		}
	}
	return true
}

// Compare implements state.InputHeap.
func (h *Heap) Compare(g *state.Goroutine, cond expr.ID) bool {
	if len(h.links) == 0 || h.open == 0 || h.choosing {
		return true
	}
	var compared []int
	for _, x := range h.comparedIn(nil, cond, map[expr.ID]bool{}) {
		if i, is := h.index[h.m.Arena.VarName(x)]; is && !h.vars[i].chosen && len(h.linksFrom(&h.vars[i])) > 0 {
			compared = append(compared, i)
		}
	}
	slices.Sort(compared)
	for _, i := range compared {
		if h = h.own(); !h.vars[i].chosen && !h.choose(g, i) {
			return false
		}
	}
	return true
}

// comparedIn appends to list the variables in x that are more than compared with nil.
func (h *Heap) comparedIn(list []expr.ID, x expr.ID, seen map[expr.ID]bool) []expr.ID {
	a := h.m.Arena
	if seen[x] {
		return list
	}
	seen[x] = true
	if a.Op(x) == expr.Var {
		return append(list, x)
	}
	if a.Op(x) == expr.Eq && a.Op(a.Arg(x, 0)) == expr.Var {
		if y, constant := a.ConstValue(a.Arg(x, 1)); constant && y == 0 {
			return list
		}
	}
	for i := range a.NumArgs(x) {
		list = h.comparedIn(list, a.Arg(x, i), seen)
	}
	return list
}
