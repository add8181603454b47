package cause

import (
	"context"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A Delay is how a run differs from one that fails: from one of its steps on, the goroutine that takes it waits, and
// the others go on without it. If the step is that of a timer, no timer fires meanwhile.
type Delay struct {
	Step int
	// Others is how many steps the others take before the goroutine goes on. If they cannot take so many, it goes on
	// when nothing else is possible.
	Others int
}

// moreSteps is how many steps others take ahead of a goroutine at most, beyond twice those of the run.
const moreSteps = 100

// A Delayed is what has become of a run with a Delay.
type Delayed struct {
	Passes bool
	Steps  int // that the run took
	// Ahead are the steps that the others have taken while the goroutine waited.
	Ahead []run.Transition
	// Instead is the step that was taken in the place of the default of a select, nil if there is none.
	Instead *run.Transition
	// Blocked are the operations of the others that were pending when the goroutine went on.
	Blocked []run.Transition
}

// A Missed is a step that comes too late in a run that fails, or not at all. The run passes with the Delay, in which
// the last of the steps of others is the one that the run has missed.
type Missed struct {
	First int         // the place among the events of the operation before which it has to come
	Op    schedule.Op // that operation, which may have failed
	Delay Delay
	Runs  int // that were made to find it
}

// FindMissed looks for a step that has to come earlier than the run that fails has it, which may
// not have it at all: its goroutine was blocked or had not come there when the run failed. It
// delays goroutines, the last steps first, and lets the others go on; if the run then passes, it
// lets them take ever fewer steps, until one of them makes the difference. The function try makes
// such a run. Steps whose first event is none of the first until events are not delayed. The result
// is nil if there is no such step within the bounds, or before ctx ends.
func FindMissed(ctx context.Context, r *Run, until int, try func(context.Context, Delay) (Delayed, error)) (*Missed, error) {
	s := &missing{run: r, until: until, steps: maxSteps, last: make(map[int32]*delayed), try: try}
	for i := len(r.Steps) - 1; i >= 0 && s.left(ctx); i-- {
		if !s.matters(i) {
			continue
		}
		d, err := s.delay(ctx, Delay{Step: i, Others: 2*len(r.Steps) + moreSteps})
		if err != nil {
			return nil, err
		}
		s.last[r.Steps[i].Goroutine] = &delayed{at: i, Delayed: d}
		if !d.Passes {
			continue
		}
		others, err := s.fewest(ctx, i, len(d.Ahead))
		if err != nil {
			return nil, err
		}
		if first := r.eventOf(i); first >= 0 && others >= 0 {
			return &Missed{First: first, Op: r.Steps[i].Op, Delay: Delay{Step: i, Others: others}, Runs: s.runs}, nil
		}
	}
	return nil, nil
}

// missing is a search for a step that comes too late.
type missing struct {
	run         *Run
	until       int
	runs, steps int                // made, and left
	last        map[int32]*delayed // by goroutine
	try         func(context.Context, Delay) (Delayed, error)
}

// A delayed is what became of the last run in which a goroutine was delayed.
type delayed struct {
	Delayed
	at int // the step from which it was delayed
}

func (s *missing) left(ctx context.Context) bool {
	return s.runs < maxRuns && s.steps >= len(s.run.Steps) && ctx.Err() == nil
}

func (s *missing) delay(ctx context.Context, d Delay) (Delayed, error) {
	s.runs++
	got, err := s.try(ctx, d)
	s.steps -= max(len(s.run.Steps)+len(got.Ahead), got.Steps)
	return got, err
}

// matters reports whether a run may differ in which a goroutine is delayed from a step on, from the one in which it is
// delayed from its next step on: whether the order of the step and what others do matters.
func (s *missing) matters(i int) bool {
	step := &s.run.Steps[i]
	if !decides(step.Op) || step.Alone || step.Event >= s.until {
		return false
	}
	last := s.last[step.Goroutine]
	if last == nil {
		return true
	}
	for j := i + 1; j < last.at; j++ {
		if other := &s.run.Steps[j]; other.Goroutine != step.Goroutine && run.Dependent(&step.Transition, &other.Transition) {
			return true
		}
	}
	for _, list := range [][]run.Transition{last.Ahead, last.Blocked} {
		for j := range list {
			if run.Dependent(&step.Transition, &list[j]) {
				return true
			}
		}
	}
	return false
}

// decides reports whether an operation can be one of two whose order decides how a run ends.
func decides(op schedule.Op) bool {
	switch op {
	case schedule.NoOp, schedule.LenChan, schedule.TimePass, schedule.BubbleIdle:
		return false
	}
	return op < schedule.Spawn
}

// fewest returns how many steps others have to take before a step: with one less, the run does not pass. It is known
// to pass with most. The result is negative if there is no such number, or if that is not known within the bounds.
func (s *missing) fewest(ctx context.Context, step, most int) (int, error) {
	passes, fails := most, 0 // without a delay the run is the one that fails
	if s.run.Steps[step].Op == schedule.SelectDefault {
		fails = -1 // but for the case of the select
	}
	for next := fails + 1; fails+1 < passes; next = fails + 1 + min(next, (passes-fails-1)/2) {
		if !s.left(ctx) {
			return -1, nil
		}
		d, err := s.delay(ctx, Delay{Step: step, Others: next})
		switch {
		case err != nil:
			return -1, err
		case d.Passes:
			passes = next
		default:
			fails = next
		}
	}
	if passes == fails {
		return -1, nil
	}
	return passes, nil
}

// EventOf returns the place of the event of a goroutine among those of one of its steps, which
// carries out the given operation or fails to do so. There were begin events before the step, and
// end before the next one. The result is -1 if there is none.
func EventOf(events []run.Event, goroutine int32, op schedule.Op, begin, end int) int {
	for i := begin; i < end; i++ {
		e := &events[i]
		if e.Goroutine != goroutine || e.Op == schedule.TimePass { // a timer fires early
			continue
		}
		if e.Op == op || e.Op == schedule.Fail || isAtomic(e.Op) && isAtomic(op) {
			return i
		}
		break
	}
	return -1
}

// isAtomic reports whether an operation is an atomic access that reads. A CompareAndSwap may be either.
func isAtomic(op schedule.Op) bool { return op == schedule.AtomicRead || op == schedule.AtomicUpdate }

// eventOf returns the place of the event of a step, -1 if it has none.
func (r *Run) eventOf(step int) int {
	s, end := &r.Steps[step], len(r.Events)
	if step+1 < len(r.Steps) {
		end = r.Steps[step+1].Event
	}
	return EventOf(r.Events, s.Goroutine, s.Op, s.Event, end)
}
