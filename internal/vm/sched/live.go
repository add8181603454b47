package sched

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/reach"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Deadlocks of the target beside goroutines that live for ever, and what could wake the
// goroutines that remain when the target has returned. Both are questions of what can be
// reached (package reach).
//
// A goroutine that nothing live can wake stays so, whatever the others do. Natively these go on:
// the runtime finds a deadlock only if nobody is left, and no timer. Something else may be wrong
// with what they do. So as long as they may come to an end a run goes on, too, and shows the
// deadlock there. It is looked for now and then in runs that are long: at some quiescent points,
// and when the number of steps has doubled.

// deadlockFrom is the number of quiescent points after which a run counts as long. It is a power of two.
const deadlockFrom = 16

// deadlockDue is called at each quiescent point, where only time can pass. It reports
// whether to look for a deadlock: when a run is long and the number of these points has doubled.
func (m *Scheduler) deadlockDue() bool {
	m.cycle.idle++
	n := m.cycle.idle
	return n >= deadlockFrom && n&(n-1) == 0
}

// detectDeadlock reports whether nothing live can wake the target's main goroutine, and
// ends the run if so. The pending operations must be up to date.
func (m *Scheduler) detectDeadlock() bool {
	main := m.Goroutines[0]
	if m.Pending.numEnabled == 0 || !m.Heap.Recording() || m.Settings.GoesOn {
		return false // the run ends by itself, or is not one of the target
	}
	if main.Status != state.Parked || m.Pending.operations[main.Slot].numEnabled > 0 || main.Sleeps() {
		return false
	}
	// Mostly it is something without package variables that can wake it.
	live, _ := reach.Live(&m.State, reach.Roots{Time: true}, m.waitOf)
	if live.Has(main.Slot) {
		return false
	}
	if live = m.live(); live.Has(main.Slot) {
		// Package variables count only if code refers to them that can still be executed.
		live, _ = reach.Live(&m.State, reach.Roots{Code: m.code, Time: true}, m.waitOf)
		if live.Has(main.Slot) {
			return false
		}
	}
	var dead []*state.Goroutine
	for _, g := range m.Live {
		if !live.Has(g.Slot) {
			dead = append(dead, g)
		}
	}
	if m.racySpinner(dead) != nil {
		return false
	}
	m.Stop(run.Failed, "")
	m.noteStuck(dead)
	m.Trace.Stuck.Partial = len(dead) < len(m.Live)
	m.List()
	return true
}

// live returns the slots of the goroutines that may take a step at some time.
func (m *Scheduler) live() *race.SlotSet {
	roots := reach.Roots{Variables: true, Time: true}
	if m.initial {
		roots.Begin = m.checkpoints[0].Heap()
	}
	m.askedLive = true
	live, _ := reach.Live(&m.State, roots, m.waitOf)
	return live
}

// markInitial is called at the start of each run that begins at the first checkpoint. It
// prepares live once that has been called.
func (m *Scheduler) markInitial() {
	if m.askedLive && !m.initial {
		reach.MarkInitial(&m.State)
		m.initial = true
	}
}

// A goroutine may take steps for ever when the target has returned, and change something in
// each, so that the state does not repeat. Natively the process ends soon after the return. So
// a run in which goroutines go on is cut short: after as many steps since the return as make a
// cycle show that there may be, or after many instructions.
const (
	minLateSteps        = 5000
	maxLateInstructions = 8_000_000
)

// cutDue is called in long runs. It reports whether to cut the run short.
func (m *Scheduler) cutDue() bool {
	if !m.Returned() {
		return false
	}
	until := m.Goroutines[0].LastStep
	return m.cycle.steps-until >= max(minLateSteps, 2*until) ||
		m.Trace.Instructions+m.Spent()-m.ReturnInstructions >= maxLateInstructions
}

// cut ends the run. The pending operations must be up to date.
func (m *Scheduler) cut() {
	m.Trace.Bounds.Add(run.RunsCut)
	m.Stop(run.Finished, "")
	m.noteStuck(m.Live)
	m.noteWakers()
	m.List()
}

// noteWakers notes what could wake the goroutines that remain when the target has
// returned. The pending operations must be up to date.
func (m *Scheduler) noteWakers() {
	timed, _ := reach.Live(&m.State, reach.Roots{Time: true, Endless: true}, m.waitOf)
	live := m.live()
	for i, g := range m.Live {
		at := &m.Trace.Stuck.Goroutines[i]
		switch {
		case m.waitOf(g).Runs:
			at.Waker = run.Running
		case timed.Has(g.Slot):
			at.Waker = run.TimerWaker
		case live.Has(g.Slot):
			at.Waker = run.VariableWaker
		}
	}
}
