package sched

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// commOptions appends the options of a goroutine that is parked at a
// communication.
//
// On an unbuffered channel the sender takes the step, which completes the
// receive of its partner. A partner that is parked at its operation may just as
// well not have got there yet, so it does not keep a default case from being
// chosen.
func (m *Scheduler) communications(g *state.Goroutine, to []run.Transition) []run.Transition {
	ready := false
	for i := range g.Comms {
		c := &g.Comms[i]
		n := len(to)
		if n < cap(to) { // options are large: they are made where they lie
			to = to[:n+1]
			to[n] = run.Transition{}
		} else {
			to = append(to, run.Transition{})
		}
		o := &to[n]
		o.Op, o.Object, o.Partner, o.Select = schedule.Recv, run.NoObject, -1, g.Selects
		o.Alt = run.AltOf(i, run.NoPartner, 0)
		if c.Send {
			o.Op = schedule.Send
		}
		if c.Chan == nil {
			continue
		}
		o.Object = c.Chan.ID
		o.State, o.Delta = state.ChanState(c.Chan), int64(state.CapChan(c.Chan))
		if c.Ready() {
			ready = true
			o.Enabled = true
			if !c.Send && c.Chan.Cells[state.ChanCount].N == 0 {
				o.Op = schedule.RecvClosed
			}
			continue
		}
		if c.Send && c.Chan.Cells[state.ChanCap].N == 0 {
			to = m.rendezvous(g, c, i, to)
		}
	}
	if g.OrElse {
		o := run.Transition{Op: schedule.SelectDefault, Object: run.NoObject, Partner: -1, Select: true, Enabled: !ready}
		o.Alt = run.AltDefault
		o.Object, o.Delta = LookedAt(g)
		to = append(to, o)
	}
	if len(to) == 0 || len(g.Comms) == 0 && !g.OrElse {
		to = append(to, run.Transition{Op: schedule.NoOp, Object: run.NoObject, Partner: -1, Select: true})
	}
	return to
}

// LookedAt returns how many channels a select looks at before it takes its default
// case, and which it is when there is one.
func LookedAt(g *state.Goroutine) (channel run.ObjectID, n int64) {
	channel = run.NoObject
	for i := range g.Comms {
		ch := g.Comms[i].Chan
		if ch == nil || n > 0 && ch.ID == channel {
			continue
		}
		channel = ch.ID
		n++
	}
	if n > 1 {
		channel = run.NoObject
	}
	return channel, n
}

// mayWait reports whether g can have been waiting at its communication for a
// partner to come: with a default or another case that is ready it would have
// gone on at once.
func mayWait(g *state.Goroutine) bool {
	if g.OrElse {
		return false
	}
	for i := range g.Comms {
		if g.Comms[i].Ready() {
			return false
		}
	}
	return true
}

// rendezvous makes of the last option, which is that of g's send c, its case i, the ways
// in which it meets a receiver, if there are any. One of the two comes first and waits for
// the other.
func (m *Scheduler) rendezvous(g *state.Goroutine, c *state.Comm, i int, to []run.Transition) []run.Transition {
	o := &to[len(to)-1]
	for _, slot := range m.receivers(c.Chan) {
		p := m.Goroutines[slot]
		if p == g || !mayWait(g) && !mayWait(p) {
			continue
		}
		for k := range p.Comms {
			if q := &p.Comms[k]; !q.Send && q.Chan == c.Chan {
				if o.Enabled {
					to = append(to, *o)
					o = &to[len(to)-1]
				}
				o.Alt = run.AltOf(i, p.Slot, k)
				o.Partner = p.ID
				o.Contingent = g.Selects && p.Selects
				o.Enabled = true
			}
		}
	}
	return to
}
