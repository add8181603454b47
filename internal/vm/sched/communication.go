package sched

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// communications appends the transitions of a goroutine that is parked at a
// communication.
//
// Where a send meets a receive, it is the sender that takes the step, which also completes
// the receive of its partner. If neither is known to wait, as described below, the partner is
// parked at its operation, but might as well not have reached it yet, so it does not keep a
// default case from being chosen.
func (m *Scheduler) communications(g *state.Goroutine, to []run.Transition) []run.Transition {
	if g.Served != nil {
		return servedTransitions(g, to)
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
	}
	if g.HasDefault {
		t := run.Transition{Op: schedule.SelectDefault, Object: run.NoObject, Partner: -1, Select: true, Enabled: !ready}
		t.Alt = run.AltDefault
		t.Object, t.Delta = SelectChannels(g)
		if t.Delta == 1 {
			for i := range g.Comms {
				m.noteQueue(&t, g.Comms[i].Chan)
			}
		}
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
	m.noteQueue(t, c.Chan)
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
		return to, senders > 0 || c.Ready() && !m.Finds(c), senders > 0
	}
	if since := m.WaitingSince(c.Chan, false); since > 0 {
		t.Waits = run.ReceiverWaits
		return m.rendezvous(g, c, i, to, since), true, true
	}
	return to, senders > 0 && (g.WaitsSince == 0 || g.WaitsSince > senders), false
}

// Waiters are served as in Go. While a goroutine is known to wait to receive from a channel, a
// send goes to it directly, also if the channel has a buffer, and never into the buffer; a
// select with a default case finds it. While one is known to wait to send, a receive takes
// its value or, from a full buffer, the oldest element, and the value of the waiter takes the
// free place in the same step. Waiters come before goroutines that may have come since, those
// of an earlier quiescent point before those of a later one. Among those of one quiescent
// point the order is a decision.
//
// When a channel is closed, or gets the value of a timer, its waiters are served: they do not
// wait at the other channels of their selects any more. They go on in a step of their own.

// Quiesce notes that all goroutines that are blocked now, or those of a bubble if it is not
// nil, are known to wait. The step that it is part of must be dependent with all steps of
// these goroutines.
func (m *Scheduler) Quiesce(bubble *heap.Object) {
	m.Quiescent++
	fresh := false
	var waiters []*state.Goroutine
	for _, g := range m.Live {
		if g.Status != state.Parked || g.At != state.AtCommunication || g.HasDefault || bubble != nil && g.Bubble != bubble {
			continue
		}
		if g.WaitsSince == 0 {
			m.Preserve(g)
			g.WaitsSince = m.Quiescent
			fresh = true
		}
		waiters = append(waiters, g)
	}
	if fresh {
		m.link(bubble, waiters)
	}
}

// link makes the queues of the waiters, which are all those in the bubble, or all if it is
// nil.
func (m *Scheduler) link(bubble *heap.Object, waiters []*state.Goroutine) {
	var queues []state.Queue // by number
	for _, q := range m.Queues {
		if bubble == nil || q.Bubble == bubble {
			for _, ch := range q.Channels {
				m.setQueue(ch, -1)
			}
			q = state.Queue{}
		}
		queues = append(queues, q)
	}
	next := 0
	free := func() int {
		for ; next < len(queues); next++ {
			if queues[next].Channels == nil {
				return next
			}
		}
		queues = append(queues, state.Queue{})
		return next
	}
	for _, g := range waiters {
		at := -1
		for i := range g.Comms {
			ch := g.Comms[i].Chan
			if ch == nil {
				continue
			}
			is := int(ch.Cells[state.ChanQueue].N) - 1
			switch {
			case is >= 0 && is == at:
				continue
			case is < 0 && at < 0:
				at = free()
				queues[at] = state.Queue{Bubble: ch.Cells[state.ChanBubble].P}
				fallthrough
			case is < 0:
				queues[at].Channels = append(slices.Clip(queues[at].Channels), ch)
				m.setQueue(ch, at)
			case at < 0:
				at = is
			default: // ch links two queues
				for _, c := range queues[is].Channels {
					m.setQueue(c, at)
				}
				queues[at].Channels = slices.Concat(queues[at].Channels, queues[is].Channels)
				queues[at].Waiters += queues[is].Waiters
				queues[is] = state.Queue{}
			}
			if queues[at].Bubble != ch.Cells[state.ChanBubble].P {
				queues[at].Bubble = nil
			}
		}
		if at >= 0 {
			queues[at].Waiters++
		}
	}
	for i := range queues {
		q := &queues[i]
		q.ID = run.ObjectID{}
		if len(q.Channels) > 1 {
			q.ID = slices.MinFunc(q.Channels, func(a, b *heap.Object) int {
				return cmp.Or(cmp.Compare(a.ID.Goroutine, b.ID.Goroutine), cmp.Compare(a.ID.Count, b.ID.Count))
			}).ID
		}
	}
	m.Queues = queues
	for _, g := range waiters {
		m.Reconsider(g)
	}
}

