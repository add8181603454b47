package collect

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/reach"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Dead returns the indices in m.Collectables of those whose objects can be collected by the
// last of so many collections in a row, 1 or 2: nothing can reach the object, nor does another
// one with a finalizer that has not run. The second of two collections finds pools empty.
func Dead(m *state.State, collections int) []int {
	if len(m.Collectables) == 0 {
		return nil
	}
	live := reachable(m, collections)
	finalized := make(map[*heap.Object]bool)
	for i := range m.Collectables {
		c := &m.Collectables[i]
		live.Add(c.Func)
		if c.Kind == state.Finalizer {
			live.AddContents(c.Object)
			finalized[c.Object] = true
		}
	}
	var dead []int
	for i := range m.Collectables {
		c := &m.Collectables[i]
		if !live.Has(c.Object) && (c.Kind != state.Cleanup || !finalized[c.Object]) {
			dead = append(dead, i)
		}
	}
	return dead
}

// WouldChange reports whether a collection would change anything.
func WouldChange(m *state.State) bool { return HasPools(m) || len(Dead(m, 1)) > 0 }

// reachable returns what goroutines can reach, package variables, timers, and the finalizers
// that are to be called, in the last of so many collections.
func reachable(m *state.State, collections int) *reach.Objects {
	live := reach.NewObjects(&m.Heap)
	addPools(live, m, collections)
	for _, g := range m.Live {
		live.AddGoroutine(g)
	}
	live.AddVariables(m)
	for _, t := range m.Timers {
		live.AddTimer(t)
	}
	for i := range m.Finalizing {
		live.Add(m.Finalizing[i].Func)
		live.AddWords(m.Finalizing[i].Args)
	}
	return live
}

// orderAccesses orders all accesses up to now before the finalizers and cleanups in dead, as
// far as they are to objects that only these can reach: nobody who has made one can make
// another.
func orderAccesses(m *state.State, dead []int, collections int) {
	live := reachable(m, collections)
	for grown := true; grown; {
		grown = false
		for i := range m.Collectables {
			c := &m.Collectables[i]
			if c.Kind == state.WeakPointer && live.Has(c.Handle) && !live.Has(c.Object) && !slices.Contains(dead, i) {
				live.Add(c.Object)
				grown = true
			}
		}
	}
	live.OnAdd(func(o *heap.Object) { m.Races.Forget(o.Race) })
	for _, i := range dead {
		c := &m.Collectables[i]
		live.Add(c.Func)
		live.AddWords(c.Args)
	}
}

// MayKeep reports whether gc may keep the object of a collectable although nothing can
// reach it. It does so once at most.
func MayKeep(c *state.Collectable) bool { return !c.Kept && state.Tiny(c.Object) }

// Keep notes that a collection did not collect those of the collectables in dead whose
// objects gc may keep. It returns the others.
func Keep(m *state.State, dead []int) []int {
	m.Collectables = slices.Clone(m.Collectables)
	return slices.DeleteFunc(dead, func(i int) bool {
		c := &m.Collectables[i]
		keep := MayKeep(c)
		c.Kept = c.Kept || keep
		return keep
	})
}

// Collect makes so many collections in a row. The last of them collects the objects of the
// collectables in dead, the others nothing. The goroutines that it starts are numbered as
// children of parent.
func Collect(m *state.State, parent *state.Goroutine, dead []int, collections int) {
	if len(dead) > 0 {
		orderAccesses(m, dead, collections)
	}
	for range collections {
		emptyPools(m)
	}
	if len(dead) == 0 {
		return
	}
	var kept []state.Collectable
	for i := range m.Collectables {
		c := &m.Collectables[i]
		if !slices.Contains(dead, i) {
			kept = append(kept, *c)
			continue
		}
		switch c.Kind {
		case state.WeakPointer:
			m.Heap.Dirty(c.Handle, 0, 1)
			c.Handle.Cells[0] = heap.Word{}
		case state.Finalizer:
			m.Finalizing = append(slices.Clone(m.Finalizing), *c)
		case state.Cleanup:
			start(m, parent, &c.Clock, c.Func)
		}
	}
	m.Collectables = kept
	if len(m.Finalizing) > 0 && (m.FinalizerSlot == 0 || m.Goroutines[m.FinalizerSlot-1].Status == state.Ended) {
		if g := start(m, parent, &m.Finalized, m.Finalizing[0].Runner); g != nil {
			m.FinalizerSlot = g.Slot + 1
		}
	}
}

// start starts a goroutine that calls fn and is ordered after what clock covers. The result
// is nil if a limit was exceeded.
func start(m *state.State, parent *state.Goroutine, clock *race.Clock, fn *heap.Object) *state.Goroutine {
	m.Preserve(parent)
	parent.Spawns++
	g := m.AddGoroutine(m.Names.Child(parent.ID, parent.Spawns), clock)
	if g != nil {
		g.Func = fn.Func
		m.PushEntry(g, m.Funcs[fn.Func], fn, nil)
	}
	return g
}
