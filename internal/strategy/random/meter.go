package random

import (
	"github.com/everyway-go/everyway/internal/run"
)

// A meter counts the steps of a run in which the order of goroutines can
// matter: those after which more than one goroutine is alive. A rendezvous is a
// step of both its goroutines, and counts twice.
type meter struct {
	steps int
	alive map[int32]bool // goroutines that have come to an operation, also those that have ended
	took  []int32        // the goroutines that took the last step, until it is counted
}

func newMeter() meter { return meter{alive: map[int32]bool{}} }

// arrive is called at every point between two steps, with the operations pending
// there. It counts the step before it, and calls each with the number of every
// step that counts and the goroutine that took it. Called again at the same point
// it does nothing.
func (m *meter) arrive(pending []run.Transition, each func(step int, goroutine int32)) {
	several := false
	for i := range pending {
		g := pending[i].Goroutine
		several = several || g != pending[0].Goroutine
		if g >= 0 {
			m.alive[g] = true
		}
	}
	if several {
		for _, g := range m.took {
			m.steps++
			if each != nil {
				each(m.steps, g)
			}
		}
	}
	m.took = m.took[:0]
}

// step is called when o is about to be carried out.
func (m *meter) step(t *run.Transition) {
	m.took = append(m.took, t.Goroutine)
	if rendezvous(t) {
		m.took = append(m.took, t.Partner)
	}
}

// goroutines returns how many goroutines the run has had.
func (m *meter) goroutines() int { return len(m.alive) }
