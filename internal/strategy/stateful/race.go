package stateful

import (
	"slices"

	"github.com/everyway-go/everyway/schedule"
)

// look finds the events with which the next step of a thread, which has a label with this number, conflicts, and
// that did not happen before it: in another order, it may come first. Then one has to try, in the
// state before the event, something that leads there. What happened before
// the step, as far as it is known, is what has happened before the thread can take it.
//
// What it makes be tried stays so as long as the choice is there. So events are left out that it has looked at already, for the same label after the same
// past.
func (sc *scheduler) look(w who, number int) {
	b := &sc.all[number]
	if isQuiescent(b) {
		return
	}
	at := sc.knownSince(w)
	past := sc.pastOf(at)
	from := sc.passed
	if isWide(b) {
		if len(sc.events) >= manyEvents {
			from = sc.lookFrom(number, at)
		}
		for i := int32(len(sc.events)) - 1; i >= from; i-- {
			sc.compare(w, past, b, i)
		}
		return
	}
	wide, own := sc.wide, sc.objects[b.Object]
	if len(wide)+len(own) >= manyEvents {
		from = sc.lookFrom(number, at)
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
		sc.compare(w, past, b, k)
	}
}

// compare is look for event i.
func (sc *scheduler) compare(w who, past clock, b *label, i int32) {
	e := &sc.events[i]
	if e.choice < 0 || sc.choices[e.choice].full || sc.contains(past, i) {
		return
	}
	if sc.conflicts(i, b) {
		sc.reverse(w, past, i)
	}
}

// conflicts reports whether a step with label b may conflict with event i, if that came before it.
func (sc *scheduler) conflicts(i int32, b *label) bool {
	if t := &sc.events[i].transition; b.Op == schedule.TimerFire && t.Op == schedule.Recv && t.Object == b.Object {
		return false // the channel of the timer was full
	}
	return slices.ContainsFunc(sc.labelsOf(i), func(o own) bool { return conflict(&sc.all[o.label], b) })
}

// reverse makes something be tried in the state before event i that leads to a step of w before
// which past happened: a step of w or of a thread on which that depends, or else all steps.
func (sc *scheduler) reverse(w who, past clock, i int32) {
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
	if !found || !c.try(other) {
		c.tryAll()
	}
}
