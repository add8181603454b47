package queue

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Quiesce notes that all goroutines that are blocked now, or those of a bubble if it is not
// nil, are known to wait. The step that it is part of must be dependent with all steps of
// these goroutines.
func Quiesce(m *state.State, bubble *heap.Object) {
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
		link(m, bubble, waiters)
	}
}

// link makes the queues of the waiters, which are all those in the bubble, or all if it is
// nil: the channels of each waiter come into one queue. The queues of other bubbles remain, with
// their numbers.
func link(m *state.State, bubble *heap.Object, waiters []*state.Goroutine) {
	var queues []state.Queue // by index; those without channels are free
	for _, q := range m.Queues {
		if bubble == nil || q.Bubble == bubble {
			for _, ch := range q.Channels {
				setQueue(m, ch, -1)
			}
			q = state.Queue{}
		}
		queues = append(queues, q)
	}
	next := 0
	free := func() (index int) {
		for ; next < len(queues); next++ {
			if queues[next].Channels == nil {
				return next
			}
		}
		queues = append(queues, state.Queue{})
		return next
	}
	for _, g := range waiters {
		at := -1 // index of the queue of the channels that have been looked at
		for i := range g.Comms {
			ch := g.Comms[i].Chan
			if ch == nil {
				continue
			}
			is := int(ch.Cells[state.ChanQueue].N) - 1 // that of ch, negative if it has none
			switch {
			case is >= 0 && is == at:
				continue
			case is < 0 && at < 0: // ch is the first of a new queue
				at = free()
				queues[at] = state.Queue{Bubble: ch.Cells[state.ChanBubble].P}
				fallthrough
			case is < 0:
				queues[at].Channels = append(slices.Clip(queues[at].Channels), ch)
				setQueue(m, ch, at)
			case at < 0: // another waiter waits at ch too
				at = is
			default: // g links two queues, and the second becomes part of the first
				for _, c := range queues[is].Channels {
					setQueue(m, c, at)
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
func setQueue(m *state.State, ch *heap.Object, index int) {
	m.Heap.Dirty(ch, state.ChanQueue, 1)
	ch.Cells[state.ChanQueue].N = uint64(index + 1)
}
