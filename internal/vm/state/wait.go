package state

import "github.com/everyway-go/everyway/internal/vm/heap"

// Observed returns the objects of which g, which awaits a change, has observed a state
// that would have to change, and whether it has observed the number of goroutines.
func (g *Goroutine) Observed() (objects []*heap.Object, count bool) {
	for i := range g.Spin.Observations {
		switch o := &g.Spin.Observations[i]; {
		case o.until == untilCount, o.until == untilGarbage: // anybody may change it
			count = true
		case o.at.Object != nil:
			objects = append(objects, o.at.Object)
		}
	}
	return objects, count
}
