package naming

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/reach"
)

// find makes the objects known that package initialisers have made, if some of those that a run is
// about are not known without them.
func (n *Names) find(about []run.ObjectID) {
	for _, id := range about {
		if n.objects[id] == nil && id.Goroutine >= 0 {
			n.findInitial()
			return
		}
	}
}

// findInitial makes the objects known that package variables can reach.
func (n *Names) findInitial() {
	if n.inits {
		return
	}
	n.inits = true
	s := reach.NewObjects(&n.m.Heap)
	s.OnAdd(func(o *heap.Object) {
		if o.ID.Goroutine >= 0 || o.ID.Goroutine == run.InputObjects {
			n.add(o, run.SiteID{Func: o.Func, Instr: -1})
		}
	})
	s.AddVariables(&n.m.State)
}

// findOwners finds the first variable or field that refers to each object of a list.
func (n *Names) findOwners(list []*object) {
	wanted := make(map[*heap.Object]*object)
	for _, o := range list {
		if o.owner == nil {
			wanted[o.Object] = o
		}
	}
	for _, w := range n.order {
		switch w.Kind {
		case heap.Variable, heap.Array:
		default:
			continue
		}
		for off := range w.Cells {
			if p := w.Cells[off].P; p != nil && p != w.Object {
				if o := wanted[p]; o != nil && w.Cells[off].N == 0 && better(w, o.owner) {
					o.owner = &owner{w, off}
				}
			}
		}
	}
}

// better reports whether w says more than an owner that is known: a variable that the program
// declares itself says most.
func better(w *object, than *owner) bool {
	return than == nil || than.object.Kind == heap.Array && w.Kind == heap.Variable
}
