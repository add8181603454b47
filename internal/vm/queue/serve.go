package queue

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// ServeClosed serves those who wait at ch, which is about to be closed.
func ServeClosed(m *state.State, ch *heap.Object) {
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
		serve(m, g, ch)
	}
}

// Receivers returns the goroutines of which one gets the value that a timer is about to send on ch:
// those that have been waiting there for the longest time, in the order of their names, which is
// the same when independent steps come in another order.
func Receivers(m *state.State, ch *heap.Object) []*state.Goroutine {
	since := m.WaitingSince(ch, false)
	if since == 0 {
		return nil
	}
	var list []*state.Goroutine
	for _, g := range m.Live {
		if g.WaitsSince == since && waitsAt(g, ch) {
			list = append(list, g)
		}
	}
	slices.SortFunc(list, func(a, b *state.Goroutine) int { return m.Names.Compare(a.ID, b.ID) })
	return list
}

// ServeTimer serves g, one of the receivers at ch, to which a timer sends.
func ServeTimer(m *state.State, g *state.Goroutine, ch *heap.Object) { serve(m, g, ch) }

// waitsAt reports whether g is known to wait at ch.
func waitsAt(g *state.Goroutine, ch *heap.Object) bool {
	return g.IsWaiter() && slices.ContainsFunc(g.Comms, func(c state.Comm) bool { return c.Chan == ch })
}

// serve notes that g goes on at ch.
func serve(m *state.State, g *state.Goroutine, ch *heap.Object) {
	m.Preserve(g)
	g.Served = ch
	stopWaiting(m, g)
}

// Leave notes that g, which was known to wait, goes on.
func Leave(m *state.State, g *state.Goroutine) {
	if g.Served == nil {
		stopWaiting(m, g)
	}
	g.WaitsSince, g.Served = 0, nil
}

// stopWaiting notes that g, which was known to wait, goes on or has been served.
func stopWaiting(m *state.State, g *state.Goroutine) {
	for i := range g.Comms {
		if q := m.QueueOf(g.Comms[i].Chan); q != nil {
			n := g.Comms[i].Chan.Cells[state.ChanQueue].N
			m.Queues = slices.Clone(m.Queues)
			m.Queues[n-1].Waiters--
			reconsider(m, int(n)-1)
			return
		}
	}
}
