package vm

import (
	"slices"

	"github.com/everyway-go/everyway/internal/vm/heap"
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
	bubbleNow     = iota // its time, ns since clockStart
	bubbleWaiting        // 1 while a goroutine is in Wait
	bubbleDone           // 1 when the goroutine that runs Run's function has ended
)

// What the root of a bubble is to do, as internal/synctest has it.
const (
	bubbleGoesOn  = iota
	bubbleOver    // all goroutines have ended
	bubbleStuck   // none can go on
	bubbleRemains // none can go on, and the function has returned
)

// bubbleTime returns the time in the bubble b.
func bubbleTime(b *heap.Object) int64 { return int64(b.Cells[bubbleNow].N) }

// nowOf returns the time that g sees, ns since clockStart.
func (m *Scheduler) nowOf(g *goroutine) int64 {
	if g.bubble != nil {
		return bubbleTime(g.bubble)
	}
	return m.now
}

// idleName is the name of the primitive in which the root of a bubble waits.
const idleName = "internal/synctest.idle"

// isRoot reports whether g waits as the root of its bubble.
func (g *goroutine) isRoot() bool { return g.at == atPrimitive && g.prim.Name == idleName }

// moveTime moves the time of the bubble whose root is g to when something is due
// next. It says what the root is to do then.
func (m *Scheduler) moveTime(g *goroutine) uint64 {
	b := g.bubble
	done := b.Cells[bubbleDone].N != 0
	if !done {
		if next := m.soonestIn(b); next != never {
			m.heap.Put(heap.Location{Object: b, Offset: bubbleNow}, uint64(next))
			m.fireChannels(b)
			return bubbleGoesOn
		}
	}
	m.acquireBubble(g)
	switch {
	case !slices.ContainsFunc(m.live, func(p *goroutine) bool { return p.bubble == b && p != g }):
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
	soonest := int64(never)
	for i := range m.timers {
		if t := &m.timers[i]; t.bubble == b && (t.channel() == nil || m.isAwaited(t.channel())) {
			soonest = min(soonest, t.when)
		}
	}
	for _, g := range m.live {
		if g.bubble == b && g.sleeps() {
			soonest = min(soonest, g.when)
		}
	}
	return soonest
}

// isAwaited reports whether a goroutine is at a communication on ch.
func (m *Scheduler) isAwaited(ch *heap.Object) bool {
	for _, g := range m.live {
		if g.status == parked && g.at == atCommunication &&
			slices.ContainsFunc(g.comms, func(c comm) bool { return c.ch == ch }) {
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
	for i := range m.timers {
		if t := &m.timers[i]; t.bubble == b && t.channel() != nil && t.when <= bubbleTime(b) {
			due = append(due, t.alt)
		}
	}
	for _, alt := range due {
		m.fire(alt)
	}
}

// acquireBubble makes all that the other goroutines of g's bubble have done happen
// before what g does next.
func (m *Scheduler) acquireBubble(g *goroutine) {
	for _, p := range m.gs {
		if p != g && p.bubble == g.bubble {
			g.Acquire(&p.Clock)
			if p.status != ended {
				m.preserve(p)
				p.Tick()
			}
		}
	}
}

// enableIdle makes those operations possible whose bubble is idle.
func (m *Scheduler) enableIdle() {
	for _, g := range m.live {
		if g.bubble == nil {
			continue
		}
		of := &m.agenda.offers[g.Slot]
		o := &of.options[0]
		if o.Op != schedule.BubbleIdle {
			continue
		}
		waiting := g.bubble.Cells[bubbleWaiting].N != 0
		m.agenda.setEnabled(of, g.Slot, o, waiting != g.isRoot() && m.isIdle(g.bubble))
	}
}

// isIdle reports whether all goroutines of the bubble b are durably blocked, or wait
// for just that, and nothing is due. What they are about to do is on the agenda.
func (m *Scheduler) isIdle(b *heap.Object) bool {
	for _, g := range m.live {
		if g.bubble != b {
			continue
		}
		of := &m.agenda.offers[g.Slot]
		if of.options[0].Op == schedule.BubbleIdle {
			continue
		}
		if of.possible > 0 || !g.blocksDurably() {
			return false
		}
	}
	for i := range m.timers {
		if t := &m.timers[i]; t.bubble == b && t.when <= bubbleTime(b) {
			return false
		}
	}
	return true
}

// blocksDurably reports whether g, which cannot go on, is blocked durably.
func (g *goroutine) blocksDurably() bool {
	switch g.at {
	case atCommunication:
		for i := range g.comms {
			if ch := g.comms[i].ch; ch != nil && ch.Cells[chanBubble].P != g.bubble {
				return false
			}
		}
		return !g.orElse
	case atPrimitive:
		switch g.prim.Name {
		case sleepName, condWaitName:
			return true
		case groupWaitName:
			w := g.stack[g.primBase]
			return groupBubble(heap.Location{Object: w.P, Offset: int(w.N)}).P == g.bubble
		}
	}
	return false
}

const groupWaitName = "sync.wgWait"

// groupBubble returns the bubble with which a wait group is associated: it is in
// the cell behind the counter.
func groupBubble(l heap.Location) heap.Word { return l.Object.Cells[l.Offset+1] }

const condWaitName = "sync.condWait"