// setQueue notes that the queue of ch is the one with the given index, or that it has none if
// that is negative.
func (m *Scheduler) setQueue(ch *heap.Object, index int) {
	m.Heap.Dirty(ch, state.ChanQueue, 1)
	ch.Cells[state.ChanQueue].N = uint64(index + 1)
}

// noteQueue sets what t, an operation on ch, says of the queue.
func (m *Scheduler) noteQueue(t *run.Transition, ch *heap.Object) {
	if q := m.QueueOf(ch); q != nil {
		t.Queue, t.Queued = q.ID, q.Waiters > 0
	}
}

// reconsiderQueue makes the transitions be computed again that depend on the queue with the
// given index.
func (m *Scheduler) reconsiderQueue(index int) {
	for _, g := range m.Live {
		if g.Status != state.Parked || g.At != state.AtCommunication && !closes(g) {
			continue
		}
		if slices.ContainsFunc(g.Comms, func(c state.Comm) bool {
			return c.Chan != nil && c.Chan.Cells[state.ChanQueue].N == uint64(index+1)
		}) {
			m.Reconsider(g)
		}
	}
}

// reconsiderQueues is reconsiderQueue for the queues of the channels that g is parked at.
func (m *Scheduler) reconsiderQueues(g *state.Goroutine) {
	for i := range g.Comms {
		if ch := g.Comms[i].Chan; ch != nil {
			if n := ch.Cells[state.ChanQueue].N; n > 0 {
				m.reconsiderQueue(int(n) - 1)
			}
		}
	}
}

// closes reports whether g is parked at the close of a channel, which is that of its only
// Comm.
func closes(g *state.Goroutine) bool {
	return g.At == state.AtAccess && g.Pending.Op == schedule.Close
}

// endWait notes that g, which was known to wait, goes on.
func (m *Scheduler) endWait(g *state.Goroutine) {
	if g.Served == nil {
		m.stopWaiting(g)
	}
	g.WaitsSince, g.Served = 0, nil
}

// stopWaiting notes that g, which was known to wait, goes on or has been served.
func (m *Scheduler) stopWaiting(g *state.Goroutine) {
	for i := range g.Comms {
		if q := m.QueueOf(g.Comms[i].Chan); q != nil {
			n := g.Comms[i].Chan.Cells[state.ChanQueue].N
			m.Queues = slices.Clone(m.Queues)
			m.Queues[n-1].Waiters--
			m.reconsiderQueue(int(n) - 1)
			return
		}
	}
}

// ServeClosed serves those who wait at ch, which is about to be closed.
func (m *Scheduler) ServeClosed(ch *heap.Object) {
	if !m.HasWaiters(ch) {
		return
	}
	var list []*state.Goroutine
	for _, g := range m.Live {
		if waitsAt(g, ch) {
			list = append(list, g)
		}
	}
	for _, g := range list {
		m.serve(g, ch)
	}
}

// waitsAt reports whether g is known to wait at ch.
func waitsAt(g *state.Goroutine, ch *heap.Object) bool {
	return g.IsWaiter() && slices.ContainsFunc(g.Comms, func(c state.Comm) bool { return c.Chan == ch })
}

// serve notes that g goes on at ch.
func (m *Scheduler) serve(g *state.Goroutine, ch *heap.Object) {
	m.Preserve(g)
	g.Served = ch
	m.stopWaiting(g)
}

// serveTimer serves the goroutine that waits at ch, which is about to get the value of a
// timer. If several have been waiting for the longest time, any of them may get the value.
func (m *Scheduler) serveTimer(ch *heap.Object) {
	since := m.WaitingSince(ch, false)
	if since == 0 {
		return
	}
	var first *state.Goroutine
	for _, g := range m.Live {
		if g.WaitsSince == since && waitsAt(g, ch) {
			if first != nil {
				return
			}
			first = g
		}
	}
	m.serve(first, ch)
}

// servedTransitions appends the transitions of a goroutine that has been served, of which only
// those on one channel are enabled.
func servedTransitions(g *state.Goroutine, to []run.Transition) []run.Transition {
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
		}
		to = append(to, t)
	}
	return to
}
