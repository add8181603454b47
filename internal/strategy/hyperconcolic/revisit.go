package hyperconcolic

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A revisit is another way to go on from a node than its default: a step that
// comes first, with what has to happen before that.
type revisit struct {
	node  int32 // index in nodes
	moved clock // the events that are moved before the step, and those before the node
	move  move
}

// maxKept bounds the revisits of a run, by the moves of their items. A run of some
// thousand steps has millions of revisits of as many moves; there is no coming to
// the end of such a search.
const maxKept = 1 << 18

// keep adds a revisit, unless there are too many.
func (x *execution) keep(r revisit) {
	if x.weight += len(x.moves) + 1; !x.full() {
		x.revisits = append(x.revisits, r)
	}
}

// full reports whether there are more revisits than are kept.
func (x *execution) full() bool { return x.weight > maxKept }

// look finds the revisits that the last event makes possible: those for which
// all that has to be moved is there only now. pending is what all goroutines
// are about to do.
func (x *execution) look(pending []run.Transition) {
	last := int32(len(x.events) - 1)
	if last < 0 || x.full() {
		return
	}
	for i := range pending {
		if ob := x.buffer(&pending[i]); ob != nil {
			ob.measure(&pending[i])
		}
	}
	for i := range pending {
		o := &pending[i]
		if !x.tookPart(x.thread(o), last) && o.Partner < 0 && apart(&x.events[last].act, o) {
			continue
		}
		a := x.act(o)
		moved := x.tookPart(a.thread, last)
		switch {
		case o.Partner >= 0 && o.Op == schedule.Send:
			if moved || x.tookPart(a.partner, last) || x.related(last, &a) {
				x.place(&a, x.joined(x.before(a.thread), x.before(a.partner)), -1, pending)
			}
		case moved || x.related(last, &a):
			x.place(&a, x.joined(x.before(a.thread), nil), -1, pending)
		}
		if moved && meets(o) && (i == 0 || !sameCase(&pending[i-1], o)) {
			x.lookForPartners(&a, pending)
		}
	}
	x.lookBack(last)
}

// apart reports whether step a and an option o, of other threads, have nothing to do
// with each other as they are on different objects. Acts are large: this saves making
// one of each option.
func apart(a *act, o *run.Transition) bool {
	return !a.wide && a.option.Object != o.Object && !isWide(o) && o.Op != schedule.CondWake
}

// tookPart reports whether thread t has taken part in event i, or was not there
// before it.
func (x *execution) tookPart(t, i int32) bool {
	th := &x.threads[t]
	if n := len(th.events); n > 0 {
		return th.events[n-1] == i
	}
	return th.creator == i
}

// sameCase reports whether two options are one communication, with other partners.
func sameCase(a, b *run.Transition) bool {
	return a.Goroutine == b.Goroutine && a.Op == b.Op && a.Case() == b.Case()
}

// meets reports whether o needs a partner.
func meets(o *run.Transition) bool {
	return (o.Op == schedule.Send || o.Op == schedule.Recv) && o.Object != run.NoObject && o.Delta == 0 && o.State >= 0
}

// related reports whether event i can have to do with whether, or how, a is possible.
func (x *execution) related(i int32, a *act) bool {
	e := &x.events[i]
	return x.dependent(&e.act, a) || enables(&e.option, &a.option) ||
		a.option.Op == schedule.CondWake && e.option.Op == schedule.CondSignal
}

// enables reports whether a step z can make the communication o possible, which
// was not.
func enables(z, o *run.Transition) bool {
	if z.Object != o.Object || z.Object == run.NoObject {
		return false
	}
	switch o.Op {
	case schedule.Recv:
		return z.Op == schedule.Close || z.Op == schedule.TimerFire || z.Op == schedule.Send && z.Partner < 0
	case schedule.Send:
		return z.Op == schedule.Recv || z.Op == schedule.Close
	}
	return false
}

// lookForPartners finds the revisits in which a, a communication that a goroutine has
// just come to, meets one that its partner has since given up for another. One of
// the two has to wait for the other, and so have no default case.
func (x *execution) lookForPartners(a *act, pending []run.Transition) {
	waits := !hasDefault(pending, a.option.Goroutine)
	for _, i := range x.talks {
		e := &x.events[i]
		for k := e.from; k < e.to; k++ {
			p := &x.entries[k]
			if p.Object != a.option.Object || p.Op == a.option.Op || p.Partner >= 0 || !meets(p) {
				continue
			}
			t := x.thread(p)
			if t == a.thread || !waits && hasDefault(x.entries[e.from:e.to], p.Goroutine) {
				continue
			}
			there := act{option: *p, thread: t}
			pair := rendezvous(a, &there)
			x.place(&pair, x.joined(x.before(a.thread), x.beforeEvent(t, i)), i, nil)
		}
	}
}

// hasDefault reports whether a goroutine is at a select with a default case.
func hasDefault(options []run.Transition, goroutine int32) bool {
	for i := range options {
		if o := &options[i]; o.Goroutine == goroutine && o.Op == schedule.SelectDefault {
			return true
		}
	}
	return false
}

// rendezvous returns the step of two communications, one of which is a send.
func rendezvous(a, b *act) act {
	if a.option.Op != schedule.Send {
		a, b = b, a
	}
	pair := act{option: a.option, thread: a.thread, partner: b.thread, wide: a.option.Select && b.option.Select}
	pair.option.Partner = b.option.Goroutine
	pair.option.Contingent = a.option.Select && b.option.Select
	pair.option.Enabled = true
	pair.move = move{
		goroutine: a.option.Goroutine, own: int32(a.option.Case()),
		partner: b.option.Goroutine, theirs: int32(b.option.Case()),
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

// lookBack finds the revisits in which the last event comes before another case
// of a communication than the one that was chosen.
func (x *execution) lookBack(last int32) {
	switch x.events[last].option.Op {
	case schedule.Send, schedule.Recv, schedule.RecvClosed, schedule.Close, schedule.TimerFire, schedule.TimerSet:
	default:
		return
	}
	for _, i := range x.talks {
		if x.has(x.events[last].clock, i) {
			continue // what was chosen then has come before the last event
		}
		e := &x.events[i]
		for k := e.from; k < e.to; k++ {
			o := &x.entries[k]
			a := x.act(o)
			if a.move == e.move || !x.related(last, &a) {
				continue
			}
			x.place(&a, x.joined(x.beforeEvent(a.thread, i), nil), i, x.entries[e.from:e.to])
		}
	}
}

// joined returns the union of two clocks, with room for all threads.
func (x *execution) joined(a, b clock) clock {
	c := x.clocks.make(len(x.threads))
	c.join(a)
	c.join(b)
	return c
}
