package worker

import (
	"slices"

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
// enabled and was not taken yet; when there is none it continues the
// goroutine that ran last. The steps in due come last as long as they would be early,
// and if there are any, time passes as soon as possible. Values are answered from their
// own list, then with 0. It records the steps that were taken.
type follower struct {
	queues map[int32][]place // of each goroutine, the steps not taken yet
	values []int32
	due    map[step]bool

	taken      []step
	events     []int  // the number of events before each of them
	early      []step // of those taken
	takenValue []int32
}

// A place is a step's place in the list and its alternative.
type place struct {
	index int
	alt   int32
}

func follow(steps []step, values []int32, due map[step]bool) *follower {
	f := &follower{queues: map[int32][]place{}, values: values, due: due}
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
	best, at := -1, 0
	for k := range p.Enabled {
		switch t := &p.Enabled[k]; {
		case f.isTooEarly(t):
			continue
		case t.Op == schedule.TimePass && len(f.due) > 0:
			return k // what is early is so by less then
		}
		if i := f.find(&p.Enabled[k]); i >= 0 {
			if index := f.queues[p.Enabled[k].Goroutine][i].index; best < 0 || index < at {
				best, at = k, index
			}
		}
	}
	if best >= 0 {
		return best
	}
	next := p.Continue()
	for k := 0; f.isTooEarly(&p.Enabled[next]) && k < len(p.Enabled); k++ {
		next = k
	}
	return next
}

// isTooEarly reports whether t is to be taken only if nothing else is possible.
func (f *follower) isTooEarly(t *run.Transition) bool {
	return t.IsEarly() && f.due[step{t.Goroutine, t.Alt}]
}

// Stepping implements run.Watcher.
func (f *follower) Stepping(o *run.Transition, t *run.Trace) bool {
	s := step{o.Goroutine, o.Alt}
	f.taken, f.events = append(f.taken, s), append(f.events, len(t.Events))
	if o.IsEarly() {
		f.early = append(f.early, s)
	}
	if i := f.find(o); i >= 0 {
		f.queues[s.goroutine] = f.queues[s.goroutine][i+1:]
	}
	return true
}

// switches counts the changes of goroutine in a list of steps.
func switches(steps []step) int {
	n := 0
	for i := 1; i < len(steps); i++ {
		if steps[i].goroutine != steps[i-1].goroutine {
			n++
		}
	}
	return n
}
