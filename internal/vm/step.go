package vm

import (
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
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

// schedule executes the run until it is over or nothing more is possible.
func (m *Scheduler) schedule() {
	m.takeStock()
	for {
		m.settle()
		if m.over {
			return
		}
		if m.cycle.steps == m.stopover {
			m.stopOver()
		}
		if !m.lookAround() {
			return
		}
		if m.cycle.steps++; m.cycle.steps >= cycleFrom && m.cycles() {
			m.list()
			return
		}
		if m.cycle.steps%stepsChunk == 0 && m.interrupted() {
			return
		}
		var o *run.Transition
		switch m.agenda.possible {
		case 0:
			m.list()
			m.standstill()
			return
		case 1: // no choice, no decision
			o = m.agenda.only()
		default:
			if o = m.chooseStep(); o == nil {
				m.list()
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
func (m *Scheduler) settle() {
	for i := 0; i < len(m.ready) && !m.over; i++ {
		switch g := m.ready[i]; {
		case g.at == atCrash:
			m.exec.Crash(g)
		case m.beginRound(g):
			m.exec.Execute(g)
		}
	}
	m.ready = m.ready[:0]
}

// wake makes g go on with its program, when it is its turn in settle.
func (m *Scheduler) wake(g *goroutine) {
	m.withdraw(g)
	g.status = running
	m.ready = append(m.ready, g)
}

// intentions appends the options of a parked goroutine.
func (m *Scheduler) intentions(g *goroutine, to []run.Transition) []run.Transition {
	first := len(to)
	switch g.at {
	case atAccess, atCrash, atPause:
		return append(to, g.pending)
	case atPrimitive:
		to = g.prim.prim.Transitions(g, to)
	case atCommunication:
		to = m.commOptions(g, to)
	}
	site := m.siteOfTop(g)
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
	if n, prefix := len(m.trace.Decisions), m.prefix(); n < len(prefix) {
		if o = m.optionOf(prefix[n]); o == nil {
			m.stop(run.Infeasible, fmt.Sprintf("decision %d of the plan is not possible", n))
			return nil
		}
	} else if o = m.chooseUnlisted(); o == nil {
		m.list()
		p := &m.point
		p.Kind, p.N, p.Last, p.Goroutine = run.Step, 0, m.last, 0
		p.Enabled, p.Pending, p.Trace, p.Overdue = m.agenda.options, m.agenda.pending, m.trace, m.overdue()
		i := m.sched.Choose(p)
		if i < 0 {
			m.stop(run.Stopped, "")
			return nil
		}
		o = &m.agenda.options[i]
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
	o := m.runOn()
	if o != nil {
		m.continuing.Continued()
	}
	return o
}

// decide adds d to the trace. It is false when the bound on decisions is hit.
func (m *Scheduler) decide(d run.Decision) bool {
	if n := m.Limits.Decisions; n > 0 && len(m.trace.Decisions) >= n {
		return m.stop(run.Bounded, "too many scheduling decisions")
	}
	m.trace.Decisions = append(m.trace.Decisions, d)
	return true
}

// chooseValue lets the plan or the scheduler choose a number from 0 to n-1 on
// behalf of g. ok is false when the run ends here.
func (m *Scheduler) chooseValue(g *goroutine, n int) (v int, ok bool) {
	if n <= 1 {
		return 0, true
	}
	if k, prefix := len(m.trace.Decisions), m.prefix(); k < len(prefix) {
		d := prefix[k]
		if d.Kind != run.Value || d.Goroutine != g.id || int(d.Alt) >= n || d.Alt < 0 {
			return 0, m.stop(run.Infeasible, fmt.Sprintf("decision %d of the plan is not possible", k))
		}
		v = int(d.Alt)
	} else {
		m.point = run.SchedulingPoint{Kind: run.Value, N: n, Last: m.last, Goroutine: g.id, Trace: m.trace}
		if v = m.sched.Choose(&m.point); v < 0 {
			return 0, m.stop(run.Stopped, "")
		}
	}
	m.chosen()
	if !m.decide(run.Decision{Kind: run.Value, Goroutine: g.id, Alt: int32(v)}) {
		return 0, false
	}
	m.record(g, run.Event{Op: schedule.Choice, Object: run.NoObject, Alt: int32(v), Read: uint64(v), ReadKind: uint8(code.Int64)})
	return v, true
}

// step carries out o. It is false when the run ended before it.
func (m *Scheduler) step(o *run.Transition) bool {
	if m.watcher != nil && m.cycle.steps > m.shared {
		m.list()
		if !m.watcher.Stepping(o, m.trace) {
			return m.stop(run.Stopped, "")
		}
	}
	if m.trace.Pending != nil {
		m.trace.Pending = nil
	}
	m.last = o.Goroutine
	if o.Goroutine < 0 {
		m.fire(o.Alt)
		return !m.over
	}
	g := m.gs[m.slotOf(o.Goroutine)]
	m.preserve(g)
	g.granted = true
	g.turn = m.cycle.steps
	g.alt = o.Alt
	if g.spins() {
		g.spin.goOn()
	}
	m.wake(g)
	return true
}

// standstill ends a run in which nothing more is possible.
func (m *Scheduler) standstill() {
	m.trace.Outcome = run.Finished
	if len(m.live) == 0 {
		return
	}
	if m.returned() {
		if m.livesOn() {
			m.trace.TimeCut = true
			return
		}
		m.noteStuck(m.live, 0)
		return
	}
	m.stop(run.Failed, "")
	if i := slices.IndexFunc(m.live, (*goroutine).spins); i >= 0 && len(m.trace.Unordered) > 0 {
		// Beside a data race the plain accesses of a loop may be part of it, so that
		// it need not spin for ever in truth: the run only ends then.
		g, what := m.live[i], "goroutine spins"
		if on := g.awaited(); on != "" {
			what += " waiting for a change of " + on
		}
		m.trace.Outcome = run.Bounded
		m.trace.Message = what + ", beside a data race" + m.whereabouts(g)
		return
	}
	m.noteStuck(m.live, 0)
}

// noteStuck notes that the goroutines gs get no further.
func (m *Scheduler) noteStuck(gs []*goroutine, period int) {
	s := &run.Stuck{Returned: m.returned(), Period: period}
	for _, g := range gs {
		at := run.StuckGoroutine{StackTrace: m.stackTrace(g, len(g.frames))}
		switch {
		case period > 0:
		case g.spins():
			at.Spins, at.For = true, g.awaited()
		default:
			at.For = blockedAt(g)
		}
		s.Goroutines = append(s.Goroutines, at)
	}
	m.trace.Stuck = s
}

// blockedAt says what a blocked goroutine waits for, in the words of a Go
// goroutine dump where it has some.
func blockedAt(g *goroutine) string {
	switch g.at {
	case atPrimitive:
		return g.prim.Name
	case atCommunication:
		if g.selects {
			if len(g.comms) == 0 {
				return "select (no cases)"
			}
			return "select"
		}
		reason := "chan receive"
		if g.comms[0].send {
			reason = "chan send"
		}
		if g.comms[0].ch == nil {
			reason += " (nil chan)"
		}
		return reason
	}
	return g.pending.Op.String()
}
