package hyperconcolic

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// isMeeting reports whether all alternatives of nd are meetings on a channel without a buffer with
// goroutines that can do nothing else there, and none of these is left out because of symmetry.
func (x *execution) isMeeting(nd *node, pending []run.Transition) bool {
	alternatives := x.alternatives[nd.from:nd.to]
	if len(alternatives) < 2 {
		return false
	}
	for i := range alternatives {
		t := &alternatives[i]
		if t.Op != schedule.Send || t.Partner < 0 || t.Delta != 0 || t.Select || !t.Enabled || t.Queued ||
			t.Waits != run.NoneWaits || isWide(t) ||
			!onlyReceives(pending, t.Partner) {
			return false
		}
		if s := x.step(t); len(x.symmetric) > 0 && x.isMirrored(nd, &s, nil) {
			return false
		}
	}
	return true
}

// onlyReceives reports whether a goroutine is at a receive that is no case of a select.
func onlyReceives(pending []run.Transition, goroutine int32) bool {
	n := 0
	for i := range pending {
		if t := &pending[i]; t.Goroutine == goroutine {
			if n++; t.Op != schedule.Recv || t.Select || t.Waits != run.NoneWaits || isWide(t) {
				return false
			}
		}
	}
	return n == 1
}

// take notes which of the alternatives of node n, at which a thread meets somebody, the step s is.
func (x *execution) take(n int32, s *step) {
	nd := &x.nodes[n]
	for k := range nd.to - nd.from {
		if decisionOf(&x.alternatives[nd.from+k]) == s.decision {
			nd.taken = k
			x.meetingNodes = append(x.meetingNodes, n)
		}
	}
}

// prevents reports whether alternative k of nd is not possible any more, or not in the same way, after s.
func (x *execution) prevents(s *step, nd *node, k int32) bool {
	t := &x.alternatives[nd.from+k]
	if t.Object != s.transition.Object && !s.wide && !s.of(nd.thread) && t.Partner != s.transition.Goroutine &&
		t.Partner != s.transition.Partner {
		return false
	}
	return run.Dependent(&s.transition, t)
}

// preventsAll reports whether s prevents all alternatives of nd.
func (x *execution) preventsAll(s *step, nd *node) bool {
	for k := range nd.to - nd.from {
		if !x.prevents(s, nd, k) {
			return false
		}
	}
	return true
}

// firstToPrevent returns the first event of moved from nd on and before position end that prevents
// alternative k of nd, -1 if there is none.
func (x *execution) firstToPrevent(nd *node, k int32, moved clock, end int32) int32 {
	for i := nd.position; i < end; i++ {
		if x.has(moved, i) && x.prevents(&x.events[i].step, nd, k) {
			return i
		}
	}
	return -1
}

// firstBeside returns the first event from nd on that prevents alternative k and did not happen
// after the meeting at nd, -1 if there is none.
func (x *execution) firstBeside(nd *node, k int32) int32 {
	for i := nd.position; int(i) < len(x.events); i++ {
		if e := &x.events[i]; !x.has(e.clock, nd.position) && x.prevents(&e.step, nd, k) {
			return i
		}
	}
	return -1
}

// isChild reports whether s after moved is a child of the node, at which a thread has met somebody,
// and whether the run is one that has to find it, as far as that is seen from the node.
func (p *reversal) isChild(s *step, moved clock) bool {
	x, nd := p.execution, p.node
	if !x.prevents(s, nd, nd.taken) {
		return false
	}
	if s.of(nd.thread) {
		return p.preventsBefore(nd, moved)
	}
	past := p.pastOf(s, moved)
	needed := x.joined(past, nil)
	firsts := make([]int32, nd.to-nd.from) // the first events that prevent the alternatives, -1 for s
	for k := range firsts {
		firsts[k] = x.firstToPrevent(nd, int32(k), moved, p.last+1)
		switch i := firsts[k]; {
		case i >= 0:
			needed.join(x.events[i].clock)
		case int32(k) < nd.taken || !x.prevents(s, nd, int32(k)):
			return false
		}
	}
	for i := nd.position; i <= p.last; i++ {
		if x.has(moved, i) && !x.has(needed, i) {
			return false
		}
	}
	// Of the steps after which none of what is moved comes, s has to be the one that prevents the first alternative.
	for _, i := range firsts[:nd.taken] {
		if !x.has(past, i) && !slices.ContainsFunc(firsts, func(j int32) bool { return j >= 0 && j != i && x.has(x.events[j].clock, i) }) {
			return false
		}
	}
	return true
}

