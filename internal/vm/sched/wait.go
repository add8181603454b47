package sched

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/fingerprint"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/reach"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// waitOf returns what g, which has not ended, waits for. The pending operations must be
// up to date.
func (m *Scheduler) waitOf(g *state.Goroutine) reach.Wait {
	op := &m.Pending.operations[g.Slot]
	var w reach.Wait
	switch {
	case g.Sleeps() && (g.Bubble == nil || op.numEnabled == 0): // in a bubble, its time has come or not
		w.Time = true
	case g.Status != state.Parked || op.numEnabled > 0:
		w.Runs = true
	case op.transitions[0].Op == schedule.BubbleIdle:
		w.Idle, w.Root = true, isRoot(g)
	case g.Spins():
		w.Objects, w.Count = g.Observed()
		w.Objects = append(w.Objects, channelsOf(g)...)
	case g.At == state.AtCommunication:
		w.Objects = channelsOf(g)
	case g.At == state.AtPrimitive && g.Prim.Name == state.ContextWaitName:
		w.Count = true // it waits for those that begin in the middle to end
	case g.At == state.AtPrimitive:
		// It is a lock or the like, a cell to which the first argument points.
		w.Objects = []*heap.Object{g.Stack[g.PrimBase].P}
	}
	return w
}

// channelsOf returns the channels of the communications at which g is parked, if it is
// parked at any.
func channelsOf(g *state.Goroutine) []*heap.Object {
	var channels []*heap.Object
	if g.At == state.AtCommunication {
		for i := range g.Comms {
			if ch := g.Comms[i].Chan; ch != nil {
				channels = append(channels, ch)
			}
		}
	}
	return channels
}

// noteUnfinished notes what the goroutines that have not ended are about to do, in a run that is over.
func (m *Scheduler) noteUnfinished() {
	m.Trace.Unfinished = nil
	for _, g := range m.Live {
		if g.Status != state.Parked {
			continue // in the middle of something
		}
		u := run.Unfinished{Goroutine: g.ID, Caller: m.CallerOf(g)}
		switch g.At {
		case state.AtCommunication:
			u.Cases = casesOf(g)
		case state.AtPrimitive, state.AtAccess:
			t := m.transitionsOf(g, nil)[0]
			u.Cases = []run.Case{{Op: t.Op, Object: t.Object, Offset: t.Offset}}
		default:
			continue
		}
		m.Trace.Unfinished = append(m.Trace.Unfinished, u)
	}
}

// lessonOf returns what a goroutine learns in its next step, the zero Lesson if nothing is sure.
func (s *Scheduler) lessonOf(g *state.Goroutine) (l fingerprint.Lesson) {
	if s.Bubbles > 0 || g.Status != state.Parked || g.At != state.AtPrimitive && g.At != state.AtCommunication || g.Top().Symbolic {
		return l
	}
	s.lesson = s.transitionsOf(g, s.lesson[:0])
	enabled := countEnabled(s.lesson)
	if g.At == state.AtCommunication {
		// To receive it has to wait for somebody who sends or closes, or for a timer. That of a
		// sender is not known when the channel is closed, and whoever looks for what is ready
		// learns nothing of what is not.
		l.Waits = enabled == 0 && !g.HasDefault && !sends(g)
		return l
	}
	switch {
	case g.Prim.Name == CondWaitName:
		// What it learns is what the one knows who notifies it.
		if enabled == 0 {
			l.Waits = true
		} else {
			l.Clock = &g.Wakeup
		}
		l.About = g.Stack[g.PrimBase].P
		return l
	case len(s.lesson) != 1:
		return l
	}
	t := &s.lesson[0]
	at := g.Stack[g.PrimBase]
	if at.P == nil || t.Object != at.P.ID {
		return l
	}
	l.About = at.P
	switch {
	case enabled == 0:
		l.Waits = g.Prim.Prim.Awaits
	case g.Prim.Prim.Learns && !t.Commutes:
		if left := s.Races.Releases(at.P.Race, int(at.N)); left != nil {
			l.Clock = &left.Clock
		}
	}
	return l
}

// sends reports whether one of the communications of a goroutine is to send.
func sends(g *state.Goroutine) bool {
	for i := range g.Comms {
		if g.Comms[i].Send {
			return true
		}
	}
	return false
}
