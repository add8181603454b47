package hyperconcolic

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A node is a place in the run at which the default is to let a thread go on. It
// is remembered if that was done, for later events may show that something else
// could have come first, and if something else did come first.
type node struct {
	position int32 // number of events before it
	act            // what the thread would do
	index    int32 // events of the thread before it
	from, to int32 // entries: all that the thread might do, when that is not one thing
	// touched tells of each thread which of its events is the first that has to do
	// with the entries, or comes after one that has; 0 when there is none. Events
	// from seen on have not been looked at.
	touched clock
	seen    int32
	// winner is the event before which the thread did not go on: the last one of
	// those that were moved here. It is -1 when the thread did go on.
	winner int32
}

// mayTouch is touches for a step that may turn out otherwise when it comes earlier.
func (x *execution) mayTouch(nd *node, a *act) bool {
	switch {
	case a.option.Compares:
		swaps := *a
		swaps.option.Op = schedule.AtomicUpdate
		return x.touches(nd, &swaps)
	case a.option.Op == schedule.WaitGroupAdd && nd.option.Op == schedule.WaitGroupAdd:
		return a.option.Object == nd.option.Object && a.option.Offset == nd.option.Offset
	case a.option.Op == schedule.RecvClosed:
		receives := *a
		receives.option.Op = schedule.Recv
		return x.touches(nd, &receives) || x.touches(nd, a)
	}
	return x.touches(nd, a)
}

// touches reports whether a has to do with what node nd lets a thread do: it
// is that thread's, or dependent with something that the thread might do.
func (x *execution) touches(nd *node, a *act) bool {
	if a.of(nd.thread) || a.of(nd.partner) {
		return true
	}
	if nd.from == nd.to {
		if nd.option.Op == schedule.WaitGroupAdd && a.option.Op == schedule.WaitGroupAdd {
			then := nd.act // it would find the counter as a does
			then.option.State = a.option.State
			return x.dependent(a, &then)
		}
		return x.dependent(a, &nd.act)
	}
	for k := nd.from; k < nd.to; k++ {
		o := &x.entries[k]
		switch {
		case !o.Enabled:
			if enables(&a.option, o) {
				return true
			}
		case o.Object != a.option.Object && !a.wide && !isWide(o) && o.Partner < 0:
		case run.Dependent(&a.option, o) || x.waitsForRest(&a.option):
			return true
		}
	}
	return false
}

// touch brings nd.touched up to date.
func (x *execution) touch(nd *node) {
	if len(nd.touched) < len(x.threads) {
		nd.touched = x.joined(nd.touched, nil)
	}
	nd.seen = max(nd.seen, nd.position)
	for ; int(nd.seen) < len(x.events); nd.seen++ {
		e := &x.events[nd.seen]
		touched := x.touches(nd, &e.act)
		for t := 0; !touched && t < len(e.clock); t++ {
			touched = nd.touched[t] > 0 && e.clock[t] >= nd.touched[t]
		}
		if !touched {
			continue
		}
		if nd.touched[e.thread] == 0 {
			nd.touched[e.thread] = e.index
		}
		if e.partner >= 0 && nd.touched[e.partner] == 0 {
			nd.touched[e.partner] = e.partnerIndex
		}
	}
}

// violates reports whether step a, after the events in history, of which those
// from position end on do not count, could have come first at nd in place of what did.
func (x *execution) violates(nd *node, a *act, history clock, end int32) bool {
	first := &x.events[nd.winner].act
	if first.of(nd.thread) || !x.touches(nd, a) {
		return false // a step of the thread itself counts as first before all others
	}
	if nd.winner < end && x.has(history, nd.winner) {
		return false
	}
	for i := nd.position; i < end; i++ {
		if x.has(history, i) && x.touches(nd, &x.events[i].act) {
			return false
		}
	}
	return a.of(nd.thread) || x.compare(a, first) < 0
}

// compare orders steps by their goroutines' names.
func (x *execution) compare(a, b *act) int {
	if a.option.Goroutine < 0 || b.option.Goroutine < 0 {
		return int(a.option.Goroutine) - int(b.option.Goroutine)
	}
	return x.names.Compare(a.option.Goroutine, b.option.Goroutine)
}
