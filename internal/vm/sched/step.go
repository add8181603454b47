package sched

import (
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/clock"
	"github.com/everyway-go/everyway/internal/vm/collect"
	"github.com/everyway-go/everyway/internal/vm/meter"
	"github.com/everyway-go/everyway/internal/vm/queue"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// Scheduling. The dispatch loop executes a goroutine until it reaches a visible operation.
// The implementation of the operation finds Goroutine.Granted unset and calls
// [state.State.Park], and the goroutine stays parked at that instruction. When every
// goroutine is parked or has ended, the plan or the policy decides which one takes the next
// step. The scheduler sets Granted and executes that goroutine again. The instruction now
// finds Granted set, clears it and does its work. A step therefore consists of a visible
// operation and the invisible code after it.
//
// Nothing depends on when a goroutine parks: other goroutines cannot notice whether it has
// reached its operation yet. This is why the invisible code after an operation can be part
// of the operation's step. Where Go's runtime lets others notice that a goroutine has
// arrived (a writer announces itself to a RWMutex), the operation has several steps. There
// are no wait queues; only at quiescent points is it known who waits (package queue).

// stepsChunk is the number of steps after which Schedule checks the context, since what
// the policy does at each step may take long.
const stepsChunk = 1 << 8

// Schedule executes the run until it is over or no transition is enabled any more.
func (m *Scheduler) Schedule() {
	m.collectGoroutines()
	for {
		m.executeReady()
		if m.Over {
			return
		}
		if m.Step.Endless != nil {
			m.endInLoop()
			return
		}
		if m.cycle.steps == m.nextCheckpoint || m.Trace.Instructions >= m.longAfter {
			m.makeCheckpoint()
		}
		if !m.Update() {
			return
		}
		if m.cycle.steps++; m.cycle.steps >= cycleFrom {
			if m.detectCycle() {
				return
			}
			if m.Pending.numEnabled > 0 && m.cutDue() {
				m.cut()
				return
			}
		}
		if m.cycle.steps%stepsChunk == 0 && m.Interrupted() {
			return
		}
		var t *run.Transition
		switch m.Pending.numEnabled {
		case 0:
			m.List()
			m.endBlocked()
			return
		case 1: // no choice, no decision
			t = m.Pending.onlyEnabled()
			if t.Op == schedule.TimePass && m.deadlockDue() && m.detectDeadlock() {
				return
			}
		default:
			if m.Booting {
				m.Stop(run.Stopped, "")
				return
			}
			if t = m.chooseStep(); t == nil {
				m.List()
				return
			}
		}
		if t.Op == schedule.Yield && m.Pending.numEnabled == 1 && !m.awaitsTime() {
			m.Step.Pauses++
		} else {
			m.Step.Pauses = 0
		}
		if !m.step(t) {
			return
		}
	}
}

// executeReady executes the goroutines that have invisible code to run, in the order in
// which they became ready, until all of them are parked or have ended.
func (m *Scheduler) executeReady() {
	for i := 0; i < len(m.Ready) && !m.Over; i++ {
		switch g := m.Ready[i]; {
		case g.At == state.AtCrash:
			m.exec.Crash(g)
		case m.Pausing && m.PauseAtStart(g):
		case m.BeginStep(g):
			m.exec.Execute(g)
		}
	}
	m.Ready = m.Ready[:0]
}

// Wake makes g, which is parked, ready to run. It is executed when executeReady reaches
// it.
func (m *Scheduler) Wake(g *state.Goroutine) {
	m.removePending(g)
	g.Status = state.Running
	m.Ready = append(m.Ready, g)
}

// transitionsOf appends the transitions of a parked goroutine.
func (m *Scheduler) transitionsOf(g *state.Goroutine, to []run.Transition) []run.Transition {
	first := len(to)
	switch g.At {
	case state.AtAccess, state.AtCrash, state.AtPause, state.AtHold, state.AtStop, state.AtGoal:
		to = append(to, g.Pending)
		if queue.Closes(g) {
			ch := g.Comms[0].Chan
			queue.Note(&m.State, &to[first], ch)
			to[first].State = min(state.ChanState(ch), 0)
		}
		return to
	case state.AtPrimitive:
		to = g.Prim.Prim.Transitions(g, to)
	case state.AtCommunication:
		to = m.communications(g, to)
	}
	site := m.SiteOfTop(g)
	for i := first; i < len(to); i++ {
		to[i].Site = site
		if to[i].Cells == 0 {
			to[i].Cells = 1
		}
	}
	return to
}

// CanStep reports whether g, which is parked, has a transition that is enabled.
func (m *Scheduler) CanStep(g *state.Goroutine) bool {
	return slices.ContainsFunc(m.transitionsOf(g, nil), func(t run.Transition) bool { return t.Enabled })
}

// chooseStep returns the transition to take next, nil if the run ends here.
func (m *Scheduler) chooseStep() *run.Transition {
	var t *run.Transition
	if n, prefix := len(m.Trace.Decisions), m.prefix(); n < len(prefix) {
		if t = m.transitionOf(prefix[n]); t == nil {
			m.Stop(run.Infeasible, fmt.Sprintf("decision %d of the plan is not possible", n))
			return nil
		}
	} else if t = m.chooseUnlisted(); t == nil {
		m.List()
		p := &m.point
		p.Kind, p.N, p.Last, p.Goroutine = run.Step, 0, m.Last, 0
		p.Enabled, p.Pending, p.Trace, p.Overdue = m.Pending.enabled, m.Pending.All, m.Trace, m.overdue()
		p.Fingerprint, p.Known, p.Words, p.Turned = m.fingerprint, m.known, m.words, m.turned
		i := m.policy.Choose(p)
		if i < 0 {
			m.Stop(run.Stopped, "")
			return nil
		}
		t = &m.Pending.enabled[i]
	}
	if !m.decide(t.Decision) {
		return nil
	}
	return t
}

// chooseUnlisted returns the choice of a Continuing scheduler if it can be made without
// listing the transitions, and otherwise nil.
func (m *Scheduler) chooseUnlisted() *run.Transition {
	if m.continuing == nil || !m.continuing.Continues() {
		return nil
	}
	t := m.nonPreemptive()
	if t != nil {
		m.continuing.Continued()
	}
	return t
}

// decide adds d to the trace. It returns false if the limit on decisions is exceeded.
func (m *Scheduler) decide(d run.Decision) bool {
	if n := m.Limits.Decisions; n > 0 && len(m.Trace.Decisions) >= n {
		return m.Stop(run.Bounded, "too many scheduling decisions")
	}
	if m.Meter != nil {
		m.Meter.Decisions = append(m.Meter.Decisions, m.stackOf(d.Goroutine))
	}
	m.Trace.Decisions = append(m.Trace.Decisions, d)
	return true
}

// ChooseEntry is ChooseValue for the next of n entries of a map, before an instruction that has changed nothing
// yet.
func (m *Scheduler) ChooseEntry(g *state.Goroutine, n int) (v int, ok bool) {
	m.choosing = g
	v, ok = m.ChooseValue(g, n)
	m.choosing = nil
	return v, ok
}

// ChooseValue lets the plan or the policy choose a number from 0 to n-1 on behalf of g.
// The result ok is false if the run ends here.
func (m *Scheduler) ChooseValue(g *state.Goroutine, n int) (v int, ok bool) {
	v, ok = m.chooseNumber(run.SchedulingPoint{N: n, Goroutine: g.ID})
	if ok && n > 1 {
		m.Record(g, run.Event{Op: schedule.Choice, Object: run.NoObject, Alt: int32(v), Read: uint64(v), ReadKind: uint8(code.Int64)})
	}
	return v, ok
}

// chooseReceiver is ChooseValue for a timer, which sends to one of several goroutines.
func (m *Scheduler) chooseReceiver(list []*state.Goroutine) (k int, ok bool) {
	point := run.SchedulingPoint{N: len(list), Goroutine: -1}
	for _, g := range list {
		point.Receivers = append(point.Receivers, g.ID)
	}
	return m.chooseNumber(point)
}

// chooseNumber is ChooseValue without an event, for a point that says who needs the number.
func (m *Scheduler) chooseNumber(point run.SchedulingPoint) (v int, ok bool) {
	n, id := point.N, point.Goroutine
	if n <= 1 {
		return 0, true
	}
	if k, prefix := len(m.Trace.Decisions), m.prefix(); k < len(prefix) {
		d := prefix[k]
		if d.Kind != run.Value || d.Goroutine != id || int(d.Alt) >= n || d.Alt < 0 {
			return 0, m.Stop(run.Infeasible, fmt.Sprintf("decision %d of the plan is not possible", k))
		}
		v = int(d.Alt)
	} else {
		m.point = point
		m.point.Kind, m.point.Last, m.point.Trace = run.Value, m.Last, m.Trace
		if m.choosing != nil {
			m.point.Fingerprint, m.point.Known, m.point.Words = m.fingerprint, m.known, m.words
		}
		if v = m.policy.Choose(&m.point); v < 0 {
			return 0, m.Stop(run.Stopped, "")
		}
	}
	m.NoteChoice()
	m.Races.NextTurn()
	if m.Booting {
		m.Trace.Bounds.Add(run.InitChoices)
	}
	return v, m.decide(run.Decision{Kind: run.Value, Goroutine: id, Alt: int32(v)})
}

// stackOf returns the number of the call stack of a goroutine of the run, or of a timer if the
// goroutine is -1.
func (m *Scheduler) stackOf(goroutine int32) meter.Stack {
	if goroutine < 0 {
		return m.StackNumber(nil)
	}
	return m.StackNumber(m.Goroutines[m.slotOf(goroutine)])
}

// stackOfStep is stackOf for the goroutine that takes the step t, which it has if the step was decided on.
func (m *Scheduler) stackOfStep(t *run.Transition) meter.Stack {
	if m.Pending.numEnabled > 1 {
		return m.Meter.Decisions[len(m.Meter.Decisions)-1]
	}
	return m.stackOf(t.Goroutine)
}

// step carries out t. It returns false if the run is over.
func (m *Scheduler) step(t *run.Transition) bool {
	if m.watcher != nil && m.cycle.steps > m.shared {
		m.List()
		if !m.watcher.Stepping(t, m.Trace) {
			return m.Stop(run.Stopped, "")
		}
	}
	if m.Meter.Counting() {
		m.Meter.Step(m.stackOfStep(t))
	}
	if m.Trace.Pending != nil {
		m.Trace.Pending = nil
	}
	m.Last = t.Goroutine
	m.Races.NextTurn()
	if t.Op == schedule.TimePass {
		if t.Alt == collectAlt {
			collect.WhenIdle(&m.State)
		} else {
			m.passTime()
		}
		return !m.Over
	}
	now, readings := m.Now, (*race.Readings)(nil)
	if early := t.IsEarly(); early || m.Stalled > 0 || m.LatestReadings != nil {
		if early {
			m.advance(t)
		}
		now, readings = clock.Carry(&m.State, t)
	}
	if t.Goroutine < 0 {
		var to *state.Goroutine
		if list := clock.Receivers(&m.State, t.Alt); len(list) > 0 {
			k, ok := m.chooseReceiver(list)
			if !ok {
				return false
			}
			to = list[k]
		}
		clock.Fire(&m.State, t.Alt, to, now, readings)
		return !m.Over
	}
	g := m.Goroutines[m.slotOf(t.Goroutine)]
	m.Preserve(g)
	g.Granted = true
	g.LastStep = m.cycle.steps
	g.Alt = t.Alt
	if g.Spins() {
		g.Spin.Resume()
	}
	m.Wake(g)
	return true
}

// endBlocked ends a run in which no transition is enabled any more.
func (m *Scheduler) endBlocked() {
	m.Trace.Outcome = run.Finished
	if m.Goroutines[0].Status == state.Ended && (m.Initialising() || m.MainExited) {
		m.Trace.FatalError = &run.Failure{
			StackTrace: run.StackTrace{Site: run.NoSite},
			Message:    "fatal error: no goroutines (main called runtime.Goexit) - deadlock!",
		}
		m.Stop(run.Failed, "")
		return
	}
	if m.Returned() {
		m.Trace.TimeCut = clock.WaitsInVain(&m.State)
	}
	if len(m.Live) == 0 {
		return
	}
	if m.Returned() {
		m.noteStuck(m.Live)
		m.noteWakers()
		return
	}
	m.Stop(run.Failed, "")
	if g := m.racySpinner(m.Live); g != nil {
		what := "goroutine spins"
		if on := g.Awaited(); on != "" {
			what += " waiting for a change of " + on
		}
		m.Trace.Outcome = run.Bounded
		m.Trace.Message = what + ", beside a data race" + m.Whereabouts(g)
		return
	}
	if i := slices.IndexFunc(m.Live, clock.SleepsForEver); i >= 0 {
		m.Trace.Outcome = run.Bounded
		m.Trace.Message = "a sleep beyond the time that the clock can represent" + m.Whereabouts(m.Live[i])
		return
	}
	m.noteStuck(m.Live)
}

// racySpinner returns a goroutine of gs that spins beside a data race, nil if there is
// none. Plain accesses of its loop may be part of the race, so that in reality it need not
// spin forever. The run cannot be called a deadlock then.
func (m *Scheduler) racySpinner(gs []*state.Goroutine) *state.Goroutine {
	if i := slices.IndexFunc(gs, (*state.Goroutine).Spins); i >= 0 && len(m.Trace.Unordered) > 0 {
		return gs[i]
	}
	return nil
}

// noteStuck records that the goroutines gs cannot make progress any more, since they wait.
func (m *Scheduler) noteStuck(gs []*state.Goroutine) { m.noteStuckIn(run.Stuck{}, gs) }

// noteStuckIn records that the goroutines gs cannot make progress any more, and in which way.
func (m *Scheduler) noteStuckIn(how run.Stuck, gs []*state.Goroutine) {
	s := &how
	s.Returned = m.Returned()
	for _, g := range gs {
		if g.AwaitsContext() {
			continue // it only waits for the others
		}
		at := run.StuckGoroutine{StackTrace: m.StackTrace(g, len(g.Frames))}
		switch {
		case s.Repeats():
		case g.Spins():
			at.Spins, at.For = true, g.Awaited()
		case g.Sleeps() && g.Prim.Name != clock.SleepName:
			at.Spins, at.For = true, "time"
		default:
			at.For = blockedAt(g)
		}
		if s.Returned && g.OfInitialiser {
			at.Waker = run.VariableWaker // natively it remains beside all tests of the package
		}
		s.Goroutines = append(s.Goroutines, at)
	}
	m.Trace.Stuck = s
}

// blockedAt returns what a blocked goroutine waits for, in the words of Go's goroutine
// dump where it has any.
func blockedAt(g *state.Goroutine) string {
	switch g.At {
	case state.AtPrimitive:
		return g.Prim.Name
	case state.AtCommunication:
		return CommunicationReason(g)
	}
	return g.Pending.Op.String()
}

// CommunicationReason returns what a goroutine that is blocked at a channel or in a select
// waits for, in the words of Go's goroutine dump.
func CommunicationReason(g *state.Goroutine) string {
	switch {
	case len(g.Comms) == 0:
		return "select (no cases)"
	case g.Selects:
		return "select"
	}
	reason := "chan receive"
	if g.Comms[0].Send {
		reason = "chan send"
	}
	if g.Comms[0].Chan == nil {
		reason += " (nil chan)"
	}
	return reason
}
