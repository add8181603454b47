package collect

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/reach"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// HasPools reports whether there are pools that a collection would change.
func HasPools(m *state.State) bool { return len(m.Pools)+len(m.OldPools) > 0 }

// AddPool adds the store of a pool to those that have been used since the last collection.
func AddPool(m *state.State, store heap.Word) {
	m.Pools = append(slices.Clone(m.Pools), store)
}

// emptyPools makes the victims of all pools those items that were put since the last
// collection, and drops those that were put before it.
func emptyPools(m *state.State) {
	for _, p := range m.OldPools {
		m.Heap.Store(p.P, int(p.N)+state.PoolVictims, make([]heap.Word, 3), nil)
	}
	for _, p := range m.Pools {
		at := int(p.N)
		m.Heap.Move(p.P, at+state.PoolVictims, p.P, at+state.PoolItems, 3)
		m.Heap.Store(p.P, at+state.PoolItems, make([]heap.Word, 3), nil)
		m.Heap.Store(p.P, at+state.PoolInUse, make([]heap.Word, 1), nil)
	}
	m.OldPools, m.Pools = m.Pools, nil
}

// addPools adds to live what the list of pools keeps in the last of so many collections, which
// comes next. It omits the items that are dropped by then. As with gc, the first collection
// after a use of a pool keeps the pool itself.
func addPools(live *reach.Objects, m *state.State, collections int) {
	omit := func(p heap.Word, slice int) {
		if items := p.P.Cells[int(p.N)+slice].P; items != nil {
			live.Omit(items)
		}
	}
	for _, p := range m.OldPools {
		omit(p, state.PoolVictims)
	}
	for _, p := range m.Pools {
		if collections > 1 {
			omit(p, state.PoolItems)
		}
	}
	if collections == 1 {
		live.AddWords(m.Pools)
	}
}
