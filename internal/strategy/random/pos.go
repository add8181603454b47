package random

import (
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/run"
)

// POS returns a scheduler that samples partial orders (Yuan, Yang, Gu: Partial
// Order Aware Concurrency Sampling, CAV 2018, section 4.2). Every pending
// operation has a random priority, and the one with the highest that is possible
// is taken. It gives a new priority to the operations that its order with
// matters: what has lost a race once is as likely as any to win the next. The
// order of two operations thus depends on their own priorities, not on how many
// operations their goroutines have before them.
func POS(r *rand.Rand) run.Scheduler { return &pos{rand: r, priority: map[int32]float64{}} }

type pos struct {
	rand     *rand.Rand
	priority map[int32]float64 // of the pending operation of a goroutine; timers are those of goroutine -1
}

// Choose implements run.Scheduler.
func (p *pos) Choose(pt *run.SchedulingPoint) int {
	if pt.Kind == run.Value {
		return p.rand.IntN(pt.N)
	}
	return highest(pt.Enabled, p.priorityOf, p.rand)
}

// Stepping implements run.Watcher.
func (p *pos) Stepping(t *run.Transition, trace *run.Trace) bool {
	// What comes next in the goroutines that take the step has a new priority too:
	// their pending operations are dependent with it.
	for i := range trace.Pending {
		if q := &trace.Pending[i]; run.Dependent(t, q) {
			delete(p.priority, q.Goroutine)
		}
	}
	return true
}

// priorityOf returns the priority of the pending operation of g. It is drawn when
// it is first compared.
func (p *pos) priorityOf(g int32) float64 {
	v, ok := p.priority[g]
	if !ok {
		v = p.rand.Float64()
		p.priority[g] = v
	}
	return v
}
