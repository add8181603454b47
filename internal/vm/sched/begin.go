package sched

import (
	"context"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// beginSchedule prepares scheduling for a run of m.Plan. Memory and goroutines are as
// they were at the end of Boot.
func (m *Scheduler) beginSchedule() {
	m.Last = -1
	m.TimerEvents = 0
	m.watcher, _ = m.policy.(run.Watcher)
	m.continuing, _ = m.policy.(run.Continuing)
	m.SpareGoroutines()
	for i, g := range m.Goroutines {
		// What the initialisers did happened before everything in the run.
		g.Clock = g.Clock.Empty()
		g.Clock.Set(int32(i), 1)
		g.ForgetChains()
	}
	m.BeginFlow()
	m.SetMulti(len(m.Goroutines) > 1 || len(m.Timers) > 0 || len(m.Plan.Visible.Objects) > 0 || len(m.Plan.Visible.Sites) > 0)
	m.Pausing = m.Plan.Visible.Pauses()
	m.SetStops()
	m.Races.Begin()
	clear(m.Touched)
	m.Touched = m.Touched[:0]
	m.BeginEvents()
	m.cycle.begin()
	if m.Heap.Recording() { // a run from the start of the entry function
		m.markInitial()
		if len(m.LateSteps) == 0 {
			m.LateSteps = m.lateSteps
		}
		for _, g := range m.Goroutines {
			m.Preserve(g)
			m.RecordAt(g, run.Event{Op: schedule.Start, Object: run.NoObject, Site: run.NoSite, Caller: run.NoSite})
		}
		m.noteAlone()
	}
}

// finishSchedule completes the trace of a run that is over.
func (m *Scheduler) finishSchedule() {
	if m.Plan.Record {
		m.Trace.Accesses = m.Accesses(m.Trace.Accesses)
	}
	if m.Plan.RecordPlain {
		m.noteUnfinished()
	}
	if m.InputHeap != nil {
		m.InputHeap.Finish()
	}
	m.Trace.UsesMatter = m.Races.Mixed
	m.Trace.Atomics, m.Trace.QuietAtomics = m.Races.Shown, m.Races.HasQuiet()
	if cap(m.LateSteps) > cap(m.lateSteps) {
		m.lateSteps = m.LateSteps[:0]
	}
}

// collectGoroutines sets Live and Ready, and computes the pending operations anew.
func (m *Scheduler) collectGoroutines() {
	m.Live, m.Ready = m.Live[:0], m.Ready[:0]
	m.Pending.clear(len(m.Goroutines))
	for _, g := range m.Goroutines {
		if g.Status != state.Ended {
			m.Live = append(m.Live, g)
		}
		switch g.Status {
		case state.Running:
			m.Ready = append(m.Ready, g)
		case state.Parked:
			m.addPending(g)
		}
	}
}

// Begin begins a run of plan, in a state that has been rewound to its start. Decisions
// that the plan leaves open are up to policy.
func (m *Scheduler) Begin(ctx context.Context, plan *run.Plan, policy run.Scheduler) {
	m.Ctx, m.CtxErr = ctx, nil
	m.Plan, m.policy = plan, policy
	m.Trace.Reset()
	m.Fault, m.Over = state.NoFault, false
	m.SetFuel(state.FuelChunk)
	m.Meter.Begin(0, 0)
	m.Step.Unchecked, m.Step.Pauses, m.Step.Endless = 0, 0, nil
	m.Printed = m.Printed[:0]
	m.BeginMemory()
	m.beginSchedule()
}

// Finish completes the trace of a run that is over.
func (m *Scheduler) Finish() {
	m.Trace.Instructions += m.Spent()
	m.SetFuel(state.FuelChunk)
	if m.Initialising() {
		m.EndInitialisation()
	}
	m.finishSchedule()
}

// Forget discards all checkpoints. The next one becomes the first.
func (m *Scheduler) Forget() {
	m.checkpoints = m.checkpoints[:0]
	m.Heap.Forget()
	m.Resumption = noCheckpoints()
}
