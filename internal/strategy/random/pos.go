package random

import (
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/run"
)

// POS returns a scheduler that samples partial orders (Yuan, Yang, Gu: Partial Order Aware
// Concurrency Sampling, CAV 2018, section 4.2). Every pending operation has a random
// priority, and the enabled one with the highest is taken. The pending operations that are
// dependent with it get new priorities: one that has lost a race is as likely as any other
// to win the next. So the order of two operations depends on their own priorities, not on
// the number of operations before them.
func POS(r *rand.Rand) run.Scheduler { return &pos{rand: r, priority: map[int32]float64{}} }

type pos struct {
	rand     *rand.Rand
	priority map[int32]float64 // of the pending operation, by goroutine, -1 for timers
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
	// The next operations of the goroutines that take the step get new priorities too, since
	// their pending ones are dependent with it.
	for i := range trace.Pending {
		if q := &trace.Pending[i]; run.Dependent(t, q) {
			delete(p.priority, q.Goroutine)
		}
	}
	return true
}

// priorityOf returns the priority of the pending operation of g, and draws it if there is none.
func (p *pos) priorityOf(g int32) float64 {
	v, ok := p.priority[g]
	if !ok {
		v = p.rand.Float64()
		p.priority[g] = v
	}
	return v
}
