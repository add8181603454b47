package sched

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Livelock of several goroutines. They may change shared state for ever and get nowhere:
// one sets a variable, the other clears it. Along the run the state of the whole
// program then repeats. Long runs are watched for that by Brent's algorithm: the
// state at some step, the mark, is kept and the states that follow are compared with
// it, and after twice as many steps it is replaced by the present one.
//
// Nothing has to be copied but registers: what the undo log saves after the mark
// is what memory held there. Objects made since need not be looked at: when all that is
// older is as it was, nothing leads to them.
//
// A repeated state is no livelock when the schedule kept a goroutine waiting
// that would have changed it. So it counts only when each goroutine that could
// take a step somewhere in the cycle took one there, and when no choice other than
// whose turn it is was left: cases of a select, values, or time that could pass.

// cycleFrom is the number of steps after which a run counts as long and is watched.
const cycleFrom = 200

// A cycle watches a run for repeated states. It is made anew for each run.
type cycle struct {
	steps int // of the run

	marks []mark       // the last is the one that states are compared with; a run that goes back may come to those before it
	able  race.SlotSet // goroutines that had a step to take since the mark
	moved race.SlotSet // and those that took one
	open  bool         // something else could have been chosen since the mark
}

// A mark is a state of the run.
type mark struct {
	step       int
	now        int64
	goroutines []markedGoroutine
	memory     heap.Mark
}

// A markedGoroutine is the state of a goroutine at the mark.
type markedGoroutine struct {
	state.HeadState
	status   state.Status
	phase    uint8
	notified bool
	cond     heap.Location
}

// Chosen notes that the goroutine that runs got a value that could have been another.
func (m *Scheduler) Chosen() {
	m.Changed()
	m.cycle.open = true
}

// begin makes c ready for a run.
func (c *cycle) begin() {
	c.steps = 0
	c.marks = c.marks[:0]
	c.able.Clear()
	c.moved.Clear()
	c.open = false
}

// mark returns the mark, nil when none is set.
func (c *cycle) mark() *mark {
	if n := len(c.marks); n > 0 {
		return &c.marks[n-1]
	}
	return nil
}

// due reports whether the mark is to be moved.
func (c *cycle) due() bool {
	k := c.mark()
	return k == nil || c.steps >= 2*k.step
}

// cycles is asked at each scheduling point of a long run, when it is known what is
// possible. It reports whether the state has repeated for good; the run is over then.
func (m *Scheduler) cycles() bool {
	c := &m.cycle
	if k := c.mark(); k != nil {
		if m.Last >= 0 {
			c.moved.Add(m.slotOf(m.Last))
		}
		if !c.open && m.isAt(k) && c.fair(m) {
			m.findCycle(c.steps - k.step)
			return true
		}
	}
	if c.due() && m.Heap.Recording() {
		m.setMark()
		c.able.Clear()
		c.moved.Clear()
		c.open = false
	}
	if !c.open {
		c.open = m.Pending.several > 0 || m.Pending.awaitsTime()
		c.able.AddAll(&m.Pending.able)
	}
	return false
}

// slotOf returns the slot of the goroutine with number id, which is in the run.
func (m *Scheduler) slotOf(id int32) int32 { return m.Slots[id] }

// fair reports whether every goroutine that could take a step has done so.
func (c *cycle) fair(m *Scheduler) bool {
	for _, g := range m.Goroutines {
		if c.able.Has(g.Slot) && !c.moved.Has(g.Slot) {
			return false
		}
	}
	return true
}

// overdue returns Point.Overdue.
func (m *Scheduler) overdue() int {
	if m.cycle.steps < cycleFrom {
		return -1
	}
	best, turn := -1, 0
	live := 0 // both lists are in the order of creation
	for i := range m.Pending.enabled {
		o := &m.Pending.enabled[i]
		if o.Goroutine < 0 {
			continue // timers are last
		}
		for m.Live[live].ID != o.Goroutine {
			live++
		}
		if g := m.Live[live]; best < 0 || g.Turn < turn {
			best, turn = i, g.Turn
		}
	}
	return best
}

// setMark makes the present state the mark.
func (m *Scheduler) setMark() {
	c := &m.cycle
	n := len(c.marks)
	c.marks = slices.Grow(c.marks, 1)[:n+1]
	k := &c.marks[n]
	k.step, k.now = c.steps, m.Now
	for len(k.goroutines) < len(m.Goroutines) {
		k.goroutines = append(k.goroutines, markedGoroutine{})
	}
	k.goroutines = k.goroutines[:len(m.Goroutines)]
	for i, g := range m.Goroutines {
		h := &k.goroutines[i]
		h.status, h.phase, h.notified, h.cond = g.Status, g.Phase, g.Notified, g.Cond
		if g.Status != state.Ended {
			h.Set(g)
		}
	}
	k.memory = m.Heap.Mark() // what is written from now on is saved
}

// isAt reports whether k is the present state.
func (m *Scheduler) isAt(k *mark) bool {
	if len(k.goroutines) != len(m.Goroutines) || k.now != m.Now || len(m.Timers) > 0 {
		return false
	}
	if m.Last >= 0 { // which is the most likely to be in another state
		if slot := m.slotOf(m.Last); !k.goroutines[slot].is(&m.State, m.Goroutines[slot]) {
			return false
		}
	}
	for i, g := range m.Goroutines {
		if !k.goroutines[i].is(&m.State, g) {
			return false
		}
	}
	return m.Heap.Unchanged(&k.memory, !m.Plan.ReadSymbols)
}

// is reports whether g is in state h.
func (h *markedGoroutine) is(m *state.State, g *state.Goroutine) bool {
	return h.status == g.Status && (g.Status == state.Ended ||
		h.phase == g.Phase && h.notified == g.Notified && h.cond == g.Cond && len(g.Panics) == 0 && h.HeadState.Is(m, g))
}

// findCycle ends a run in which the state has come back after so many steps.
func (m *Scheduler) findCycle(steps int) {
	var moved []*state.Goroutine
	for _, g := range m.Live {
		if m.cycle.moved.Has(g.Slot) {
			moved = append(moved, g)
		}
	}
	outcome := run.Failed
	if m.returned() {
		outcome = run.Finished
	}
	m.Stop(outcome, "")
	m.noteStuck(moved, steps)
}
