package sched

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// Bubbles of testing/synctest. A goroutine of a bubble is durably blocked when
// only another one of the bubble, or the bubble's time, can make it go on. When
// all of a bubble's goroutines are, synctest.Wait returns, if one of them is in it;
// else the bubble's root, the goroutine that has called Run, moves the time to
// when something is due next; else the bubble is over. So Wait and the root's
// steps are operations like others, of which that is the condition.
//
// Time that has come is come for all: channels of timers have their value from
// then on, and what a time-out starts (a sleeper going on, the function of
// AfterFunc) may come at any point until the bubble is idle again. Nothing of it is
// narrower than in Go.
//
// A bubble is a struct of package internal/synctest, and its object stands for it
// in options.

// The words of a bubble.
const (
	bubbleNow     = iota // its time, ns since state.ClockStart
	BubbleWaiting        // 1 while a goroutine is in Wait
	BubbleDone           // 1 when the goroutine that runs Run's function has ended
)

// What the root of a bubble is to do, as internal/synctest has it.
const (
	bubbleGoesOn  = iota
	bubbleOver    // all goroutines have ended
	bubbleStuck   // none can go on
	bubbleRemains // none can go on, and the function has returned
)

// BubbleTime returns the time in the bubble b.
func BubbleTime(b *heap.Object) int64 { return int64(b.Cells[bubbleNow].N) }

// NowOf returns the time that g sees, ns since state.ClockStart.
func (m *Scheduler) NowOf(g *state.Goroutine) int64 {
	if g.Bubble != nil {
		return BubbleTime(g.Bubble)
	}
	return m.Now
}

// IdleName is the name of the primitive in which the root of a bubble waits.
const IdleName = "internal/synctest.idle"

// isRoot reports whether g waits as the root of its bubble.
func isRoot(g *state.Goroutine) bool { return g.At == state.AtPrimitive && g.Prim.Name == IdleName }

// MoveTime moves the time of the bubble whose root is g to when something is due
// next. It says what the root is to do then.
func (m *Scheduler) MoveTime(g *state.Goroutine) uint64 {
	b := g.Bubble
	done := b.Cells[BubbleDone].N != 0
	if !done {
		if next := m.soonestIn(b); next != state.Never {
			m.Heap.Put(heap.Location{Object: b, Offset: bubbleNow}, uint64(next))
			m.fireChannels(b)
			return bubbleGoesOn
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

// soonestIn returns the time at which something is due next in the bubble b,
// never when there is nothing. Channels of timers count when somebody waits
// for them.
func (m *Scheduler) soonestIn(b *heap.Object) int64 {
	soonest := int64(state.Never)
	for i := range m.Timers {
		if t := &m.Timers[i]; t.Bubble == b && (t.Channel() == nil || m.isAwaited(t.Channel())) {
			soonest = min(soonest, t.When)
		}
	}
	for _, g := range m.Live {
		if g.Bubble == b && sleeps(g) {
			soonest = min(soonest, g.When)
		}
	}
	return soonest
}

// isAwaited reports whether a goroutine is at a communication on ch.
func (m *Scheduler) isAwaited(ch *heap.Object) bool {
	for _, g := range m.Live {
		if g.Status == state.Parked && g.At == state.AtCommunication &&
			slices.ContainsFunc(g.Comms, func(c state.Comm) bool { return c.Chan == ch }) {
			return true
		}
	}
	return false
}

// fireChannels fires the timers of the bubble b whose time has come and that send
// on a channel. Whether that was done nobody could tell before looking at the
// channel, and Go's runtime sees to it then, if not earlier.
func (m *Scheduler) fireChannels(b *heap.Object) {
	var due []int32
	for i := range m.Timers {
		if t := &m.Timers[i]; t.Bubble == b && t.Channel() != nil && t.When <= BubbleTime(b) {
			due = append(due, t.Alt)
		}
	}
	for _, alt := range due {
		m.Fire(alt)
	}
}

// AcquireBubble makes all that the other goroutines of g's bubble have done happen
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

// enableIdle makes those operations possible whose bubble is idle.
func (m *Scheduler) enableIdle() {
	for _, g := range m.Live {
		if g.Bubble == nil {
			continue
		}
		of := &m.Pending.operations[g.Slot]
		o := &of.transitions[0]
		if o.Op != schedule.BubbleIdle {
			continue
		}
		waiting := g.Bubble.Cells[BubbleWaiting].N != 0
		m.Pending.setEnabled(of, g.Slot, o, waiting != isRoot(g) && m.isIdle(g.Bubble))
	}
}

// isIdle reports whether all goroutines of the bubble b are durably blocked, or wait
// for just that, and nothing is due. What they are about to do is on the agenda.
func (m *Scheduler) isIdle(b *heap.Object) bool {
	for _, g := range m.Live {
		if g.Bubble != b {
			continue
		}
		of := &m.Pending.operations[g.Slot]
		if of.transitions[0].Op == schedule.BubbleIdle {
			continue
		}
		if of.possible > 0 || !blocksDurably(g) {
			return false
		}
	}
	for i := range m.Timers {
		if t := &m.Timers[i]; t.Bubble == b && t.When <= BubbleTime(b) {
			return false
		}
	}
	return true
}

// blocksDurably reports whether g, which cannot go on, is blocked durably.
func blocksDurably(g *state.Goroutine) bool {
	switch g.At {
	case state.AtCommunication:
		for i := range g.Comms {
			if ch := g.Comms[i].Chan; ch != nil && ch.Cells[state.ChanBubble].P != g.Bubble {
				return false
			}
		}
		return !g.OrElse
	case state.AtPrimitive:
		switch g.Prim.Name {
		case SleepName, CondWaitName:
			return true
		case GroupWaitName:
			w := g.Stack[g.PrimBase]
			return GroupBubble(heap.Location{Object: w.P, Offset: int(w.N)}).P == g.Bubble
		}
	}
	return false
}

const GroupWaitName = "sync.wgWait"

// GroupBubble returns the bubble with which a wait group is associated: it is in
// the cell behind the counter.
func GroupBubble(l heap.Location) heap.Word { return l.Object.Cells[l.Offset+1] }

const CondWaitName = "sync.condWait"
