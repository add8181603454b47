package ideal

import (
	"math/rand/v2"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis/analysistest"
)

// TestIdeals checks on random schedules that each event is possible after what it needs.
func TestIdeals(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		text := analysistest.Random(r, analysistest.Mix{Goroutines: 3, Events: 30, Atomics: true, Locks: true, Handoffs: true, Channels: true, Selects: true, WaitGroup: true, Conditions: true, Semaphores: true})
		events := analysistest.Events(t, text)
		relation := New(Locks | Reads)
		for i := range events {
			e := &events[i]
			relation.Event(e)
			kept := relation.Witness(relation.Needs(e.Goroutine))
			kept = kept[:len(kept)-1]
			if !analysistest.Allowed(events, kept, e.Order, analysistest.Rule{Locks: true, Others: true}) {
				t.Fatalf("event %d is not possible after %v\n%s", e.Order, kept, text)
			}
		}
	}
}
