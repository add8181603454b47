package sched

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/clock"
	"github.com/everyway-go/everyway/internal/vm/queue"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// communications appends the transitions of a goroutine that is parked at a
// communication.
//
// Where a send meets a receive, it is the sender that takes the step, which also completes
// the receive of its partner. If neither is known to wait (package queue), the partner is
// parked at its operation, but might as well not have reached it yet, so it does not keep a
// default case from being chosen.
func (m *Scheduler) communications(g *state.Goroutine, to []run.Transition) []run.Transition {
	if g.Served != nil {
		return m.servedTransitions(g, to)
	}
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
		t.Op, t.Object, t.Partner, t.Select, t.Default = schedule.Recv, run.NoObject, -1, g.Selects, g.HasDefault
		t.Alt = run.AltOf(i, run.NoPartner, 0)
		if c.Send {
			t.Op = schedule.Send
		}
		if c.Chan == nil {
			continue
		}
		t.Object = c.Chan.ID
		t.State, t.Delta = state.ChanState(c.Chan), int64(state.CapChan(c.Chan))
		if m.QueueOf(c.Chan) != nil {
			var done, finds bool
			to, done, finds = m.queued(g, c, i, to)
			ready = ready || finds
			if done {
				continue
			}
		}
		if c.Ready() {
			ready = true
			t.Enabled = true
			if !c.Send && c.Chan.Cells[state.ChanCount].N == 0 {
				t.Op = schedule.RecvClosed
			}
			continue
		}
		if c.Send && c.Chan.Cells[state.ChanCap].N == 0 {
			to = m.rendezvous(g, c, i, to, 0)
		}
		ready = ready || g.HasDefault && !c.Send && clock.FiresFirst(&m.State, g, c.Chan)
	}
	if g.HasDefault {
		t := run.Transition{Op: schedule.SelectDefault, Object: run.NoObject, Partner: -1, Select: true, Enabled: !ready}
		t.Alt = run.AltDefault
		t.Object, t.Delta = SelectChannels(g)
		if t.Delta > 1 {
			for i := range g.Comms {
				if ch := g.Comms[i].Chan; ch != nil {
					t.Awaits = append(t.Awaits, run.Range{Object: ch.ID, Cells: 1})
				}
			}
		}
		if t.Delta == 1 {
			for i := range g.Comms {
				queue.Note(&m.State, &t, g.Comms[i].Chan)
			}
		}
		to = append(to, t)
	}
	if len(to) == 0 || len(g.Comms) == 0 && !g.HasDefault {
		to = append(to, run.Transition{Op: schedule.NoOp, Object: run.NoObject, Partner: -1, Select: true})
	}
	return to
}

// EventCases returns the cases of the select that g is at, for an event, if the plan asks for them.
func (m *Scheduler) EventCases(g *state.Goroutine) *[]run.Case {
	if !g.Selects || !m.Plan.RecordPlain {
		return nil
	}
	cases := casesOf(g)
	return &cases
}

// casesOf returns what a goroutine can do at its communications.
func casesOf(g *state.Goroutine) []run.Case {
	var cases []run.Case
	for i := range g.Comms {
		c := run.Case{Op: schedule.Recv, Object: run.NoObject}
		if g.Comms[i].Send {
			c.Op = schedule.Send
		}
		if ch := g.Comms[i].Chan; ch != nil {
			c.Object, c.Capacity = ch.ID, state.CapacityOf(ch)
		}
		cases = append(cases, c)
	}
	if g.HasDefault {
		cases = append(cases, run.Case{Op: schedule.SelectDefault, Object: run.NoObject})
	}
	return cases
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

// rendezvous makes the last transition, which is that of g's send c, its case i, a rendezvous
// with a receiver that g may meet, and appends one more for every other one. If since is not
// 0, only receivers count that are known to wait since that quiescent point or an earlier one.
func (m *Scheduler) rendezvous(g *state.Goroutine, c *state.Comm, i int, to []run.Transition, since int32) []run.Transition {
	t := &to[len(to)-1]
	for _, slot := range m.receivers(c.Chan) {
		p := m.Goroutines[slot]
		switch {
		case p == g:
			continue
		case len(m.Queues) > 0:
			if !m.mayMeet(g, p, since) {
				continue
			}
		case !blocks(g) && !blocks(p): // as mayMeet, without calls
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
				t.Contingent = g.Selects && p.Selects && t.Waits == run.NoneWaits
				t.Enabled = true
			}
		}
	}
	return to
}

