package hyperconcolic

import (
	"cmp"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A node is a point of the run at which the default is a step of a thread. If the default was
// taken, later events may show that something else could have come first. If it was not,
// the node says what belongs to sibling items.
type node struct {
	position int32 // number of events before it
	step           // the default
	index    int32 // number of events of the thread before it
	from, to int32 // in alternatives: what the thread can do, if that is not one thing
	// conflicting holds for each thread the index of its first event that conflicts with
	// the alternatives, or that happened after one that does; 0 if there is none. Only the
	// events before scanned have been considered.
	conflicting clock
	scanned     int32
	// winner is the event that came first instead of the default, after those that were
	// moved here together with it. It is -1 if the default was taken.
	winner int32
	// meets says that the thread can do nothing but meet one of several goroutines. Then taken is
	// which of the alternatives was taken there, -1 if something else came first.
	meets bool
	taken int32
}

// mayConflict is conflicts for a step that may have another outcome when it comes earlier.
func (x *execution) mayConflict(nd *node, s *step) bool {
	switch {
	case s.transition.Compares:
		swaps := *s
		swaps.transition.Op = schedule.AtomicUpdate
		return x.conflicts(nd, &swaps)
	case s.transition.Op == schedule.WaitGroupAdd && nd.transition.Op == schedule.WaitGroupAdd:
		return s.transition.Object == nd.transition.Object && s.transition.Offset == nd.transition.Offset
	case s.transition.Op == schedule.RecvClosed:
		receives := *s
		receives.transition.Op = schedule.Recv
		return x.conflicts(nd, &receives) || x.conflicts(nd, s)
	}
	return x.conflicts(nd, s)
}

// conflicts reports whether s conflicts with the default of node nd: it is a step of the same
// thread, or dependent with something that the thread can do there.
func (x *execution) conflicts(nd *node, s *step) bool {
	if s.of(nd.thread) || s.of(nd.partner) {
		return true
	}
	if nd.from == nd.to {
		if nd.transition.Op == schedule.WaitGroupAdd && s.transition.Op == schedule.WaitGroupAdd {
			then := nd.step // it would find the same counter as s
			then.transition.State = s.transition.State
			return x.dependent(s, &then)
		}
		return x.dependent(s, &nd.step)
	}
	for k := nd.from; k < nd.to; k++ {
		t := &x.alternatives[k]
		switch {
		case !t.Enabled:
			if enables(&s.transition, t) {
				return true
			}
		case t.Object != s.transition.Object && !s.wide && !isWide(t) && t.Partner < 0:
		case run.Dependent(&s.transition, t):
			return true
		}
	}
	return false
}

// updateConflicting considers the events from nd.scanned on.
func (x *execution) updateConflicting(nd *node) {
	if len(nd.conflicting) < len(x.threads) {
		nd.conflicting = x.joined(nd.conflicting, nil)
	}
	nd.scanned = max(nd.scanned, nd.position)
	for ; int(nd.scanned) < len(x.events); nd.scanned++ {
		e := &x.events[nd.scanned]
		touched := x.conflicts(nd, &e.step)
		for t := 0; !touched && t < len(e.clock); t++ {
			touched = nd.conflicting[t] > 0 && e.clock[t] >= nd.conflicting[t]
		}
		if !touched {
			continue
		}
		if nd.conflicting[e.thread] == 0 {
			nd.conflicting[e.thread] = e.index
		}
		if e.partner >= 0 && nd.conflicting[e.partner] == 0 {
			nd.conflicting[e.partner] = e.partnerIndex
		}
	}
}

// violates reports whether step s, after the events in history before position end, would have
// come first at nd in place of the winner, so that it belongs to a sibling item.
func (x *execution) violates(nd *node, s *step, history clock, end int32) bool {
	first := &x.events[nd.winner].step
	if first.of(nd.thread) || !x.conflicts(nd, s) {
		return false // a step of the thread itself comes before all others
	}
	if nd.meets {
		for k := range nd.to - nd.from {
			if s.of(nd.thread) && x.firstToPrevent(nd, k, history, nd.winner+1) < 0 {
				return true
			}
		}
		return false
	}
	if nd.winner < end && x.has(history, nd.winner) {
		return false
	}
	for i := nd.position; i < end; i++ {
		if x.has(history, i) && x.conflicts(nd, &x.events[i].step) {
			return false
		}
	}
	return s.of(nd.thread) || x.compare(s, first) < 0
}

// compare orders steps by the names of their goroutines. Timers come first.
func (x *execution) compare(s, b *step) int {
	g, h := s.transition.Goroutine, b.transition.Goroutine
	switch {
	case g < 0 && h < 0:
		p, q := x.threads[s.thread].timer, x.threads[b.thread].timer
		if p.creator == q.creator || p.creator < 0 || q.creator < 0 {
			return cmp.Or(cmp.Compare(p.creator, q.creator), cmp.Compare(p.number, q.number))
		}
		return x.names.Compare(p.creator, q.creator)
	case g < 0 || h < 0:
		return cmp.Compare(g, h)
	}
	return x.names.Compare(g, h)
}
