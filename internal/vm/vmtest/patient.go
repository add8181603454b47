package vmtest

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// patience is for how many decisions a timer is kept waiting by those who can go on: a
// program that computes for ever, as long as it sees no time pass, is to end.
const patience = 1 << 16

// Patient is a scheduler that lets time pass, mostly, when nothing else can happen, as
// programs expect that use it to wait for others, and ends the run when the main
// goroutine has ended: a run that it has stopped is one of a program that has exited. The
// rest is left to another scheduler. The machine's EagerTimers is to be set.
type Patient struct {
	run.Scheduler
	waited  int // decisions for which a timer has been kept waiting
	options []run.Transition
	index   []int // of the options in those of the point
}

// Choose implements [vm.Scheduler].
func (s *Patient) Choose(p *run.SchedulingPoint) int {
	if p.Kind != run.Step {
		return s.Scheduler.Choose(p)
	}
	s.options, s.index = s.options[:0], s.index[:0]
	for i, o := range p.Enabled {
		if !timed(&o) {
			s.options, s.index = append(s.options, o), append(s.index, i)
		}
	}
	switch n := len(s.options); {
	case n == len(p.Enabled):
		return s.Scheduler.Choose(p)
	case n == 0, s.waited >= patience:
		s.waited = 0
		for i := range p.Enabled {
			if timed(&p.Enabled[i]) {
				return i
			}
		}
	}
	s.waited++
	if len(s.options) == 1 {
		return s.index[0]
	}
	busy := *p
	busy.Enabled, busy.Overdue = s.options, -1
	return s.index[s.Scheduler.Choose(&busy)]
}

// Stepping implements [vm.Watcher].
func (s *Patient) Stepping(_ *run.Transition, t *run.Trace) bool {
	return t.Pending[0].Goroutine == mainGoroutine // it is the first as long as it is there
}

// mainGoroutine is the number of the main goroutine.
const mainGoroutine = 0

// timed reports whether o happens because a time has come.
func timed(o *run.Transition) bool { return o.Goroutine < 0 || o.Op == schedule.Sleep }
