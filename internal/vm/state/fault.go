package state

import (
	"github.com/everyway-go/everyway/internal/run"
)

// A fault is the reason why an instruction could not be completed: the program panics,
// its goroutine exits or has to wait, or the run ends. The code that finds it sets
// State.Fault, usually with one of the methods below, and returns false. The dispatch
// loop then stops executing the instruction and handles the fault.
type fault uint8

const (
	NoFault    fault = iota
	PanicFault       // the program panics; the dispatch loop has the value
	ExitFault        // runtime.Goexit
	stopFault        // the run is over; the trace says why
	ParkFault        // the instruction is a visible operation that has to wait for its turn
)

// Stop ends the run with an outcome and a message that explains it.
func (m *State) Stop(outcome run.Outcome, message string) bool {
	if m.Fault != stopFault {
		m.Fault = stopFault
		m.Trace.Outcome = outcome
		m.Trace.Message = message
	}
	m.Over = true
	return false
}

// supportedPage is the page that lists what is supported.
const supportedPage = "github.com/everyway-go/everyway/blob/main/docs/supported.md"

// Unsupported ends the run because the code needs something that the machine does not
// support. The message names the operation, the page that lists what is supported, the
// site and the call chain.
func (m *State) Unsupported(g *Goroutine, what string) bool {
	return m.Stop(run.Unsupported, "not supported: "+what+" (see "+supportedPage+")"+m.Whereabouts(g))
}

// Bounded ends the run because a limit was exceeded.
func (m *State) Bounded(g *Goroutine, what string) bool {
	return m.Stop(run.Bounded, what+m.Whereabouts(g))
}

// Fatal ends the run with a fatal error, such as "sync: unlock of unlocked mutex".
func (m *State) Fatal(g *Goroutine, message string) bool {
	m.Trace.FatalError = &run.Failure{StackTrace: m.StackTrace(g, len(g.Frames)), Message: "fatal error: " + message}
	return m.Stop(run.Failed, "")
}

// Visit makes the current instruction of g a visible operation with transition t, which
// is always enabled. It returns false if the goroutine has to wait for its turn.
func (m *State) Visit(g *Goroutine, t run.Transition) bool {
	if g.Granted {
		g.Granted = false
		return true
	}
	t.Enabled = true
	t.Goroutine = g.ID
	t.Partner = -1
	t.Site = m.SiteOfTop(g)
	if t.Cells == 0 {
		t.Cells = 1
	}
	g.Pending = t
	return m.Park(g, AtAccess)
}

// SuspendBoot is called before g starts a goroutine or a timer, or comes to a place of the goal. In
// Boot, it ends the run at the current instruction, with which every other run then begins. It
// reports whether it did.
func (m *State) SuspendBoot(g *Goroutine) bool {
	if !m.Booting {
		return false
	}
	m.ParkAtPause(g)
	m.Over = true
	m.Trace.Outcome = run.Stopped
	return true
}

// Park makes g wait for the scheduler at its current instruction. It returns false, for
// the implementation of the instruction to return.
func (m *State) Park(g *Goroutine, at parkedAt) bool {
	if m.InputHeap != nil && !m.InputHeap.Settle(g) {
		return false
	}
	if m.stayAtGoal(g, at) {
		return false
	}
	if at == AtCommunication && !g.HasDefault {
		m.noteAwaited(g)
	}
	g.Status = Parked
	g.At = at
	g.Blocked = false
	m.Fault = ParkFault
	m.endStep(g)
	m.Parked(g)
	return false
}

// noteAwaited notes that g is going to wait at the channels of its communications, if no one is ready.
func (m *State) noteAwaited(g *Goroutine) {
	for i := range g.Comms {
		if ch := g.Comms[i].Chan; IsTimerChan(ch) && !WasAwaited(ch) {
			m.Heap.Dirty(ch, ChanClosed, 1)
			ch.Cells[ChanClosed].P = ch.Cells[ChanCap].P
		}
	}
}
