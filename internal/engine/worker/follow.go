package worker

import (
	"slices"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A step is one step of a run, chosen or forced.
type step struct {
	goroutine int32
	alt       int32
}

// A follower steers a run along a list of steps as far as they are possible:
// where there is a choice it takes the earliest step of the list that is
// enabled and was not taken yet; when there is none it does what
// [run.NonPreemptive] does. Values are answered from their own list, then with 0.
// It records the steps that were taken, and when the run showed a finding.
type follower struct {
	queues map[int32][]place // of each goroutine, the steps not taken yet
	values []int32
	key    check.Key // of the finding

	taken      []step
	events     []int // the number of events before each of them
	early      int   // how many of them needed time to pass while others could run
	takenValue []int32

	noted     int  // what the trace held when it was looked at for the finding
	found     bool // it was there before the run had ended
	shown     int  // the number of steps by then
	decided   int  // the number of conditions by then
	earlyThen int  // the value of early by then
}

// A place is a step's place in the list and its alternative.
type place struct {
	index int
	alt   int32
}

func follow(steps []step, values []int32) *follower {
	f := &follower{queues: map[int32][]place{}, values: values}
	for i, s := range steps {
		f.queues[s.goroutine] = append(f.queues[s.goroutine], place{i, s.alt})
	}
	return f
}

// find returns the index, in its goroutine's queue, of the first step that is t,
// or -1. It looks a few steps ahead only: what a goroutine does comes in its
// own order, but for steps that were forced and are missing. A send to a goroutine
// that waits at a buffered channel may have been one into the buffer, and the reverse.
func (f *follower) find(t *run.Transition) int {
	const ahead = 16
	queue := f.queues[t.Goroutine]
	queue = queue[:min(len(queue), ahead)]
	i := slices.IndexFunc(queue, func(p place) bool { return p.alt == t.Alt })
	if i < 0 && t.Op == schedule.Send && t.Delta > 0 {
		i = slices.IndexFunc(queue, func(p place) bool { return run.Decision{Alt: p.alt}.Case() == t.Case() })
	}
	return i
}

// Choose implements run.Scheduler.
func (f *follower) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Value {
		v := int32(0)
		if n := len(f.takenValue); n < len(f.values) && int(f.values[n]) < p.N {
			v = f.values[n]
		}
		f.takenValue = append(f.takenValue, v)
		return int(v)
	}
	if k := f.next(p, nil); k >= 0 {
		return k
	}
	return run.NonPreemptive{}.Choose(p)
}

// next returns the index of the next step of the list that is enabled and, if that is not nil,
// allowed. The result is -1 if there is none.
func (f *follower) next(p *run.SchedulingPoint, allowed func(*run.Transition) bool) int {
	best, at := -1, 0
	for k := range p.Enabled {
		if allowed != nil && !allowed(&p.Enabled[k]) {
			continue
		}
		if i := f.find(&p.Enabled[k]); i >= 0 {
			if index := f.queues[p.Enabled[k].Goroutine][i].index; best < 0 || index < at {
				best, at = k, index
			}
		}
	}
	return best
}

// only is Choose among the steps that are allowed. The result is -1 if there are none.
func (f *follower) only(p *run.SchedulingPoint, allowed func(*run.Transition) bool) int {
	if k := f.next(p, allowed); k >= 0 {
		return k
	}
	q := *p
	q.Enabled = nil
	var places []int
	for k := range p.Enabled {
		if allowed(&p.Enabled[k]) {
			q.Enabled, places = append(q.Enabled, p.Enabled[k]), append(places, k)
		}
	}
	if len(places) == 0 {
		return -1
	}
	return places[run.NonPreemptive{}.Choose(&q)]
}

// Stepping implements run.Watcher.
func (f *follower) Stepping(o *run.Transition, t *run.Trace) bool {
	f.look(t)
	s := step{o.Goroutine, o.Alt}
	f.taken, f.events = append(f.taken, s), append(f.events, len(t.Events))
	if o.IsEarly() {
		f.early++
	}
	if i := f.find(o); i >= 0 {
		f.queues[s.goroutine] = f.queues[s.goroutine][i+1:]
	}
	return true
}

// look notes that a run shows the finding that is looked for, if it does by now.
func (f *follower) look(t *run.Trace) {
	facts := len(t.TestFailures) + len(t.Unordered) + len(t.ClosedSends) // others end the run
	if f.found || facts == f.noted {
		return
	}
	f.noted = facts
	if check.Find(t, f.key) != nil {
		f.found, f.shown, f.decided, f.earlyThen = true, len(f.taken), len(t.Path), f.early
	}
}
