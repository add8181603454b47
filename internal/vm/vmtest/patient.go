package vmtest

import (
	"github.com/everyway-go/everyway/internal/run"
)

// patience is the number of decisions after which a timer fires although other goroutines
// are enabled, so that a program ends that computes until it sees time pass.
const patience = 1 << 16

// Patient is a scheduler that lets time pass only when nothing else can happen, with rare
// exceptions. Programs expect that when they use time to wait for other goroutines. It
// ends the run when the main goroutine has ended, so a run with outcome Stopped is one of
// a program that has exited. It leaves all other choices to another scheduler.
// Settings.Stall must be run.AnyStall.
type Patient struct {
	run.Scheduler
	waited int              // number of decisions for which a timer has been kept waiting
	busy   []run.Transition // enabled transitions that do not await time
	index  []int            // of each element of busy, its index in SchedulingPoint.Enabled
}

// Choose implements [run.Scheduler].
func (s *Patient) Choose(p *run.SchedulingPoint) int {
	if p.Kind != run.Step {
		return s.Scheduler.Choose(p)
	}
	s.busy, s.index = s.busy[:0], s.index[:0]
	for i, t := range p.Enabled {
		if !t.AwaitsTime() {
			s.busy, s.index = append(s.busy, t), append(s.index, i)
		}
	}
	switch n := len(s.busy); {
	case n == len(p.Enabled):
		return s.Scheduler.Choose(p)
	case n == 0, s.waited >= patience:
		s.waited = 0
		return soonest(p.Enabled)
	}
	s.waited++
	if len(s.busy) == 1 {
		return s.index[0]
	}
	point := *p
	point.Enabled, point.Overdue = s.busy, -1
	return s.index[s.Scheduler.Choose(&point)]
}

// soonest returns the index of the transition that is due first, of those that await time.
func soonest(enabled []run.Transition) int {
	first := -1
	for i := range enabled {
		if t := &enabled[i]; t.AwaitsTime() && (first < 0 || t.State < enabled[first].State) {
			first = i
		}
	}
	return first
}

// Stepping implements [run.Watcher].
func (s *Patient) Stepping(_ *run.Transition, t *run.Trace) bool {
	return t.Pending[0].Goroutine == mainGoroutine // as long as it has not ended it is the first
}

// mainGoroutine is the number of the main goroutine in run.Names.
const mainGoroutine = 0
