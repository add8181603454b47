package ideal

import (
	"math/rand/v2"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis/analysistest"
	"github.com/everyway-go/everyway/schedule"
)

// TestIdeals checks on random schedules that each event is possible after what it needs, also if
// the relation is cut now and then.
func TestIdeals(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	cuts := 0
	for n := range 2000 {
		text := analysistest.Random(r, analysistest.Mix{Goroutines: 3, Events: 30, Atomics: true, Locks: true, Handoffs: true, Channels: true, Selects: true, WaitGroup: true, Conditions: true, Semaphores: true, Ends: n%2 == 0})
		events := analysistest.Events(t, text)
		relation := New(Locks | Reads)
		state := schedule.NewState(schedule.NewTable())
		for i := range events {
			e := &events[i]
			if err := state.Next(e); err != nil {
				t.Fatal(err)
			}
			relation.Event(e)
			if e.Op == schedule.End {
				continue
			}
			kept := relation.Witness(relation.Needs(e.Goroutine))
			kept = kept[:len(kept)-1]
			if !analysistest.Allowed(events, kept, e.Order, analysistest.Rule{Locks: true, Others: true}) {
				t.Fatalf("event %d is not possible after %v\n%s", e.Order, kept, text)
			}
			if n%4 < 2 && r.IntN(10) == 0 {
				relation.Cut(state, e.Order+1)
				cuts++
			}
		}
	}
	if cuts == 0 {
		t.Error("no relation is cut")
	}
}
