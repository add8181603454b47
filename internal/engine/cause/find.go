package cause

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// The bounds of one search for a cause.
const (
	maxRuns  = 150
	maxSteps = 150_000 // of all runs together
	maxPairs = 4000    // that are looked at
	maxLooks = 1 << 22 // pairs of events that may be one
)

// A Run is a run that fails.
type Run struct {
	Events []run.Event
	Steps  []Step
	// Synchronization says that plain accesses to memory are not exchanged.
	Synchronization bool
}

// A Step is one step of a run.
type Step struct {
	run.Transition
	Event int  // the first event that came of it, or of what came after it
	Alone bool // nobody else was left that could have taken a step some time
}

// An Attempt is what has become of a run whose steps were to come in another order.
type Attempt struct {
	Events []run.Event // valid until the next attempt
	Passes bool
	Steps  int // that it took
}

// A Cause is two operations of different goroutines, by their places among the events. The run passes if Then
// comes before First.
type Cause struct {
	First, Then int
	Op          schedule.Op // of Then, which may have failed: a CompareAndSwap that swaps where it comes before First, or the reverse
	Runs        int         // that were made to find it
}

// Find looks for the cause of a failure. The function try makes a run whose steps are to come in the given order, by
// their places among those of r. The result is nil if there is none within the bounds, or before ctx ends.
func Find(ctx context.Context, r *Run, try func(ctx context.Context, order []int) (Attempt, error)) (*Cause, error) {
	steps := maxSteps
	for n, p := range pairs(r) {
		if n == maxRuns || steps < len(r.Steps) || ctx.Err() != nil {
			break
		}
		a, err := try(ctx, r.exchanged(p))
		if err != nil {
			return nil, err
		}
		steps -= max(len(r.Steps), a.Steps)
		if !a.Passes {
			continue
		}
		if then := exchanged(r.Events, a.Events, p.first, p.then); then >= 0 {
			c := &Cause{First: p.first, Then: p.then, Op: a.Events[then].Op, Runs: n + 1}
			if was := r.Events[p.then].Op; was == schedule.AtomicUpdate && c.Op == schedule.AtomicRead {
				c.Op = was // a CompareAndSwap that swaps is called one, though it does not swap there
			}
			return c, nil
		}
	}
	return nil, nil
}

// A pair is two operations that may be a cause.
type pair struct {
	first, then int // events
	from, to    int // their steps
	moved       int // steps that change places
}

// pairs returns the pairs to be tried, in order: those for which fewer steps move first and, among them, the
// later ones, which are nearer to the failure.
func pairs(r *Run) []pair {
	stepOf := r.stepsOfEvents()
	byCell := make(map[cell]history)
	var list []pair
	looks := 0
	for i := range r.Events {
		e := &r.Events[i]
		if !counts(e) || stepOf[i] < 0 || r.Synchronization && (e.Op == schedule.Read || e.Op == schedule.Write) {
			continue
		}
		c := cell{e.Object, e.Offset}
		for j := range byCell[c].ofOthers(e.Goroutine) {
			if looks++; looks > maxLooks {
				return order(list)
			}
			before := &r.Events[j]
			if !changes(before.Op) && !changes(e.Op) || bound(before, e, j) {
				continue
			}
			if stepOf[j] >= stepOf[i] {
				continue // the later one is a plain access of a goroutine whose last step came before
			}
			p := pair{first: j, then: i, from: stepOf[j], to: stepOf[i]}
			for _, s := range r.Steps[p.from : p.to+1] {
				if s.Goroutine == e.Goroutine {
					p.moved++
				}
			}
			list = append(list, p)
			if len(list) == maxPairs {
				return order(list)
			}
		}
		byCell[c] = byCell[c].add(e.Goroutine, i)
	}
	return order(list)
}

// A history has the events of a cell, in order: so many may be of one goroutine that nobody can
// look at all of them for each of its own.
type history []turn

// A turn is the events of a cell that a goroutine has made one after the other.
type turn struct {
	goroutine int32
	events    []int
}

// add adds an event.
func (h history) add(goroutine int32, event int) history {
	if n := len(h); n == 0 || h[n-1].goroutine != goroutine {
		h = append(h, turn{goroutine: goroutine})
	}
	last := &h[len(h)-1]
	last.events = append(last.events, event)
	return h
}

