package random

import (
	"github.com/everyway-go/everyway/internal/run"
)

// A stepCounter counts the steps of a run at which the order of goroutines can matter: those
// after which more than one goroutine is alive. A rendezvous is a step of both its
// goroutines, and counts twice.
type stepCounter struct {
	steps   int
	started int                // how many goroutines have had a pending operation, also those that have ended
	known   perGoroutine[bool] // those
	last    []int32            // the goroutines of the last step, until it is counted
}

// count is called between two steps, with the operations pending there. It counts the step
// before, and calls each with the number of every step that counts and the goroutine that
// took it. If it is called again before the next step, it does nothing.
func (m *stepCounter) count(pending []run.Transition, each func(step int, goroutine int32)) {
	several := false
	for i := range pending {
		g := pending[i].Goroutine
		several = several || g != pending[0].Goroutine
		if known := m.known.at(g); g >= 0 && !*known {
			*known = true
			m.started++
		}
	}
	if several {
		for _, g := range m.last {
			m.steps++
			if each != nil {
				each(m.steps, g)
			}
		}
	}
	m.last = m.last[:0]
}

// step is called when t is about to be carried out.
func (m *stepCounter) step(t *run.Transition) {
	m.last = append(m.last, t.Goroutine)
	if rendezvous(t) {
		m.last = append(m.last, t.Partner)
	}
}

// goroutines returns the number of goroutines that the run has had.
func (m *stepCounter) goroutines() int { return m.started }