// mayMeet reports whether g may meet p, which receives what g sends. One of the two must have
// been able to wait for the other. See rendezvous for since.
func (m *Scheduler) mayMeet(g, p *state.Goroutine, since int32) bool {
	switch {
	case p.Served != nil:
		return false
	case since > 0:
		return 0 < p.WaitsSince && p.WaitsSince <= since
	}
	return m.mayWait(g) || m.mayWait(p)
}

// mayWait reports whether g may have been waiting at its communication for a partner.
// With a default case, or another case that is ready, it would not have waited.
func (m *Scheduler) mayWait(g *state.Goroutine) bool {
	switch {
	case g.HasDefault || g.Served != nil:
		return false
	case g.WaitsSince > 0:
		return true
	}
	for i := range g.Comms {
		if m.Finds(&g.Comms[i]) {
			return false
		}
	}
	return true
}

// blocks is mayWait if no channel has a queue, so that nobody is known to wait.
func blocks(g *state.Goroutine) bool {
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

// queued completes the last transition, which is that of g's communication c, its case i, on a
// channel with a queue, as far as somebody is known to wait there. It reports whether the
// transition is complete, and whether g has found somebody.
func (m *Scheduler) queued(g *state.Goroutine, c *state.Comm, i int, to []run.Transition) (list []run.Transition, done, finds bool) {
	t := &to[len(to)-1]
	queue.Note(&m.State, t, c.Chan)
	senders := m.WaitingSince(c.Chan, true)
	switch {
	case g.IsWaiter():
		t.Waits = run.ReceiverWaits
		if c.Send {
			t.Waits = run.SenderWaits
			if senders == g.WaitsSince {
				to = m.rendezvous(g, c, i, to, 0)
			}
		}
		return to, true, false
	case !c.Send:
		// What is there is for others, or comes with the step of a sender.
		return to, senders > 0 || c.Ready() && m.HasDelivered(c.Chan), senders > 0
	}
	if since := m.WaitingSince(c.Chan, false); since > 0 {
		t.Waits = run.ReceiverWaits
		return m.rendezvous(g, c, i, to, since), true, true
	}
	return to, senders > 0 && (g.WaitsSince == 0 || g.WaitsSince > senders), false
}

// servedTransitions appends the transitions of a goroutine that has been served, of which only
// those on one channel are enabled.
func (m *Scheduler) servedTransitions(g *state.Goroutine, to []run.Transition) []run.Transition {
	receives := slices.ContainsFunc(g.Comms, func(c state.Comm) bool { return c.Chan == g.Served && !c.Send })
	for i := range g.Comms {
		c := &g.Comms[i]
		t := run.Transition{Op: schedule.Recv, Object: run.NoObject, Partner: -1, Select: g.Selects, Waits: run.Served}
		t.Alt = run.AltOf(i, run.NoPartner, 0)
		if c.Send {
			t.Op = schedule.Send
		}
		if c.Chan != nil {
			t.Object = c.Chan.ID
			t.State, t.Delta = state.ChanState(c.Chan), int64(state.CapChan(c.Chan))
		}
		if c.Chan == g.Served && c.Send != receives {
			t.Enabled = true
			if !c.Send && c.Chan.Cells[state.ChanCount].N == 0 {
				t.Op = schedule.RecvClosed
			}
		} else if q := m.QueueOf(c.Chan); q != nil {
			t.Queue = q.ID // what could have come instead depends on what has served g
		}
		to = append(to, t)
	}
	return to
}
