package sched

import (
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// Scheduling. The dispatch loop executes a goroutine until it comes to a
// visible operation. The operation's implementation finds granted unset, says
// what it would do ([Machine.park]) and the goroutine is parked with its program
// counter at that instruction. When every goroutine is parked or has ended, the
// machine asks the plan, or the scheduler, which one takes the next step. It
// sets granted and executes that goroutine again; the instruction now finds
// granted set, clears it and does its work. So a step is a visible operation
// and the invisible code after it.
//
// Nothing depends on when a goroutine parks: no other goroutine can tell whether
// it has come to its operation yet. That is what makes the invisible code after
// an operation free to be part of its step. An operation in which Go's runtime
// makes the arrival itself known to others (a writer that announces itself to
// a RWMutex) has several steps. There are no wait queues.

// stepsChunk is after how many steps schedule looks at the context: what the
// scheduler does at each may take long.
const stepsChunk = 1 << 8

// Schedule executes the run until it is over or nothing more is possible.
func (m *Scheduler) Schedule() {
	m.collectGoroutines()
	for {
		m.executeReady()
		if m.Over {
			return
		}
		if m.cycle.steps == m.nextCheckpoint {
			m.makeCheckpoint()
		}
		if !m.Update() {
			return
		}
		if m.cycle.steps++; m.cycle.steps >= cycleFrom && m.cycles() {
			m.List()
			return
		}
		if m.cycle.steps%stepsChunk == 0 && m.Interrupted() {
			return
		}
		var o *run.Transition
		switch m.Pending.possible {
		case 0:
			m.List()
			m.endBlocked()
			return
		case 1: // no choice, no decision
			o = m.Pending.only()
		default:
			if o = m.chooseStep(); o == nil {
				m.List()
				return
			}
		}
		if !m.step(o) {
			return
		}
	}
}

// settle executes the goroutines that have invisible code to run until all are
// parked or have ended, in the order in which they came to have some.
func (m *Scheduler) executeReady() {
	for i := 0; i < len(m.Ready) && !m.Over; i++ {
		switch g := m.Ready[i]; {
		case g.At == state.AtCrash:
			m.exec.Crash(g)
		case m.BeginRound(g):
			m.exec.Execute(g)
		}
	}
	m.Ready = m.Ready[:0]
}

// Wake makes g go on with its program, when it is its turn in settle.
func (m *Scheduler) Wake(g *state.Goroutine) {
	m.removePending(g)
	g.Status = state.Running
	m.Ready = append(m.Ready, g)
}

// intentions appends the options of a parked goroutine.
func (m *Scheduler) transitionsOf(g *state.Goroutine, to []run.Transition) []run.Transition {
	first := len(to)
	switch g.At {
	case state.AtAccess, state.AtCrash, state.AtPause:
		return append(to, g.Pending)
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

// chooseStep returns the option that is to come next, or nil when the run ends here.
func (m *Scheduler) chooseStep() *run.Transition {
	var o *run.Transition
	if n, prefix := len(m.Trace.Decisions), m.prefix(); n < len(prefix) {
		if o = m.transitionOf(prefix[n]); o == nil {
			m.Stop(run.Infeasible, fmt.Sprintf("decision %d of the plan is not possible", n))
			return nil
		}
	} else if o = m.chooseUnlisted(); o == nil {
		m.List()
		p := &m.point
		p.Kind, p.N, p.Last, p.Goroutine = run.Step, 0, m.Last, 0
		p.Enabled, p.Pending, p.Trace, p.Overdue = m.Pending.enabled, m.Pending.All, m.Trace, m.overdue()
		i := m.policy.Choose(p)
		if i < 0 {
			m.Stop(run.Stopped, "")
			return nil
		}
		o = &m.Pending.enabled[i]
	}
	if !m.decide(o.Decision) {
		return nil
	}
	return o
}

// chooseUnlisted returns what a Continuing scheduler chooses, if the transitions need not
// be listed for it; nil when they have to be.
func (m *Scheduler) chooseUnlisted() *run.Transition {
	if m.continuing == nil || !m.continuing.Continues() {
		return nil
	}
	o := m.nonPreemptive()
	if o != nil {
		m.continuing.Continued()
	}
	return o
}

// decide adds d to the trace. It is false when the bound on decisions is hit.
func (m *Scheduler) decide(d run.Decision) bool {
	if n := m.Limits.Decisions; n > 0 && len(m.Trace.Decisions) >= n {
		return m.Stop(run.Bounded, "too many scheduling decisions")
	}
	m.Trace.Decisions = append(m.Trace.Decisions, d)
	return true
}

// ChooseValue lets the plan or the scheduler choose a number from 0 to n-1 on
// behalf of g. ok is false when the run ends here.
func (m *Scheduler) ChooseValue(g *state.Goroutine, n int) (v int, ok bool) {
	if n <= 1 {
		return 0, true
	}
	if k, prefix := len(m.Trace.Decisions), m.prefix(); k < len(prefix) {
		d := prefix[k]
		if d.Kind != run.Value || d.Goroutine != g.ID || int(d.Alt) >= n || d.Alt < 0 {
			return 0, m.Stop(run.Infeasible, fmt.Sprintf("decision %d of the plan is not possible", k))
		}
		v = int(d.Alt)
	} else {
		m.point = run.SchedulingPoint{Kind: run.Value, N: n, Last: m.Last, Goroutine: g.ID, Trace: m.Trace}
		if v = m.policy.Choose(&m.point); v < 0 {
			return 0, m.Stop(run.Stopped, "")
		}
	}
	m.Chosen()
	if !m.decide(run.Decision{Kind: run.Value, Goroutine: g.ID, Alt: int32(v)}) {
		return 0, false
	}
	m.Record(g, run.Event{Op: schedule.Choice, Object: run.NoObject, Alt: int32(v), Read: uint64(v), ReadKind: uint8(code.Int64)})
	return v, true
}

// step carries out o. It is false when the run ended before it.
func (m *Scheduler) step(o *run.Transition) bool {
	if m.watcher != nil && m.cycle.steps > m.shared {
		m.List()
		if !m.watcher.Stepping(o, m.Trace) {
			return m.Stop(run.Stopped, "")
		}
	}
	if m.Trace.Pending != nil {
		m.Trace.Pending = nil
	}
	m.Last = o.Goroutine
	if o.Goroutine < 0 {
		m.Fire(o.Alt)
		return !m.Over
	}
	g := m.Goroutines[m.slotOf(o.Goroutine)]
	m.Preserve(g)
	g.Granted = true
	g.Turn = m.cycle.steps
	g.Alt = o.Alt
	if g.Spins() {
		g.Spin.Leave()
	}
	m.Wake(g)
	return true
}

// standstill ends a run in which nothing more is possible.
func (m *Scheduler) endBlocked() {
	m.Trace.Outcome = run.Finished
	if len(m.Live) == 0 {
		return
	}
	if m.returned() {
		if m.livesOn() {
			m.Trace.TimeCut = true
			return
		}
		m.noteStuck(m.Live, 0)
		return
	}
	m.Stop(run.Failed, "")
	if i := slices.IndexFunc(m.Live, (*state.Goroutine).Spins); i >= 0 && len(m.Trace.Unordered) > 0 {
		// Beside a data race the plain accesses of a loop may be part of it, so that
		// it need not spin for ever in truth: the run only ends then.
		g, what := m.Live[i], "goroutine spins"
		if on := g.Awaited(); on != "" {
			what += " waiting for a change of " + on
		}
		m.Trace.Outcome = run.Bounded
		m.Trace.Message = what + ", beside a data race" + m.Whereabouts(g)
		return
	}
	m.noteStuck(m.Live, 0)
}

// noteStuck notes that the goroutines gs get no further.
func (m *Scheduler) noteStuck(gs []*state.Goroutine, period int) {
	s := &run.Stuck{Returned: m.returned(), Period: period}
	for _, g := range gs {
		at := run.StuckGoroutine{StackTrace: m.StackTrace(g, len(g.Frames))}
		switch {
		case period > 0:
		case g.Spins():
			at.Spins, at.For = true, g.Awaited()
		default:
			at.For = blockedAt(g)
		}
		s.Goroutines = append(s.Goroutines, at)
	}
	m.Trace.Stuck = s
}

// blockedAt says what a blocked goroutine waits for, in the words of a Go
// goroutine dump where it has some.
func blockedAt(g *state.Goroutine) string {
	switch g.At {
	case state.AtPrimitive:
		return g.Prim.Name
	case state.AtCommunication:
		if g.Selects {
			if len(g.Comms) == 0 {
				return "select (no cases)"
			}
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
	return g.Pending.Op.String()
}
