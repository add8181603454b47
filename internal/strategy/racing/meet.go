package racing

import (
	"github.com/everyway-go/everyway/internal/run"
)

// A meet scheduler brings two goroutines to two accesses, and has them make these one directly
// after the other (Algorithm 3: the one that comes first is postponed). Where they cannot follow
// the order that was computed, it goes on with whoever can take a step.
type meet struct {
	names *run.Names
	of    [2]int32
	to    [2]*access
	legs  []leg

	events  int    // of the trace that have been looked at
	steps   [2]int // that each has taken
	made    [2]bool
	arrived bool // both were at their accesses at the same time
}

// Choose implements run.Scheduler.
func (m *meet) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Value {
		return 0
	}
	m.look(p.Trace)
	if m.made[0] && m.made[1] {
		return run.NonPreemptive{}.Choose(p)
	}
	at := [2]bool{m.at(0, p.Pending), m.at(1, p.Pending)}
	if at[0] && at[1] || m.arrived {
		m.arrived = true
		for k := range 2 {
			if i := enabledOf(p, m.of[k]); i >= 0 && !m.made[k] {
				return i
			}
		}
		return run.NonPreemptive{}.Choose(p)
	}
	for k := range 2 {
		if !m.started(k, p) {
			return towards(p, m.names, m.of[k])
		}
	}
	for len(m.legs) > 0 {
		l := m.legs[0]
		if i := enabledOf(p, m.of[l.of]); i >= 0 && !at[l.of] && (m.isLast(0) || m.steps[l.of] < l.steps) {
			return i
		}
		m.legs = m.legs[1:]
	}
	for k := range 2 { // an unforeseen order, or somebody who is waited for
		if i := enabledOf(p, m.of[k]); i >= 0 && !at[k] {
			return i
		}
	}
	for i := range p.Enabled {
		if t := &p.Enabled[i]; t.Goroutine != m.of[0] && t.Goroutine != m.of[1] && !t.AwaitsTime() {
			return i
		}
	}
	return run.NonPreemptive{}.Choose(p)
}

// isLast reports whether the goroutine of a leg has no further one.
func (m *meet) isLast(n int) bool {
	for _, l := range m.legs[n+1:] {
		if l.of == m.legs[n].of {
			return false
		}
	}
	return true
}

// started reports whether a goroutine lives.
func (m *meet) started(k int, p *run.SchedulingPoint) bool {
	for i := range p.Pending {
		if p.Pending[i].Goroutine == m.of[k] {
			return true
		}
	}
	return false
}

// at reports whether a goroutine is about to make its access.
func (m *meet) at(k int, pending []run.Transition) bool {
	for i := range pending {
		if t := &pending[i]; t.Goroutine == m.of[k] {
			return m.is(k, t)
		}
	}
	return false
}

// is reports whether a step of a goroutine is its access.
func (m *meet) is(k int, t *run.Transition) bool {
	a := m.to[k]
	return !m.made[k] && t.Site == a.site && m.steps[k] == a.steps &&
		(covers(a, t.Object, t.Offset, t.Cells) || covers(a, t.From.Object, t.From.Offset, t.From.Cells))
}

// covers reports whether an access and a range of cells have some in common.
func covers(a *access, object run.ObjectID, offset, cells int32) bool {
	return a.object == object && a.offset < offset+max(cells, 1) && offset < a.offset+a.cells
}

// Stepping implements run.Watcher.
func (m *meet) Stepping(t *run.Transition, trace *run.Trace) bool {
	m.look(trace)
	for k := range 2 {
		if t.Goroutine == m.of[k] && m.is(k, t) {
			m.made[k] = true
		}
	}
	return true
}

// look counts the steps in the events that are new.
func (m *meet) look(t *run.Trace) {
	for ; m.events < len(t.Events); m.events++ {
		e := &t.Events[m.events]
		for k := range 2 {
			if e.Goroutine == m.of[k] {
				if _, ok := holds(nil, e); ok {
					m.steps[k]++
				}
			}
		}
	}
}
