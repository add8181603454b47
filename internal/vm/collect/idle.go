package collect

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// maxCollections is the number of collections that are made because nothing else can
// happen. Finalizers may go on to set finalizers without end.
const maxCollections = 4

// DueWhenIdle reports whether there is something to collect in a state in which nothing can
// happen, not even if timers come due. Two collections in a row collect what one does, and
// what only pools can reach.
func DueWhenIdle(m *state.State) bool {
	return m.Heap.Recording() && m.Collections < maxCollections && len(Dead(m, 2)) > 0
}

// WhenIdle carries out the step in which garbage is collected because nothing else
// can happen: one collection, or two if the first one finds nothing.
func WhenIdle(m *state.State) {
	m.Collections++
	m.RecordTimer(run.Event{Op: schedule.Collect, Object: run.NoObject, Other: -1})
	collections := 1
	dead := Dead(m, collections)
	if len(dead) == 0 {
		collections = 2
		dead = Dead(m, collections)
	}
	Collect(m, m.Goroutines[0], dead, collections)
}
