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
	// choosing is the goroutine that is about to choose the next entry of a map, nil at a scheduling point.
	choosing *state.Goroutine
	all      set  // of what the fingerprint consists of
	none     bool // the state turns out to have no fingerprint

	memory
	history
	order
	graph
	words
	late late
}

// Of returns the fingerprint of a state in which all goroutines are parked or have ended, except for
// choosing: at a scheduling point it is nil, and otherwise it is about to choose the next entry of a map. It is
// false if the state has no fingerprint. The run has begun at the mark.
func (p *Printer) Of(m *state.State, begin *heap.Mark, choosing *state.Goroutine) (run.Fingerprint, *run.Naming, bool) {
	if !has(m) {
		return run.Fingerprint{}, nil, false
	}
	p.State, p.begin, p.choosing, p.turned = m, begin, choosing, -1
	p.renames = mayRename(m)
	p.print()
	if p.renames && p.fixed {
		p.renames = false
		p.print()
	}
	switch {
	case p.none:
		return run.Fingerprint{}, nil, false
	case p.renames:
		return run.Fingerprint{p.all.a, p.all.b}, p.noteNaming(), true
	}
	return run.Fingerprint{p.all.a, p.all.b}, nil, true
}

// print computes the fingerprint.
func (p *Printer) print() {
	p.all, p.none, p.fixed = set{}, false, false
	p.beginMemory()
	p.gathered = false
	p.arrange()
	p.addContents()
	if !p.Plan.ForgetKnowledge {
		p.reachAll()
	}
	p.gather()
	for _, g := range p.arranged {
		p.addPending(g)
	}
	p.addNamedQueues()
	p.addHeld()
	p.addHistory()
	p.addLateSteps()
	p.endWords()
}

// addContents adds everything but what refers to objects by their names, which they have then.
func (p *Printer) addContents() {
	p.graph.begin(len(p.Live)+len(p.Timers), p.needsGraph())
	p.source = p.everybody()
	p.addRun()
	for i, g := range p.arranged {
		p.source = int32(i)
		p.addGoroutine(g)
	}
	p.addTimers()
	p.addObjects()
	p.addChanges()
	p.addPools()
	p.endTracing()
}

// has reports whether a state may have a fingerprint.
func has(m *state.State) bool {
	t, plan := m.Trace, m.Plan
	switch {
	case plan.Symmetry, plan.ReadSymbols, m.Pausing, m.Booting, m.Stops.Any():
		return false // these depend on more of the past
	case len(m.Events.Merged) > 0, m.Unconditional != nil:
		return false // a value that is needed later can depend on conditions that are not in the path
	case m.InputHeap != nil && m.InputHeap.Open():
		return false // what pointers can be chosen depends on the past
	case len(m.Collectables)+len(m.Finalizing) > 0, m.FinalizerSlot > 0:
		return false
	case t.Panic != nil, t.FatalError != nil, t.Exit != nil, t.Stuck != nil, t.Skipped:
		return false
	}
	return len(t.TestFailures)+len(t.Unjudged)+len(t.Unordered)+len(t.ClosedSends) == 0 &&
		!(m.Plan.Visible.HideAtomics && len(m.Races.Shown) > 0)
}

// mayRename reports whether the names of goroutines and objects in a state may be left out, as far
// as is known before it is looked at.
func mayRename(m *state.State) bool {
	return m.Plan.Rename && m.Bubbles == 0 &&
		len(m.Parted) == 0 && len(m.Trace.Tests) == 0 && !m.CountsAllocations()
}
