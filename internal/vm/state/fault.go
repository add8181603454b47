package state

import (
	"github.com/everyway-go/everyway/internal/run"
)

// A fault is why an instruction could not be completed: the Go program panics,
// exits its goroutine, or the run ends. Whatever finds one sets it with a method
// below and returns false; the dispatch loop then stops executing the
// instruction and acts on it.
type fault uint8

const (
	NoFault    fault = iota
	PanicFault       // the Go program panics with the value Machine.thrown
	ExitFault        // runtime.Goexit
	stopFault        // the run is over; the trace says how
	ParkFault        // the instruction is a visible operation and waits for its turn
)

// Stop ends the run with an outcome and its explanation.
func (m *State) Stop(o run.Outcome, message string) bool {
	if m.Fault != stopFault {
		m.Fault = stopFault
		m.Trace.Outcome = o
		m.Trace.Message = message
	}
	m.Over = true
	return false
}

// supportedPage is the page that lists what is supported.
const supportedPage = "github.com/everyway-go/everyway/blob/main/docs/supported.md"

// Unsupported ends the run because the code needs what the machine does not have.
// The message names the operation, the page that lists what is supported, the site
// and the chain of calls.
func (m *State) Unsupported(g *Goroutine, what string) bool {
	return m.Stop(run.Unsupported, "not supported: "+what+" (see "+supportedPage+")"+m.Whereabouts(g))
}

// Bounded ends the run because a bound was hit.
func (m *State) Bounded(g *Goroutine, what string) bool {
	return m.Stop(run.Bounded, what+m.Whereabouts(g))
}

// Fatal ends the run with a fatal error, such as "sync: unlock of unlocked mutex".
func (m *State) Fatal(g *Goroutine, message string) bool {
	m.Trace.FatalError = &run.Failure{StackTrace: m.StackTrace(g, len(g.Frames)), Message: "fatal error: " + message}
	return m.Stop(run.Failed, "")
}

// Visit makes an instruction a visible operation that is always enabled: it is
// false while the goroutine has to wait for its turn.
func (m *State) Visit(g *Goroutine, o run.Transition) bool {
	if g.Granted {
		g.Granted = false
		return true
	}
	o.Enabled = true
	o.Goroutine = g.ID
	o.Partner = -1
	o.Site = m.SiteOfTop(g)
	if o.Cells == 0 {
		o.Cells = 1
	}
	g.Pending = o
	return m.Park(g, AtAccess)
}

// Park makes g wait for the scheduler at its present instruction. It returns
// false for the instruction's implementation to return.
func (m *State) Park(g *Goroutine, at parkedAt) bool {
	g.Status = Parked
	g.At = at
	g.Blocked = false
	m.Fault = ParkFault
	m.endRound(g)
	m.Parked(g)
	return false
}