// preventsBefore reports whether the events of moved prevent all alternatives before the one that was taken at nd.
func (p *reversal) preventsBefore(nd *node, moved clock) bool {
	for k := range nd.taken {
		if p.firstToPrevent(nd, k, moved, p.last+1) < 0 {
			return false
		}
	}
	return true
}

// pastOf returns what happens before s if it comes after moved.
func (p *reversal) pastOf(s *step, moved clock) clock {
	x := p.execution
	past := x.joined(x.threads[s.thread].base, nil)
	if s.partner >= 0 {
		past.join(x.threads[s.partner].base)
	}
	for i := p.last; i >= 0; i-- {
		e := &x.events[i]
		if !p.precedes(i, moved) || x.has(past, i) {
			continue
		}
		if s.of(e.thread) || s.of(e.partner) || x.dependent(&e.step, s) {
			past.join(e.clock)
		}
	}
	return past
}

// isOnWay reports whether at nd, a node after the target at which the thread can meet several, the
// run is on the way to the events of moved.
func (p *reversal) isOnWay(nd *node, moved clock) bool {
	switch {
	case nd.taken >= 0:
		return p.has(moved, nd.position) || p.preventsBefore(nd, moved)
	case p.events[nd.winner].of(nd.thread):
		return p.has(moved, nd.winner)
	}
	for i := nd.position; i <= nd.winner; i++ {
		if !p.has(moved, i) {
			return false
		}
	}
	return true
}

// revisitMeetings adds the revisits of nodes at which a thread has met somebody, in which others
// meet all that it could have met there. The last step is the one with the goroutine that was met;
// reverse does not find it if the last event is another one's.
func (x *execution) revisitMeetings(pending []run.Transition) {
	last := int32(len(x.events)) - 1
	for k := len(x.meetingNodes) - 1; k >= 0; k-- {
		n := x.meetingNodes[k]
		nd := &x.nodes[n]
		if x.isSettled(nd, x.events[last].clock) {
			return
		}
		if !x.has(x.events[last].clock, nd.position) {
			x.revisitMeeting(n, pending)
		}
	}
}

// revisitMeeting is revisitMeetings for node n.
func (x *execution) revisitMeeting(n int32, pending []run.Transition) {
	nd := &x.nodes[n]
	last := int32(len(x.events)) - 1
	others := x.clocks.make(len(x.threads))
	for k := range nd.to - nd.from {
		if k == nd.taken {
			continue
		}
		i := x.firstBeside(nd, k)
		if i < 0 {
			return
		}
		others.join(x.events[i].clock)
	}
	goroutine := x.alternatives[nd.from+nd.taken].Partner
	others.join(x.beforeEvent(x.goroutine(goroutine), nd.position))
	receives := x.received(nd, goroutine)
	// try tries t, a send, before which the events of before happened; its goroutine did event
	// instead, if that is not -1.
	try := func(t *run.Transition, before clock, event int32) {
		if t.Op != schedule.Send || t.Object != nd.transition.Object ||
			t.Goroutine == nd.transition.Goroutine || waits(t) || x.has(before, nd.position) {
			return
		}
		moved := x.joined(others, before)
		if !x.has(moved, last) || event >= 0 && x.has(moved, event) {
			return
		}
		sends := step{transition: *t, thread: x.thread(t), partner: -1}
		p := &x.reversal
		p.execution, p.step, p.target, p.node = x, rendezvous(&sends, &receives), n, nd
		p.replaced, p.last, p.siblings = nd.position, last, nil
		p.tryStep(p.step, moved)
	}
	for i := range pending {
		if t := &pending[i]; i == 0 || !sameCase(&pending[i-1], t) {
			try(t, x.before(x.thread(t)), -1)
		}
	}
	at, _ := slices.BinarySearch(x.communications, nd.position+1)
	for _, i := range x.communications[at:] {
		e := &x.events[i]
		for k := e.from; k < e.to; k++ {
			if t := &x.alternatives[k]; t.Op == schedule.Send {
				try(t, x.beforeEvent(x.thread(t), i), i)
			}
		}
	}
}

// received returns the receive of the goroutine that was met at nd.
func (x *execution) received(nd *node, goroutine int32) step {
	e := &x.events[nd.position]
	for k := e.from; k < e.to; k++ {
		if t := x.alternatives[k]; t.Goroutine == goroutine {
			return step{transition: t, thread: x.goroutine(goroutine), partner: -1}
		}
	}
	panic("a meeting without a receive")
}
