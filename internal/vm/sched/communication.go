package sched

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// communications appends the transitions of a goroutine that is parked at a
// communication.
//
// On an unbuffered channel it is the sender that takes the step, which also completes the
// receive of its partner. The partner is parked at its operation, but might as well not
// have reached it yet, so it does not keep a default case from being chosen.
func (m *Scheduler) communications(g *state.Goroutine, to []run.Transition) []run.Transition {
	ready := false
	for i := range g.Comms {
		c := &g.Comms[i]
		n := len(to)
		if n < cap(to) { // transitions are large: set them in place
			to = to[:n+1]
			to[n] = run.Transition{}
		} else {
			to = append(to, run.Transition{})
		}
		t := &to[n]
		t.Op, t.Object, t.Partner, t.Select = schedule.Recv, run.NoObject, -1, g.Selects
		t.Alt = run.AltOf(i, run.NoPartner, 0)
		if c.Send {
			t.Op = schedule.Send
		}
		if c.Chan == nil {
			continue
		}
		t.Object = c.Chan.ID
		t.State, t.Delta = state.ChanState(c.Chan), int64(state.CapChan(c.Chan))
		if c.Ready() {
			ready = true
			t.Enabled = true
			if !c.Send && c.Chan.Cells[state.ChanCount].N == 0 {
				t.Op = schedule.RecvClosed
			}
			continue
		}
		if c.Send && c.Chan.Cells[state.ChanCap].N == 0 {
			to = m.rendezvous(g, c, i, to)
		}
	}
	if g.HasDefault {
		t := run.Transition{Op: schedule.SelectDefault, Object: run.NoObject, Partner: -1, Select: true, Enabled: !ready}
		t.Alt = run.AltDefault
		t.Object, t.Delta = SelectChannels(g)
		to = append(to, t)
	}
	if len(to) == 0 || len(g.Comms) == 0 && !g.HasDefault {
		to = append(to, run.Transition{Op: schedule.NoOp, Object: run.NoObject, Partner: -1, Select: true})
	}
	return to
}

// SelectChannels returns the number of channels on which a select depends before it takes
// its default case, and the channel if there is only one.
func SelectChannels(g *state.Goroutine) (channel run.ObjectID, n int64) {
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

// mayWait reports whether g may have been waiting at its communication for a partner.
// With a default case, or another case that is ready, it would not have waited.
func mayWait(g *state.Goroutine) bool {
	if g.HasDefault {
		return false
	}
	for i := range g.Comms {
		if g.Comms[i].Ready() {
			return false
		}
	}
	return true
}

// rendezvous completes the last transition, which is that of g's send c, its case i: it
// makes it a rendezvous with a receiver, and appends one more for every other receiver.
// For a rendezvous one of the two must have been able to wait for the other.
func (m *Scheduler) rendezvous(g *state.Goroutine, c *state.Comm, i int, to []run.Transition) []run.Transition {
	t := &to[len(to)-1]
	for _, slot := range m.receivers(c.Chan) {
		p := m.Goroutines[slot]
		if p == g || !mayWait(g) && !mayWait(p) {
			continue
		}
		for k := range p.Comms {
			if q := &p.Comms[k]; !q.Send && q.Chan == c.Chan {
				if t.Enabled {
					to = append(to, *t)
					t = &to[len(to)-1]
				}
				t.Alt = run.AltOf(i, p.Slot, k)
				t.Partner = p.ID
				t.Contingent = g.Selects && p.Selects
				t.Enabled = true
			}
		}
	}
	return to
}
