package stateful

import (
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// look finds the events with which the next step of a thread, which has a label with this number, conflicts, and
// that did not happen before it: in another order, it may come first. Then one has to try, in the
// state before the event, something that leads there. What happened before
// the step, as far as it is known, is what has happened before the thread can take it.
//
// What it makes be tried stays so as long as the choice is there. So events are left out that it
// has looked at already, for the same label after the same past.
//
// The last argument says whether the step is the one that the thread is at, rather than one that may come later.
func (sc *scheduler) look(w who, number int, next bool) {
	b := &sc.all[number]
	if isQuiescent(b) {
		return
	}
	next = next && isWoken(b)
	at := sc.knownSince(w)
	past := sc.pastOf(at)
	if sc.ahead.known {
		if p, id := sc.laterPast(w, number); p != nil {
			past, at = p, id
		}
	}
	if sc.checks {
		defer sc.lookAgain(w, past, b, next, at)
	}
	from := sc.passed
	if isWide(b) {
		if sc.areMany(len(sc.events)) {
			from = sc.lookFrom(number, at, past, next)
		}
		for i := int32(len(sc.events)) - 1; i >= from; i-- {
			sc.compare(w, past, b, i, next && at < i)
		}
		return
	}
	wide, own := sc.wide, sc.objects[b.Object]
	if sc.areMany(len(wide) + len(own)) {
		from = sc.lookFrom(number, at, past, next)
	}
	for i, j := len(wide)-1, len(own)-1; i >= 0 || j >= 0; {
		k := int32(-1)
		if i >= 0 {
			k = wide[i]
		}
		if j >= 0 && own[j] >= k {
			if own[j] == k {
				i--
			}
			k = own[j]
			j--
			if k >= from && sc.events[k].last && sc.contains(past, k) {
				j = -1 // all earlier ones on the object happened before it
			}
		} else {
			i--
		}
		if k < from {
			return
		}
		sc.compare(w, past, b, k, next && at < k)
	}
}

// areMany reports whether it is noted which of so many events a label has been compared with.
func (sc *scheduler) areMany(events int) bool { return events >= manyEvents || sc.checks }

// lookAgain makes all comparisons that look may make, and panics if one of them makes something be
// tried that look has not made be tried.
func (sc *scheduler) lookAgain(w who, past clock, b *label, next bool, at int32) {
	for i := int32(len(sc.events)) - 1; i >= sc.passed; i-- {
		k := sc.events[i].choice
		if k < 0 {
			continue
		}
		before := sc.choices[k].tried()
		if sc.compare(w, past, b, i, next && at < i); sc.choices[k].tried() != before {
			panic(fmt.Sprintf("stateful: %v of %v has not been compared with event %d, after what is known by %d", *b, w, i, at))
		}
	}
}

// compare is look for event i. The last argument says whether w was at its step before that.
func (sc *scheduler) compare(w who, past clock, b *label, i int32, there bool) {
	e := &sc.events[i]
	if e.choice < 0 || sc.choices[e.choice].full || sc.contains(past, i) {
		return
	}
	if sc.conflicts(i, b) {
		sc.reverse(w, past, i, there && sc.foresees && wakes(&e.transition, b))
	}
}

// conflicts reports whether a step with label b may conflict with event i, if that came before it.
func (sc *scheduler) conflicts(i int32, b *label) bool {
	if t := &sc.events[i].transition; b.Op == schedule.TimerFire && t.Op == schedule.Recv && t.Object == b.Object {
		return false // the channel of the timer was full
	}
	return slices.ContainsFunc(sc.labelsOf(i), func(o own) bool { return conflictsWith(&sc.events[i], &sc.all[o.label], b) })
}

// conflictsWith is conflict for label a of event e.
func conflictsWith(e *event, a, b *label) bool {
	return conflict(a, b) && !(e.transition.Op == schedule.SelectDefault && missesDefault(a, b))
}

// missesDefault reports whether a step with label b, which was not possible where its thread was at
// it, makes no difference to an earlier default case of a select that has a case with label a.
//
// The default case changes nothing. So if the step might be taken before it, it might be taken
// after it and what happened in between, where it would have been possible. That is not so for one
// that meets the case of the select itself.
func missesDefault(a, b *label) bool {
	plain := func(l *label) bool {
		return (l.Op == schedule.Send || l.Op == schedule.Recv) && !l.Queued && l.Waits == run.NoneWaits &&
			l.Queue == run.ObjectID{} && !l.Spins
	}
	return !b.Enabled && a.Op == b.Op && plain(a) && plain(b)
}

// reverse makes something be tried in the state before event i that leads to a step of w before
// which past happened: a step of w or of a thread on which that depends, or else all steps, unless the event woke w.
func (sc *scheduler) reverse(w who, past clock, i int32, woken bool) {
	c := &sc.choices[sc.events[i].choice]
	if c.try(w) {
		return
	}
	other := who{goroutine: -1, creator: -1}
	found := false
	for k := i + 1; int(k) < len(sc.events); k++ {
		if !sc.contains(past, k) {
			continue
		}
		for _, t := range [2]int32{sc.events[k].thread, sc.events[k].partner} {
			if t < 0 {
				continue
			}
			v := sc.threads[t].who
			all, any := c.tries(v)
			if all {
				return
			}
			if any && !found {
				other, found = v, true
			}
		}
	}
	if (!found || !c.try(other)) && !woken {
		c.tryAll()
	}
}

// wakes reports whether a step, which closes a channel or is a timer that sends on it, makes one
// with label b possible, of a thread that waits in a select.
//
// That step has no other order. What the thread might have done instead before, it does with one
// that was not there yet, or it would have had that step. If this one comes to an operation on the
// same channel, or on one that the select has and the step does not keep it from, that conflicts
// with the step, or with what the thread does after it; and what is possible after the step as well
// as before it leads to the same state.
func wakes(t *run.Transition, b *label) bool {
	if b.Object != t.Object || !isWoken(b) || b.Default || b.Spins || b.Queued || b.Waits != run.NoneWaits || (b.Queue != run.ObjectID{}) {
		return false
	}
	return t.Op == schedule.Close && t.State >= 0 && b.Op == schedule.RecvClosed || t.Op == schedule.TimerFire && b.Op == schedule.Recv
}

// isWoken reports whether a step with label b can be one that wakes makes possible.
func isWoken(b *label) bool { return b.Op == schedule.RecvClosed || b.Op == schedule.Recv }
