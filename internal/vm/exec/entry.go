package exec

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// The main goroutine calls package initialisers, one after another, and then the entry
// function of the target. Each call is made on an empty stack.

// BeginInits has g, the main goroutine, call the first of m.Inits.
func (m *Interpreter) BeginInits(g *state.Goroutine) {
	m.Initialisers = len(m.Inits)
	m.callInit(g)
}

// callInit has g call the initialiser that is next.
func (m *Interpreter) callInit(g *state.Goroutine) {
	next := m.Inits[len(m.Inits)-m.Initialisers]
	m.PushEntry(g, m.Link(next), nil, nil)
}

// callNext has g, the main goroutine, whose call has returned, make the next one. It
// returns false if there is none, or if Boot has run the last initialiser.
func (m *Interpreter) callNext(g *state.Goroutine) bool {
	if !m.Initialising() {
		return false
	}
	m.Initialisers--
	switch {
	case m.Initialising():
		m.callInit(g)
	case m.Booting:
		return false
	default:
		m.EndInitialisation()
		m.PushEntry(g, m.Entry, nil, m.EntryArgs)
	}
	return true
}

// Preparation returns the code that prepares the frames of a goroutine that begins in the middle of functions: the
// outermost of them.
func (m *Interpreter) Preparation(i int) *state.Function {
	mid := m.Middles[i]
	return m.LinkWritten(mid, func() *code.Func { return mid.Code })
}
