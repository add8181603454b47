package vm

import (
	"github.com/everyway-go/everyway/internal/run"
)

// A fault is why an instruction could not be completed: the Go program panics,
// exits its goroutine, or the run ends. Whatever finds one sets it with a method
// below and returns false; the dispatch loop then stops executing the
// instruction and acts on it.
type fault uint8

const (
	noFault    fault = iota
	panicFault       // the Go program panics with the value Machine.thrown
	exitFault        // runtime.Goexit
	stopFault        // the run is over; the trace says how
	parkFault        // the instruction is a visible operation and waits for its turn
)

// stop ends the run with an outcome and its explanation.
func (m *State) stop(o run.Outcome, message string) bool {
	if m.fault != stopFault {
		m.fault = stopFault
		m.trace.Outcome = o
		m.trace.Message = message
	}
	m.over = true
	return false
}

// supportedPage is the page that lists what is supported.
const supportedPage = "github.com/everyway-go/everyway/blob/main/docs/supported.md"

// unsupported ends the run because the code needs what the machine does not have.
// The message names the operation, the page that lists what is supported, the site
// and the chain of calls.
func (m *State) unsupported(g *goroutine, what string) bool {
	return m.stop(run.Unsupported, "not supported: "+what+" (see "+supportedPage+")"+m.whereabouts(g))
}

// bounded ends the run because a bound was hit.
func (m *State) bounded(g *goroutine, what string) bool {
	return m.stop(run.Bounded, what+m.whereabouts(g))
}

// fatal ends the run with a fatal error, such as "sync: unlock of unlocked mutex".
func (m *State) fatal(g *goroutine, message string) bool {
	m.trace.FatalError = &run.Failure{StackTrace: m.stackTrace(g, len(g.frames)), Message: "fatal error: " + message}
	return m.stop(run.Failed, "")
}

// visit makes an instruction a visible operation that is always enabled: it is
// false while the goroutine has to wait for its turn.
func (m *State) visit(g *goroutine, o run.Transition) bool {
	if g.granted {
		g.granted = false
		return true
	}
	o.Enabled = true
	o.Goroutine = g.id
	o.Partner = -1
	o.Site = m.siteOfTop(g)
	if o.Cells == 0 {
		o.Cells = 1
	}
	g.pending = o
	return m.park(g, atAccess)
}

// park makes g wait for the scheduler at its present instruction. It returns
// false for the instruction's implementation to return.
func (m *State) park(g *goroutine, at parkedAt) bool {
	g.status = parked
	g.at = at
	g.blocked = false
	m.fault = parkFault
	m.endRound(g)
	m.parked(g)
	return false
}