// ofOthers returns the events of other goroutines, the last one first.
func (h history) ofOthers(goroutine int32) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, t := range slices.Backward(h) {
			if t.goroutine == goroutine {
				continue
			}
			for _, event := range slices.Backward(t.events) {
				if !yield(event) {
					return
				}
			}
		}
	}
}

func order(list []pair) []pair {
	slices.SortStableFunc(list, func(a, b pair) int { return cmp.Or(cmp.Compare(a.moved, b.moved), cmp.Compare(b.then, a.then)) })
	return list
}

// A cell is a variable, lock or channel.
type cell struct {
	object run.ObjectID
	offset int32
}

// counts reports whether an event is an operation whose order a schedule chooses.
func counts(e *run.Event) bool {
	return e.Object != run.NoObject && e.Goroutine >= 0 && e.Op < schedule.Spawn &&
		e.Op != schedule.Unlock && e.Op != schedule.RUnlock && e.Op != schedule.LenChan && e.Op != schedule.TimerSet
}

// changes reports whether others notice that an operation was carried out.
func changes(op schedule.Op) bool {
	switch op {
	case schedule.Read, schedule.AtomicRead, schedule.RLock, schedule.TryFail, schedule.SelectDefault, schedule.WaitGroupWait:
		return false
	}
	return true
}

// bound reports whether the order of two events is no cause: the later one, e, could not have come without the earlier
// one, which has the given place and has sent what it receives, or they add to a wait group both.
func bound(earlier, e *run.Event, at int) bool {
	if earlier.Op == schedule.WaitGroupAdd && e.Op == schedule.WaitGroupAdd {
		return true // they make no difference to each other
	}
	return earlier.Op == schedule.Send && e.Op == schedule.Recv && int(e.Other) == at ||
		earlier.Op == schedule.Close && e.Op == schedule.RecvClosed
}

// stepsOfEvents returns for each event the step of which it came, -1 if that is not known.
func (r *Run) stepsOfEvents() []int {
	of := make([]int, len(r.Events))
	last := make(map[int32]int)
	next := 0
	for i := range r.Events {
		for next < len(r.Steps) && r.Steps[next].Event <= i {
			last[r.Steps[next].Goroutine] = next
			next++
		}
		if step, ok := last[r.Events[i].Goroutine]; ok {
			of[i] = step
		} else {
			of[i] = -1
		}
	}
	return of
}

// exchanged returns the order of steps in which the later operation of a pair, with what its
// goroutine does before it, comes before the earlier one.
func (r *Run) exchanged(p pair) []int {
	order := make([]int, 0, len(r.Steps))
	for i := range p.from {
		order = append(order, i)
	}
	g := r.Steps[p.to].Goroutine
	for i := p.from; i <= p.to; i++ {
		if r.Steps[i].Goroutine == g {
			order = append(order, i)
		}
	}
	for i := p.from; i < len(r.Steps); i++ {
		if i > p.to || r.Steps[i].Goroutine != g {
			order = append(order, i)
		}
	}
	return order
}

// exchanged returns where, of two events of a run, the later one has come in another run. The
// result is negative if it has not, or if the earlier one has come before it.
func exchanged(was, now []run.Event, first, then int) int {
	t := Same(was, then, now)
	if f := Same(was, first, now); f >= 0 && f < t {
		return -1
	}
	return t
}

// Same returns the place among the events of another run of the event that has a place among those
// of a run, -1 if there is none: of the same operation at the same place of the same goroutine,
// with as many such before it.
func Same(was []run.Event, at int, now []run.Event) int { return find(now, &was[at], nth(was, at)) }

// nth returns how many events before the given one are the same operation at the same place of the same goroutine.
func nth(events []run.Event, at int) int {
	n := 0
	for i := range at {
		if same(&events[i], &events[at]) {
			n++
		}
	}
	return n
}

// find returns the place of the event that is the same as e and has n such before it, -1 if there is none.
func find(events []run.Event, e *run.Event, n int) int {
	for i := range events {
		if same(&events[i], e) {
			if n == 0 {
				return i
			}
			n--
		}
	}
	return -1
}

func same(a, b *run.Event) bool {
	return a.Goroutine == b.Goroutine && a.Site == b.Site && a.Caller == b.Caller && a.Object == b.Object
}
