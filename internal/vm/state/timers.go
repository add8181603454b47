package state

import (
	"math"
	"slices"
)

// AddTimer adds a timer that has been started.
func (m *State) AddTimer(t Timer) {
	if m.Timers = append(m.Timers, &t); len(m.Timers) == 1 {
		m.soonest = t.lapse()
	}
	m.soonest = min(m.soonest, t.lapse())
}

// ReplaceTimer replaces the timer with an index.
func (m *State) ReplaceTimer(i int, t Timer) {
	m.Timers = slices.Clone(m.Timers)
	m.Timers[i] = &t
	m.findSoonest()
}

// RemoveTimer removes the timer with an index, which has fired or been stopped.
func (m *State) RemoveTimer(i int) {
	last := m.Timers[i].lapse() == m.soonest
	m.Timers = slices.Concat(m.Timers[:i], m.Timers[i+1:])
	if m.manyTimers = min(m.manyTimers, 2*len(m.Timers)); last {
		m.findSoonest()
	}
}

// RemoveTimers removes the timers of which is holds.
func (m *State) RemoveTimers(is func(*Timer) bool) {
	m.Timers = slices.DeleteFunc(slices.Clone(m.Timers), is)
	m.manyTimers = 2 * len(m.Timers)
	m.findSoonest()
}

// manyTimers is the least number of timers that are many.
const manyTimers = 256

// HasManyTimers reports whether there are many timers, and twice as many as there were at any time
// since [State.RemoveTimers] was called last.
func (m *State) HasManyTimers() bool { return len(m.Timers) >= max(manyTimers, m.manyTimers) }

// NoneDue reports whether it is known, without looking at all timers, that no one is due.
func (m *State) NoneDue() bool { return !m.HasCome(m.soonest) }

func (m *State) findSoonest() {
	m.soonest = math.MaxInt64
	for _, t := range m.Timers {
		m.soonest = min(m.soonest, t.lapse())
	}
}
