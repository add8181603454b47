package sched

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/clock"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/queue"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// Bubbles of testing/synctest. A goroutine in a bubble is durably blocked if only another
// goroutine of the bubble, or the bubble's time, can unblock it. When all goroutines of a
// bubble are durably blocked, the bubble is idle. Then synctest.Wait returns, if a
// goroutine has called it. Otherwise the bubble's root, the goroutine that has called Run,
// advances the time to when something is due next, and if nothing is, the bubble is over.
// Wait and the root's steps are ordinary operations, which are enabled when the bubble is
// idle.
//
// When the time has advanced, the channels of all timers that are due have their values,
// except for timers that goroutines wait for. Those may fire, sleepers that are due may wake
// up, and functions of AfterFunc may start, at any point until the bubble is idle again. This
// allows everything that Go allows.

// What the root of a bubble has to do next. The model of internal/synctest has the same
// constants.
const (
	bubbleContinues = iota
	bubbleOver      // all goroutines have ended
	bubbleStuck     // all goroutines are blocked forever
	bubbleRemains   // all other goroutines are blocked, and the function has returned
)

// IdleName is the name of the primitive in which the root of a bubble waits.
const IdleName = "internal/synctest.idle"

// BubbleWaitName is the name of the primitive in which a goroutine waits until its bubble
// is idle.
const BubbleWaitName = "internal/synctest.wait"

// isRoot reports whether g is waiting as the root of its bubble.
func isRoot(g *state.Goroutine) bool { return g.At == state.AtPrimitive && g.Prim.Name == IdleName }

// AdvanceTime advances the time of the bubble whose root is g to when something is due
// next. It returns what the root has to do then.
func (m *Scheduler) AdvanceTime(g *state.Goroutine) uint64 {
	b := g.Bubble
	done := b.Cells[state.BubbleDone].N != 0
	if !done {
		if next := m.soonestIn(b); next != state.Never {
			queue.Quiesce(&m.State, b)
			m.Heap.Put(heap.Location{Object: b, Offset: state.BubbleNow}, uint64(next))
			m.fireChannels(b)
			return bubbleContinues
		}
	}
	m.AcquireBubble(g)
	switch {
	case !slices.ContainsFunc(m.Live, func(p *state.Goroutine) bool { return p.Bubble == b && p != g }):
		return bubbleOver
	case done:
		return bubbleRemains
	}
	return bubbleStuck
}

// soonestIn returns the time at which something is due next in the bubble b, state.Never
// if there is nothing. Timers with a channel count only if a goroutine waits on the
// channel.
func (m *Scheduler) soonestIn(b *heap.Object) int64 {
	soonest := int64(state.Never)
	for _, t := range m.Timers {
		if t.Bubble == b && (t.Channel() == nil || m.isAwaited(t.Channel())) {
			soonest = min(soonest, t.When)
		}
	}
	for _, g := range m.Live {
		if g.Bubble == b && g.Sleeps() {
			soonest = min(soonest, g.When)
		}
	}
	return soonest
}

// isAwaited reports whether a goroutine is parked at a communication on ch.
func (m *Scheduler) isAwaited(ch *heap.Object) bool {
	for _, g := range m.Live {
		if g.Status == state.Parked && g.At == state.AtCommunication &&
			slices.ContainsFunc(g.Comms, func(c state.Comm) bool { return c.Chan == ch }) {
			return true
		}
	}
	return false
}

// fireChannels fires those timers of the bubble b whose time has come, that send on a channel,
// and that no goroutine waits for. The program cannot tell exactly when that is done: Go's
// runtime does it at the latest when the channel is used. It sends to who waits when it comes
// to the timer, which others that are due at the same time may precede.
func (m *Scheduler) fireChannels(b *heap.Object) {
	var due []int32
	for _, t := range m.Timers {
		if t.Bubble == b && t.Channel() != nil && t.When <= state.BubbleTime(b) && !m.isAwaited(t.Channel()) {
			due = append(due, t.Alt)
		}
	}
	for _, alt := range due {
		clock.Fire(&m.State, alt, nil, 0, nil)
	}
}

// AcquireBubble orders everything that the other goroutines of g's bubble have done
// before what g does next.
func (m *Scheduler) AcquireBubble(g *state.Goroutine) {
	for _, p := range m.Goroutines {
		if p != g && p.Bubble == g.Bubble {
			g.Acquire(&p.Clock)
			if p.Status != state.Ended {
				m.Preserve(p)
				p.Tick()
			}
		}
	}
}

// enableIdle enables the operations that wait for their bubble to be idle, if it is, and
// disables them otherwise.
func (m *Scheduler) enableIdle() {
	for _, g := range m.Live {
		if g.Bubble == nil {
			continue
		}
		op := &m.Pending.operations[g.Slot]
		t := &op.transitions[0]
		if t.Op != schedule.BubbleIdle {
			continue
		}
		waiting := g.Bubble.Cells[state.BubbleWaiting].N != 0
		m.Pending.setEnabled(op, g.Slot, t, waiting != isRoot(g) && m.isIdle(g.Bubble))
	}
}

// isIdle reports whether the bubble b is idle: all of its goroutines are durably blocked,
// or wait for it to be idle, and no timer is due. The pending operations must be up to
// date.
func (m *Scheduler) isIdle(b *heap.Object) bool {
	for _, g := range m.Live {
		if g.Bubble != b {
			continue
		}
		op := &m.Pending.operations[g.Slot]
		if op.transitions[0].Op == schedule.BubbleIdle {
			continue
		}
		if op.numEnabled > 0 || !BlocksDurably(g) {
			return false
		}
	}
	for _, t := range m.Timers {
		if t.Bubble == b && t.When <= state.BubbleTime(b) {
			return false
		}
	}
	return true
}

// BlocksDurably reports whether g, which is blocked, is blocked durably.
func BlocksDurably(g *state.Goroutine) bool {
	switch g.At {
	case state.AtCommunication:
		for i := range g.Comms {
			if ch := g.Comms[i].Chan; ch != nil && ch.Cells[state.ChanBubble].P != g.Bubble {
				return false
			}
		}
		return !g.HasDefault
	case state.AtPrimitive:
		switch g.Prim.Name {
		case clock.SleepName, CondWaitName:
			return true
		case GroupWaitName:
			w := g.Stack[g.PrimBase]
			return GroupBubble(heap.Location{Object: w.P, Offset: int(w.N)}).P == g.Bubble
		}
	}
	return false
}

// GroupWaitName is the name of the primitive in which a goroutine waits for a wait group.
const GroupWaitName = state.GroupWaitName

// GroupBubble returns the bubble with which a wait group is associated. It is in the cell
// after the counter.
func GroupBubble(l heap.Location) heap.Word { return l.Object.Cells[l.Offset+1] }

// CondWaitName is the name of the primitive in which a goroutine waits for a condition
// variable.
const CondWaitName = "sync.condWait"
