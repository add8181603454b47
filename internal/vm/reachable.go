package vm

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// Reachable returns the objects that can be reached now from those package variables for
// which from returns true. Variables are left out that no code refers to which has run.
func (m *Machine) Reachable(from func(*ssa.Global) bool) map[run.ObjectID]bool {
	ids := make(map[run.ObjectID]bool)
	seen := make(map[*heap.Object]bool)
	var queue []*heap.Object
	add := func(o *heap.Object) {
		if o != nil && !seen[o] {
			seen[o], ids[o.ID] = true, true
			queue = append(queue, o)
		}
	}
	for g, o := range m.Globals {
		if from(g) {
			add(o)
		}
	}
	for len(queue) > 0 {
		o := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for i := range o.Cells {
			add(o.Cells[i].P)
		}
	}
	return ids
}

// Variables returns the package variables for which of returns true, as objects. Variables
// are left out that no code refers to which has run.
func (m *Machine) Variables(of func(*ssa.Global) bool) map[run.ObjectID]bool {
	ids := make(map[run.ObjectID]bool)
	for g, o := range m.Globals {
		if of(g) {
			ids[o.ID] = true
		}
	}
	return ids
}
