package sched

import (
	"slices"
	"time"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/clock"
	"github.com/everyway-go/everyway/internal/vm/collect"
	"github.com/everyway-go/everyway/internal/vm/queue"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// Virtual time. When no goroutine can take a step unless time passes, the run is at a
// quiescent point: a step of no goroutine moves the clock to the time at which something is
// due next. What is due then can happen in any order with everything else: timers fire and
// sleeping goroutines wake. From one quiescent point to the next, the clock advances by at
// most Settings.Stall, so that timers and sleepers that are due within that time can happen
// as well, at any point. They are early, since goroutines that could run are kept waiting
// for them. What can happen when, and what the program reads on the clock, is up to package
// clock.

// passTime carries out the step in which time passes, at a quiescent point. Every goroutine
// is blocked then.
func (m *Scheduler) passTime() {
	queue.Quiesce(&m.State, nil)
	was := m.Now + m.Stalled
	m.Now = max(was, m.findSoonest())
	m.Stalled, m.LateSteps = 0, nil
	m.LateIndex.Reset()
	clock.Pass(&m.State)
	m.noteAlone()
	m.recordPassing(m.Now-was, -1)
}

// noteAlone notes, when a run begins or time passes, if a goroutine is the only one, and no timer
// starts others. In a run that begins in the middle of a program that is not known.
func (m *Scheduler) noteAlone() {
	starts := func(t *state.Timer) bool { return t.Channel() == nil }
	if m.InputHeap != nil || slices.ContainsFunc(m.Timers, starts) {
		return
	}
	var only *state.Goroutine
	for _, g := range m.Goroutines {
		if g.Status == state.Ended {
			continue
		}
		if only != nil {
			return
		}
		only = g
	}
	if only != nil {
		m.Preserve(only)
		only.AloneAt = only.Spawns + 1
	}
}

// recordPassing records that time passes while a goroutine that could run waits, -1 if there
// is none.
func (m *Scheduler) recordPassing(d int64, waits int32) {
	m.RecordTimer(run.Event{
		Op: schedule.TimePass, Object: run.ClockObject, Other: waits,
		Wrote: uint64(d), WroteKind: uint8(code.Int64),
	})
}

// timePass returns the step with the given alternative in which time passes.
func timePass(alt int32) run.Transition {
	return run.Transition{
		Decision: run.Decision{Kind: run.Step, Goroutine: -1, Alt: alt},
		Op:       schedule.TimePass,
		Object:   run.ClockObject,
		Cells:    1,
		Partner:  -1,
		Delta:    -1,
		Site:     run.NoSite,
		Enabled:  true,
	}
}

// timePassAlt is the alternative of the step in which time passes, and collectAlt that of
// the step in which so much time passes that garbage is collected. Those of timers are not
// negative.
const (
	timePassAlt = -1
	collectAlt  = -2
)

// addTimePass adds the step in which time passes to the pending operations if nothing can
// happen otherwise and something is due later.
func (m *Scheduler) addTimePass() {
	alt := int32(timePassAlt)
	switch {
	case m.findSoonest() != state.Never:
	case m.Pending.numEnabled == 0 && collect.DueWhenIdle(&m.State):
		alt = collectAlt
	default:
		return
	}
	p := &m.Pending
	p.due = slices.Insert(p.due, 0, timePass(alt)) // before the timers, which are early
	p.numEnabled++
}

// isQuiescent reports whether nothing can happen unless time passes.
func (m *Scheduler) isQuiescent() bool {
	p := &m.Pending
	if p.numEnabled == 0 {
		return true
	}
	if m.Stall == 0 {
		return false
	}
	if slot := p.withEnabled.Next(0); slot >= 0 && !m.Goroutines[slot].Sleeps() {
		return false
	}
	early := 0
	for i := range p.due {
		if p.due[i].IsEarly() {
			early++
		}
	}
	m.eachSleeper(func(g *state.Goroutine) {
		if p.operations[g.Slot].numEnabled > 0 && g.When > m.Now {
			early++
		}
	})
	return early == p.numEnabled
}

// advance lets the clock advance so far that t, which is early, can happen.
func (m *Scheduler) advance(t *run.Transition) {
	d := t.State - m.Stalled
	if d <= 0 {
		return
	}
	// Something is kept waiting if it could happen earlier.
	p := &m.Pending
	could := func(other *run.Transition) bool {
		return other.Enabled && other.Op != schedule.TimePass && !(other.IsEarly() && other.State >= t.State)
	}
	stalls := slices.ContainsFunc(p.due, func(t run.Transition) bool { return could(&t) })
	var waits *state.Goroutine // of those that wait, the one that took its last step first
	for slot := p.withEnabled.Next(0); slot >= 0; slot = p.withEnabled.Next(slot + 1) {
		for i := range p.operations[slot].transitions {
			if g := m.Goroutines[slot]; could(&p.operations[slot].transitions[i]) && (waits == nil || g.LastStep < waits.LastStep) {
				waits, stalls = g, true
			}
		}
	}
	m.Stalled = t.State
	if stalls {
		m.Trace.Stall = max(m.Trace.Stall, time.Duration(max(t.State-state.Lateness, 1)))
	}
	if waits == nil {
		m.recordPassing(d, -1)
	} else {
		m.recordPassing(d, waits.ID)
	}
}

// findSoonest returns the time at which something is due first outside of bubbles,
// state.Never if nothing is.
func (m *Scheduler) findSoonest() int64 {
	soonest := int64(state.Never)
	for _, t := range m.Timers {
		if clock.Ticks(&m.State, t) {
			soonest = min(soonest, t.Due(m.Now))
		}
	}
	m.eachSleeper(func(g *state.Goroutine) {
		if !clock.TimeCut(&m.State, g.Late) {
			soonest = min(soonest, g.When)
		}
	})
	return soonest
}

// holdsTimers reports whether a timer or sleeper has to wait because its time cannot have
// come.
func (m *Scheduler) holdsTimers() bool {
	holds := false
	for _, t := range m.Timers {
		if clock.Ticks(&m.State, t) {
			due := t.Due(m.Now)
			holds = holds || due != state.Never && !m.HasCome(due)
		}
	}
	m.eachSleeper(func(g *state.Goroutine) {
		holds = holds || !clock.TimeCut(&m.State, g.Late) && g.When != state.Never && !m.HasCome(g.When)
	})
	return holds
}

// eachSleeper calls do for every goroutine that sleeps outside of bubbles.
func (m *Scheduler) eachSleeper(do func(*state.Goroutine)) {
	for _, slot := range m.Pending.volatile { // includes those that sleep
		if g := m.Goroutines[slot]; g.Bubble == nil && g.Sleeps() {
			do(g)
		}
	}
}
