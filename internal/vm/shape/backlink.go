package shape

import (
	"fmt"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Pointers that lead back are the hint that the thesis of Sun (UC Riverside 2023, Table 3.2) calls klee_set_double_link. Where a pointer in a field link of
// an object x has been chosen and leads to an object y, the field back of y leads to x. If y is new, its pointer gets that value; the plan
// need not have it. If y has been found before, whether it does is a condition of the path, and a run in which it does not ends there.

// A backLink says that the field back leads back from what the field link of a struct of type of leads to.
type backLink struct {
	of         *code.Type
	link, back string
}

// AddBackLink has back links in all structures that become inputs from now on.
func (h *Heap) AddBackLink(of *code.Type, link, back string) {
	h.links = append(h.links[:len(h.links):len(h.links)], backLink{of, link, back})
}

// backs returns the values that the fields of the object with a number, which is new, have because of the links of the pointer that
// leads to it, by the names of the inputs.
func (h *Heap) backs(v *variable, number int32) map[string]uint64 {
	var values map[string]uint64
	for _, l := range h.linksOf(v) {
		if values == nil {
			values = make(map[string]uint64)
		}
		from, _ := owner(strings.TrimPrefix(v.name, h.m.InputPrefix))
		values[fmt.Sprintf("%s&%d.%s", h.m.InputPrefix, number, l.back)] = codeOf(from, 0)
	}
	return values
}

// leader returns the object with a value, which has a number, as that to which a pointer leads.
func (h *Heap) leader(value uint64) (heap.Word, *object) {
	number, _ := decode(value)
	o := h.numbered(number)
	if o.opened {
		return heap.Word{P: o.Object}, nil
	}
	return heap.Word{P: o.Object}, o
}

// linksOf returns the back links of a pointer, which has been chosen.
func (h *Heap) linksOf(v *variable) []backLink {
	if len(h.links) == 0 || v.elem == nil || v.ref || v.target.P == nil || v.target.N != 0 {
		return nil
	}
	number, part := owner(strings.TrimPrefix(v.name, h.m.InputPrefix))
	o := h.numbered(number)
	if o == nil {
		return nil
	}
	field, _, _ := strings.Cut(strings.TrimPrefix(part, "."), "[")
	var list []backLink
	for _, l := range h.links {
		if l.of == o.typ && l.link == field {
			list = append(list, l)
		}
	}
	return list
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

// leadBack adds to the path that an object that was found before leads back to where the pointer with an index is, which has just been chosen. It
// returns false if the run is over.
func (h *Heap) leadBack(g *state.Goroutine, i int) bool {
	v := h.vars[i]
	for _, l := range h.linksOf(&v) {
		from, _ := owner(strings.TrimPrefix(v.name, h.m.InputPrefix))
		number, _ := decode(h.valueOf(v.target))
		k, ok := h.index[fmt.Sprintf("%s&%d.%s", h.m.InputPrefix, number, l.back)]
		if !ok || h.vars[k].elem == nil {
			continue // the program has made what is there
		}
		back := &h.vars[k]
		leads := back.target == heap.Word{P: h.numbered(from).Object}
		if back.sym == expr.None {
			if !leads {
				h.m.Trace.Skipped = true
				h.m.Stop(run.Finished, "")
				return false
			}
			continue
		}
		if !h.check(g, h.m.Arena.Eq(back.sym, h.m.Arena.Const(codeOf(from, 0), 64)), leads) {
			return false
		}
	}
	return true
}
