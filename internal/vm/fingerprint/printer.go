package fingerprint

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A Printer computes fingerprints of the states of one machine. The zero Printer is ready to
// use. It keeps memory from one fingerprint to the next, and the numbers of hidden objects.
type Printer struct {
	*state.State
	begin *heap.Mark // the first checkpoint
	all   set        // of what the fingerprint consists of
	none  bool       // the state turns out to have no fingerprint

	memory
	history
}

// Of returns the fingerprint of a state at a scheduling point, where all goroutines are parked
// or have ended. It is false if the state has none. The run has begun at the mark.
func (p *Printer) Of(m *state.State, begin *heap.Mark) (run.Fingerprint, bool) {
	if !has(m) {
		return run.Fingerprint{}, false
	}
	p.State, p.begin, p.all, p.none = m, begin, set{}, false
	p.beginMemory()
	p.beginHistory()
	p.addRun()
	for _, g := range m.Live {
		p.addGoroutine(g)
	}
	p.addTimers()
	p.addObjects()
	p.addChanges()
	p.addHistory()
	return run.Fingerprint{p.all.a, p.all.b}, !p.none
}

// has reports whether a state may have a fingerprint.
func has(m *state.State) bool {
	t, plan := m.Trace, m.Plan
	switch {
	case plan.Symmetry, plan.ReadSymbols, m.Pausing, m.Booting:
		return false // these depend on more of the past
	case len(m.Events.Merged) > 0, m.Unconditional != nil:
		return false // a value that is needed later can depend on conditions that are not in the path
	case m.Stalled > 0, m.LatestReadings != nil, len(m.LateSteps) > 0:
		return false // the order of the steps since the last quiescent point counts
	case len(m.Collectables)+len(m.Finalizing) > 0, m.FinalizerSlot > 0:
		return false
	case t.Panic != nil, t.FatalError != nil, t.Exit != nil, t.Stuck != nil, t.Skipped:
		return false
	}
	return len(t.TestFailures)+len(t.Unjudged)+len(t.Unordered) == 0
}
