package stateful

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// ahead is what is known, in a state from which everything has been tried, of the steps that
// threads take after those that they are at.
//
// What happens before the step t that a thread is at happens before its later steps, too. So it
// happens before them what has been done that depends on t. And if t is not possible, one of the
// steps on its object comes before it that are possible from the state on: so what has happened
// before all of those does.
//
// An event of these and a later step of the thread have another order only where that of the event,
// or one after it, and t, or one before that, is another one. The labels of these are compared with
// the events as well.
type ahead struct {
	known   bool // whether it is that of the state that is looked at
	below   []int32
	pending []run.Transition
	threads []aheadOf // by thread
}

// aheadOf is ahead for a thread.
type aheadOf struct {
	found bool  // in this state
	next  int   // the label of the step that the thread is at, -1 if it is not known to be at one step
	past  clock // of the steps after that
	id    int32 // of past, below -1: another one if it does not include the last one
}

// foresee begins with what is known ahead in a state, with the labels of what is possible from there.
func (sc *scheduler) foresee(below []int32, pending []run.Transition) {
	a := &sc.ahead
	a.known, a.below, a.pending = sc.foresees, below, pending
	for i := range a.threads {
		a.threads[i].found = false
	}
}

// laterPast returns what happens before a step with a label of a thread that is not at that step, and an id of it that
// is not an event; nil if that is not known to be more than what happened before its next step.
func (sc *scheduler) laterPast(w who, label int) (past clock, id int32) {
	thread, ok := sc.numbers[w]
	if !ok || w.goroutine < 0 {
		return nil, 0
	}
	a := &sc.ahead
	for int(thread) >= len(a.threads) {
		a.threads = append(a.threads, aheadOf{})
	}
	of := &a.threads[thread]
	if !of.found {
		of.found = true
		sc.lookAhead(w, thread, of)
	}
	if of.next < 0 || !comesAfter(&sc.all[label], &sc.all[of.next]) {
		return nil, 0
	}
	return of.past, of.id
}

// comesAfter reports whether a step with label b is known not to be the one that its thread is at,
// with label at. That may have another label by the time it is taken: a receive is one from a
// closed channel then, and a TryLock fails or not.
func comesAfter(b, at *label) bool {
	if b.Object != at.Object || b.Offset != at.Offset {
		return true
	}
	switch at.Op {
	case schedule.Lock, schedule.RLock:
		return b.Op == schedule.Unlock || b.Op == schedule.RUnlock
	case schedule.Read, schedule.Write, schedule.AtomicRead, schedule.AtomicWrite, schedule.AtomicUpdate,
		schedule.Unlock, schedule.RUnlock, schedule.WaitGroupAdd, schedule.WaitGroupWait:
		return b.Op != at.Op // a CompareAndSwap has the same label whether it swaps or not
	}
	return false
}

// lookAhead finds out what is known ahead of a thread.
func (sc *scheduler) lookAhead(w who, thread int32, of *aheadOf) {
	of.next = -1
	t := sc.onlyStep(w.goroutine)
	if t == nil {
		return
	}
	l, ok := labelOf(t)
	if !ok || isWide(&l) || l.Spins || l.Queued || l.Select || l.Object == run.NoObject || !isOrdered(l.Op) {
		return
	}
	of.next = sc.number(&l)
	past := make(clock, len(sc.threads))
	past.join(sc.now(thread))
	on := sc.objects[t.Object]
	for k := len(on) - 1; k >= 0; k-- {
		f := &sc.events[on[k]]
		switch {
		case int(past[f.thread]) >= int(f.index):
		case f.transition.Op == schedule.SelectDefault || !run.Dependent(&f.transition, t) && !enables(&f.transition, t):
			continue
		default:
			past.join(sc.clockOf(on[k]))
		}
		if f.last {
			break // the earlier ones happened before it
		}
	}
	if !t.Enabled {
		past.join(sc.beforeAll(t, thread))
	}
	if of.id == 0 || !past.includes(of.past) {
		sc.pasts++
		of.id = -1 - sc.pasts
	}
	of.past = past
}

// isOrdered reports whether all that depends on a step of this kind, before it is taken, still does
// when it is taken with another label.
func isOrdered(op schedule.Op) bool {
	switch op {
	case schedule.Lock, schedule.RLock, schedule.Unlock, schedule.RUnlock, schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.Close,
		schedule.Read, schedule.Write, schedule.AtomicRead, schedule.AtomicWrite, schedule.AtomicUpdate, schedule.WaitGroupAdd, schedule.WaitGroupWait:
		return true
	}
	return false
}

// onlyStep returns the step of pending that a goroutine is at, nil if it may take another one.
func (sc *scheduler) onlyStep(goroutine int32) *run.Transition {
	var only *run.Transition
	for i := range sc.ahead.pending {
		if t := &sc.ahead.pending[i]; t.Goroutine == goroutine {
			if only != nil {
				return nil
			}
			only = t
		}
	}
	return only
}

// isAt reports whether a thread is at a step of a select with the given label, as far as that matters.
func (sc *scheduler) isAt(label int32) bool {
	l := &sc.all[label]
	if !l.Select || l.Op != schedule.RecvClosed && l.Op != schedule.Recv {
		return false
	}
	return slices.ContainsFunc(sc.ahead.pending, func(t run.Transition) bool {
		if t.Goroutine != l.Goroutine || t.Op != l.Op || t.Object != l.Object {
			return false
		}
		at, ok := labelOf(&t)
		return ok && sc.number(&at) == int(label)
	})
}

// beforeAll returns what has happened before all steps of other threads that can come on the object of t.
func (sc *scheduler) beforeAll(t *run.Transition, thread int32) clock {
	var all clock
	for _, n := range sc.ahead.below {
		l := &sc.all[n]
		w := whoTakes(l)
		if other, ok := sc.numbers[w]; ok && other == thread || l.Object != t.Object && w.goroutine >= 0 && !isWide(l) {
			continue
		}
		now := sc.nowOf(w)
		if all == nil {
			all = make(clock, len(sc.threads))
			copy(all, now)
			continue
		}
		for i := range all {
			if i < len(now) {
				all[i] = min(all[i], now[i])
			} else {
				all[i] = 0
			}
		}
	}
	return all
}
