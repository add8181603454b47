package hyperconcolic

import (
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A revisit is a child of a node: a step that comes first there instead of the default, and what
// has to happen before it.
type revisit struct {
	node     int32 // index in nodes
	moved    clock // the events that are moved before the step; it may contain others before the node
	decision decision
	early    bool // the step is early
	site     run.SiteID
}

// maxRevisits bounds the weight of the revisits of a run: the number of decisions of their items.
// A run of some thousand steps has millions of revisits with as many decisions; such a search
// does not end.
const maxRevisits = 1 << 18

// addRevisit adds a revisit with a step unless a symmetric one is found elsewhere, or there are
// too many.
func (x *execution) addRevisit(r revisit, s *step) {
	if len(x.symmetric) > 0 && x.isMirrored(&x.nodes[r.node], s, r.moved) {
		return
	}
	if x.weight += len(x.decisions) + 1; !x.full() {
		x.revisits = append(x.revisits, r)
	}
}

// full reports whether there were more revisits than maxRevisits allows.
func (x *execution) full() bool { return x.weight > maxRevisits }

// maxTries bounds the sets of events that are tried in a run. Of events that are not ordered
// there are exponentially many sets, and most of them may be impossible.
const maxTries = 1 << 20

// stopped reports whether no more revisits are looked for in the run: there were too many of
// them, or of the sets that were tried, or the search is interrupted.
func (x *execution) stopped() bool {
	return x.full() || x.tries > maxTries || x.ctx.Err() != nil
}

// addRevisits adds the revisits that the last event makes possible: those in which it is the last
// event to be moved. pending is what all goroutines are about to do.
func (x *execution) addRevisits(pending []run.Transition) {
	last := int32(len(x.events) - 1)
	if last < 0 || x.stopped() {
		return
	}
	for i := range pending {
		if ob := x.buffer(&pending[i]); ob != nil {
			ob.inferBase(&pending[i])
		}
	}
	for i := range pending {
		t := &pending[i]
		other := t.Select && changesOther(&x.events[last].transition, pending, i)
		if !other && !x.tookPart(x.thread(t), last) && t.Partner < 0 && independent(&x.events[last].step, t) {
			continue
		}
		s := x.step(t)
		moved := x.tookPart(s.thread, last)
		switch {
		case t.Partner >= 0 && t.Op == schedule.Send:
			if moved || x.tookPart(s.partner, last) || x.related(last, &s) {
				x.reverse(&s, x.joined(x.before(s.thread), x.before(s.partner)), -1, pending)
			}
		case waits(t) && !t.Enabled:
		case t.Op == schedule.CondSignal && i > 0 && sameCase(&pending[i-1], t): // it has been tried, whomever it wakes
		case moved || x.related(last, &s):
			x.reverse(&s, x.joined(x.before(s.thread), nil), -1, pending)
		}
		if i > 0 && sameCase(&pending[i-1], t) {
			continue
		}
		if e := &x.events[last]; isCommunication(t) && (moved || e.transition.Queued && x.dependent(&e.step, &s) || other) {
			x.revisitPartners(&s, pending)
		}
	}
	x.revisitAlternatives(last)
	x.revisitMeetings(pending)
}

// independent reports whether s and t, of different threads, are on different objects and so not
// dependent. It saves making a step of t, which is large.
func independent(s *step, t *run.Transition) bool {
	return !s.wide && s.transition.Object != t.Object && !isWide(t) && t.Op != schedule.CondWake
}

// tookPart reports whether event i is the last one of thread t, or t appeared after it.
func (x *execution) tookPart(t, i int32) bool {
	th := &x.threads[t]
	if n := len(th.events); n > 0 {
		return th.events[n-1] == i
	}
	return th.creator == i
}

// changesOther reports whether e can make another case of the select that pending[i] is a case of
// ready or unready. Only a select of which no case is ready waits, and can be met by one that has a
// default case.
func changesOther(e *run.Transition, pending []run.Transition, i int) bool {
	if !dependence.ChangesChannel(e.Op) || e.Object == run.NoObject {
		return false
	}
	t := &pending[i]
	is := func(k int) bool { return pending[k].Object == e.Object && pending[k].Case() != t.Case() }
	for k := i - 1; k >= 0 && pending[k].Goroutine == t.Goroutine; k-- {
		if is(k) {
			return true
		}
	}
	for k := i + 1; k < len(pending) && pending[k].Goroutine == t.Goroutine; k++ {
		if is(k) {
			return true
		}
	}
	return false
}

// sameCase reports whether two transitions are one communication, with different partners.
func sameCase(a, b *run.Transition) bool {
	return a.Goroutine == b.Goroutine && a.Op == b.Op && a.Case() == b.Case()
}

// isCommunication reports whether t is a send or receive.
func isCommunication(t *run.Transition) bool {
	switch t.Op {
	case schedule.Send, schedule.Recv, schedule.RecvClosed:
		return t.Object != run.NoObject
	}
	return false
}

// waits reports whether t is a communication at which its goroutine is known to wait, or has
// been waiting until it was served in another way. Without a partner it takes place only if
// that is enabled now.
func waits(t *run.Transition) bool {
	switch t.Waits {
	case run.ReceiverWaits:
		return t.Op != schedule.Send
	case run.SenderWaits:
		return t.Op == schedule.Send
	}
	return t.Waits == run.Served
}

// related reports whether event i can affect whether, or how, s is enabled.
func (x *execution) related(i int32, s *step) bool {
	e := &x.events[i]
	return x.dependent(&e.step, s) || enables(&e.transition, &s.transition) ||
		s.transition.Op == schedule.CondWake && e.transition.Op == schedule.CondSignal
}

// enables reports whether a step z can enable the communication t.
func enables(z, t *run.Transition) bool {
	if z.Object != t.Object || z.Object == run.NoObject || t.Waits == run.Served {
		return false
	}
	switch t.Op {
	case schedule.Recv:
		return z.Op == schedule.Close || z.Op == schedule.TimerFire || z.Op == schedule.Send && z.Partner < 0
	case schedule.Send:
		return z.Op == schedule.Recv || z.Op == schedule.Close
	}
	return false
}

// revisitPartners adds the revisits in which s, a communication that is pending, meets one in the
// place of which its partner took another, or one that is pending too but could meet s only
// earlier, before the channel was closed or the partner was served in another way.
func (x *execution) revisitPartners(s *step, pending []run.Transition) {
	events := x.communications
	if s.transition.Delta > 0 {
		events = x.waited
	}
	before := x.before(s.thread)
	for _, i := range x.beside(events, ofCommunications, before) {
		if x.has(before, i) {
			continue // the pair would come after what it replaces
		}
		e := &x.events[i]
		for k := e.from; k < e.to; k++ {
			p := &x.alternatives[k]
			if !mayMeetAt(s, p) || hasDefault(pending, s.transition.Goroutine) && hasDefault(x.alternatives[e.from:e.to], p.Goroutine) {
				continue
			}
			there := step{transition: *p, thread: x.thread(p), partner: -1}
			pair := rendezvous(s, &there)
			x.reverse(&pair, x.joined(before, x.beforeEvent(there.thread, i)), i, nil)
		}
	}
	for k := range pending {
		p := &pending[k]
		if k > 0 && sameCase(&pending[k-1], p) || !mayMeetAt(s, p) ||
			hasDefault(pending, s.transition.Goroutine) && hasDefault(pending, p.Goroutine) {
			continue
		}
		there := step{transition: *p, thread: x.thread(p), partner: -1}
		if !meets(pending, s, &there) {
			pair := rendezvous(s, &there)
			x.reverse(&pair, x.joined(before, x.before(there.thread)), -1, pending)
		}
	}
}

// mayMeetAt reports whether s and p are a send and a receive on a channel, of two goroutines, that
// can meet: the channel has no buffer, or one of the goroutines was known to wait.
func mayMeetAt(s *step, p *run.Transition) bool {
	t := &s.transition
	return p.Object == t.Object && isCommunication(p) && p.Goroutine != t.Goroutine &&
		(p.Op == schedule.Send) != (t.Op == schedule.Send) && (t.Delta == 0 || waits(p) || waits(t))
}

// meets reports whether the rendezvous of s and there is one of the transitions.
func meets(transitions []run.Transition, s, there *step) bool {
	if s.transition.Op != schedule.Send {
		s, there = there, s
	}
	for i := range transitions {
		t := &transitions[i]
		if t.Goroutine == s.transition.Goroutine && t.Partner == there.transition.Goroutine && t.Op == schedule.Send &&
			t.Case() == s.transition.Case() && t.PartnerCase() == there.transition.Case() {
			return true
		}
	}
	return false
}

// hasDefault reports whether a goroutine has a transition that is the default case of a select.
func hasDefault(pending []run.Transition, goroutine int32) bool {
	for i := range pending {
		if t := &pending[i]; t.Goroutine == goroutine && t.Op == schedule.SelectDefault {
			return true
		}
	}
	return false
}

// rendezvous returns the step of two communications, a send and a receive.
func rendezvous(s, b *step) step {
	if s.transition.Op != schedule.Send {
		s, b = b, s
	}
	pair := step{transition: s.transition, thread: s.thread, partner: b.thread}
	t := &pair.transition
	t.Partner, t.Enabled = b.transition.Goroutine, true
	switch t.Waits = run.NoneWaits; {
	case waits(&s.transition):
		t.Waits, t.Queued = run.SenderWaits, true
	case waits(&b.transition):
		t.Waits, t.Queued = run.ReceiverWaits, true
	}
	t.Contingent = s.transition.Select && b.transition.Select && t.Waits == run.NoneWaits
	pair.wide = isWide(t)
	pair.decision = decision{
		goroutine: s.transition.Goroutine, alt: int32(s.transition.Case()),
		partner: b.transition.Goroutine, partnerAlt: int32(b.transition.Case()),
	}
	return pair
}

// beforeEvent returns what happened before thread t came to event i.
func (x *execution) beforeEvent(t, i int32) clock {
	e := &x.events[i]
	index := e.index
	if t != e.thread {
		index = e.partnerIndex
	}
	if index > 1 {
		return x.events[x.threads[t].events[index-2]].clock
	}
	return x.threads[t].base
}

// revisitAlternatives adds the revisits in which the last event comes before an alternative of a
// communication, or before the same communication on a channel that is still open.
func (x *execution) revisitAlternatives(last int32) {
	switch t := &x.events[last].transition; t.Op {
	case schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.Close, schedule.SelectDefault, schedule.LenChan, schedule.TimerFire, schedule.TimerSet:
	default:
		if t.Object != run.GoroutinesObject {
			return // it is not dependent with any communication
		}
	}
	for _, i := range x.beside(x.communications, ofCommunications, x.events[last].clock) {
		if x.has(x.events[last].clock, i) {
			continue // the communication happened before the last event
		}
		e := &x.events[i]
		for k := e.from; k < e.to; k++ {
			t := &x.alternatives[k]
			s := x.step(t)
			if s.decision == e.decision && !x.couldSend(last, &s) || waits(t) && !t.Enabled || !x.related(last, &s) {
				continue
			}
			x.reverse(&s, x.joined(x.beforeEvent(s.thread, i), nil), i, x.alternatives[e.from:e.to])
		}
	}
}

// couldSend reports whether s, a send that found its channel closed, could have sent before the
// close into the room that event i, a receive, has made.
func (x *execution) couldSend(i int32, s *step) bool {
	return s.transition.Op == schedule.Send && s.transition.State < 0 && x.events[i].transition.Op == schedule.Recv
}

// joined returns the union of two clocks, with room for all threads.
func (x *execution) joined(a, b clock) clock {
	c := x.clocks.make(len(x.threads))
	c.join(a)
	c.join(b)
	return c
}
