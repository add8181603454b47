package reach

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Memory returns how many bytes the goroutines of m take, with their stacks, and the objects
// that goroutines, package variables, timers, finalizers and cleanups can reach. Variables and
// constants themselves do not count, since they do not belong to a run.
func Memory(m *state.State) int64 {
	sum := int64(0)
	s := NewObjects(&m.Heap)
	s.OnAdd(func(o *heap.Object) {
		if id := o.ID.Goroutine; id >= 0 || id == run.HiddenObjects || id == run.InputObjects {
			sum += state.BytesOf(o)
		}
	})
	for _, g := range m.Goroutines {
		sum += g.Bytes()
	}
	for _, g := range m.Live {
		s.AddGoroutine(g)
	}
	s.AddVariables(m)
	for _, t := range m.Timers {
		s.AddTimer(t)
	}
	s.addCollectables(m)
	return sum
}
