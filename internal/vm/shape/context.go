package shape

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// In the middle of a program (package fragment), it is known of some pointers where they may lead:
// of those that are drawn with DrawPointing or DrawContent, and of what these lead to. Two of them
// are the same only if that may be. Variables that the program has made before are numbered as the
// objects of an opened structure are, so that inputs may lead to them.

// Make makes a variable of type t that is of a region. Inputs that are drawn after it may lead to
// it. It returns false if the run is over.
func (h *Heap) Make(g *state.Goroutine, t *code.Type, region fragment.Region) bool {
	v := h.m.NewObject(g, t, heap.Variable)
	if v == nil {
		return false
	}
	h.objects = append(h.objects, &object{
		Object: v, typ: t, number: int32(len(h.objects)) + 1, opened: true, first: len(h.vars), before: len(h.vars), region: region,
	})
	return true
}

// Made returns the variable that the i-th call of Make has made, where nothing was drawn before.
func (h *Heap) Made(i int) *heap.Object { return h.objects[i].Object }

// DrawPointing is DrawWords for a value of whose pointers, by their slots, it is known where they may lead.
func (h *Heap) DrawPointing(g *state.Goroutine, t *code.Type, name string, points []fragment.Region) (words []heap.Word, syms []expr.ID, ok bool) {
	h.draw(g, t, name, func(slot int) fragment.Region {
		if slot >= len(points) {
			return 0
		}
		return points[slot]
	})
	return h.DrawWords(g, t, name)
}

// DrawContent is Draw for a part of a variable of a region, which begins at a slot. Set says that it is not nil.
func (h *Heap) DrawContent(g *state.Goroutine, at heap.Location, t *code.Type, name string, region fragment.Region, slot int, set bool) bool {
	points := func(i int) fragment.Region { return h.m.Pointers.At(region, slot+i) }
	if set {
		h.draw(g, t, name, points, name)
	} else {
		h.draw(g, t, name, points)
	}
	return h.Draw(g, at, t, name)
}

// ChooseAll chooses all pointers that have not been chosen. It returns false if the run is over.
func (h *Heap) ChooseAll(g *state.Goroutine) bool { return h.own().settle(g) }

// ValueOf returns the value of an input that leads to a cell.
func (h *Heap) ValueOf(to heap.Word) uint64 { return h.valueOf(to) }
