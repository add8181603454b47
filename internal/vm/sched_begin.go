package vm

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// beginSchedule makes the state of concurrency ready for a run of m.plan:
// memory and goroutines are as they were at the end of Boot.
func (m *Scheduler) beginSchedule() {
	m.last = -1
	m.fired = 0
	m.watcher, _ = m.sched.(run.Watcher)
	m.continuing, _ = m.sched.(run.Continuing)
	m.spareGoroutines()
	for i, g := range m.gs {
		// What initialisers did happened before everything in the run.
		g.Clock = g.Clock.Empty()
		g.Clock.Set(int32(i), 1)
	}
	m.multi = len(m.gs) > 1 || len(m.timers) > 0 || len(m.plan.Visible.Objects) > 0 || len(m.plan.Visible.Sites) > 0
	m.races.Begin()
	clear(m.touched)
	m.touched = m.touched[:0]
	m.beginEvents()
	m.cycle.begin()
	if m.heap.Recording() { // a run from the start of the entry function
		for _, g := range m.gs {
			m.preserve(g)
			m.recordAt(g, run.Event{Op: schedule.Start, Object: run.NoObject, Site: run.NoSite, Caller: run.NoSite})
		}
	}
}

// finishSchedule completes the trace of a run that is over.
func (m *Scheduler) finishSchedule() {
	m.trace.Accesses = m.accesses(m.trace.Accesses)
}

// takeStock finds the goroutines that have not ended, and those that can go on or are
// parked.
func (m *Scheduler) takeStock() {
	m.live, m.ready = m.live[:0], m.ready[:0]
	m.agenda.clear(len(m.gs))
	for _, g := range m.gs {
		if g.status != ended {
			m.live = append(m.live, g)
		}
		switch g.status {
		case running:
			m.ready = append(m.ready, g)
		case parked:
			m.arrive(g)
		}
	}
}
