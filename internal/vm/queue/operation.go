package queue

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// Note sets what t, an operation on ch, says of the queue of ch.
func Note(m *state.State, t *run.Transition, ch *heap.Object) {
	if q := m.QueueOf(ch); q != nil {
		t.Queue, t.Queued = q.ID, q.Waiters > 0
	}
}

// Closes reports whether g is parked at the close of a channel, which is that of its only
// Comm.
func Closes(g *state.Goroutine) bool {
	return g.At == state.AtAccess && g.Pending.Op == schedule.Close
}

// Reconsider makes the transitions be computed again that depend on the queues of the channels
// that g, which has been parked or resumes, is parked at.
func Reconsider(m *state.State, g *state.Goroutine) {
	for i := range g.Comms {
		if ch := g.Comms[i].Chan; ch != nil {
			if n := ch.Cells[state.ChanQueue].N; n > 0 {
				reconsider(m, int(n)-1)
			}
		}
	}
}

// reconsider makes the transitions be computed again that depend on the queue with the
// given index.
func reconsider(m *state.State, index int) {
	for _, g := range m.Live {
		if g.Status != state.Parked || g.At != state.AtCommunication && !Closes(g) {
			continue
		}
		if slices.ContainsFunc(g.Comms, func(c state.Comm) bool {
			return c.Chan != nil && c.Chan.Cells[state.ChanQueue].N == uint64(index+1)
		}) {
			m.Reconsider(g)
		}
	}
}
