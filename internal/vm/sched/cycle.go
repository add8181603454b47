package sched

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Livelocks. Several goroutines may change shared state forever without making progress:
// one sets a variable, the other clears it. The state of the whole program then repeats in
// the course of the run. In long runs this is detected by Brent's algorithm: the state
// after some number of steps, the mark, is compared with those that follow, and when the
// number of steps has doubled, it is replaced by the current state.
//
// Only registers have to be copied for a mark, since the undo log saves the memory cells
// that change after it. Objects allocated since can be ignored: if all older objects are
// as they were at the mark, nothing points to the new ones.
//
// A state that repeats is not a livelock if the schedule has kept a goroutine waiting that
// would have changed it. A cycle therefore counts only if every goroutine that could take
// a step somewhere in the cycle has taken one there, and if there was no choice other than
// the one between goroutines: no case of a select, no value, no time that could pass.

// cycleFrom is the number of steps after which a run counts as long, so that cycles are
// looked for.
const cycleFrom = 200

// A cycle detects repeated states of a run. It begins anew with each run.
type cycle struct {
	steps int // number of steps of the run so far

	marks       []mark       // the last one is compared with the current state; a run that resumes at a checkpoint uses an earlier one
	enabled     race.SlotSet // goroutines that could take a step at some point since the mark
	moved       race.SlotSet // goroutines that have taken a step since the mark
	idle        int          // number of quiescent points so far
	otherChoice bool         // there was a choice other than between goroutines since the mark
}

// A mark is a state of the run at some step.
type mark struct {
	step       int
	now        int64
	inputs     int // number of inputs that had been drawn
	goroutines []markedGoroutine
	memory     heap.Mark
	// The pools that a collection would empty.
	pools, oldPools []heap.Word
}

// A markedGoroutine is the state of a goroutine at a mark.
type markedGoroutine struct {
	state.HeadState
	status   state.Status
	phase    uint8
	notified bool
	cond     heap.Location
	polling  state.Polling // a goroutine that reads the clock is on the way to the time when it passes
	waits    int32         // WaitsSince
	served   *heap.Object
}

// NoteChoice notes that the running goroutine has got a value for which there were
// alternatives.
func (m *Scheduler) NoteChoice() {
	m.Changed()
	m.cycle.otherChoice = true
}

// BeginAnew has nothing count that was noticed so far of goroutines that wait in loops and of
// states that repeat. A scheduler calls it that has changed the state of the run, or is to choose
// as if the run began where it is.
func (m *Scheduler) BeginAnew() {
	for _, g := range m.Live {
		if g.Spin != nil {
			m.Preserve(g)
			g.Spin.Forget()
		}
	}
	m.cycle.otherChoice = true
	m.Step.Pauses = 0
}

// begin prepares c for a run.
func (c *cycle) begin() {
	c.steps, c.idle = 0, 0
	c.marks = c.marks[:0]
	c.enabled.Clear()
	c.moved.Clear()
	c.otherChoice = false
}

// mark returns the current mark, nil if there is none.
func (c *cycle) mark() *mark {
	if n := len(c.marks); n > 0 {
		return &c.marks[n-1]
	}
	return nil
}

// markDue reports whether it is time to set a new mark.
func (c *cycle) markDue() bool {
	k := c.mark()
	return k == nil || c.steps >= 2*k.step
}

// detectCycle is called at each scheduling point of a long run, when the enabled
// transitions are known. It reports whether the run is a livelock or, as long as others
// run, a deadlock of the target, and ends it if so.
func (m *Scheduler) detectCycle() bool {
	c := &m.cycle
	if k := c.mark(); k != nil {
		if m.Last >= 0 {
			c.moved.Add(m.slotOf(m.Last))
		}
		if !c.otherChoice && m.matches(k) && c.fair(m) {
			m.endInCycle(c.steps - k.step)
			return true
		}
	}
	if c.markDue() && m.Heap.Recording() {
		if m.detectDeadlock() {
			return true
		}
		m.setMark()
		c.enabled.Clear()
		c.moved.Clear()
		c.otherChoice = false
	}
	if !c.otherChoice {
		c.otherChoice = m.Pending.numWithChoice > 0 || m.awaitsTime()
		c.enabled.AddAll(&m.Pending.withEnabled)
	}
	return false
}

// slotOf returns the slot of the goroutine with number id, which must belong to the run.
func (m *Scheduler) slotOf(id int32) int32 { return m.Slots[id] }

// fair reports whether every goroutine that could take a step since the mark has done so.
func (c *cycle) fair(m *Scheduler) bool {
	for _, g := range m.Goroutines {
		if c.enabled.Has(g.Slot) && !c.moved.Has(g.Slot) {
			return false
		}
	}
	return true
}

// overdue returns the value of run.SchedulingPoint.Overdue.
func (m *Scheduler) overdue() int {
	if m.cycle.steps < cycleFrom {
		return -1
	}
	best, oldest := -1, 0
	live := 0 // both lists are in the order of creation
	for i := range m.Pending.enabled {
		t := &m.Pending.enabled[i]
		if t.Goroutine < 0 {
			continue // timers are last
		}
		for m.Live[live].ID != t.Goroutine {
			live++
		}
		if g := m.Live[live]; best < 0 || g.LastStep < oldest {
			best, oldest = i, g.LastStep
		}
	}
	return best
}

// setMark makes the current state the mark.
func (m *Scheduler) setMark() {
	c := &m.cycle
	n := len(c.marks)
	c.marks = slices.Grow(c.marks, 1)[:n+1]
	k := &c.marks[n]
	k.step, k.now, k.inputs = c.steps, m.Now, len(m.Trace.Inputs)
	k.pools, k.oldPools = m.Pools, m.OldPools
	for len(k.goroutines) < len(m.Goroutines) {
		k.goroutines = append(k.goroutines, markedGoroutine{})
	}
	k.goroutines = k.goroutines[:len(m.Goroutines)]
	for i, g := range m.Goroutines {
		h := &k.goroutines[i]
		h.status, h.phase, h.notified, h.cond, h.polling = g.Status, g.Phase, g.Notified, g.Cond, g.Polling
		h.waits, h.served = g.WaitsSince, g.Served
		if g.Status != state.Ended {
			h.Set(g)
		}
	}
	k.memory = m.Heap.Mark() // from now on, cells are saved before they change
}

// matches reports whether the current state is that of k.
func (m *Scheduler) matches(k *mark) bool {
	if len(k.goroutines) != len(m.Goroutines) || k.now != m.Now || k.inputs != len(m.Trace.Inputs) || len(m.Timers) > 0 || len(m.Collectables) > 0 {
		return false
	}
	if !slices.Equal(k.pools, m.Pools) || !slices.Equal(k.oldPools, m.OldPools) {
		return false
	}
	if m.Last >= 0 { // compare the goroutine first that most likely differs
		if slot := m.slotOf(m.Last); !k.goroutines[slot].matches(&m.State, m.Goroutines[slot]) {
			return false
		}
	}
	for i, g := range m.Goroutines {
		if !k.goroutines[i].matches(&m.State, g) {
			return false
		}
	}
	return m.Heap.Unchanged(&k.memory, !m.Plan.ReadSymbols) && k.sameOrder(m)
}

// sameOrder reports whether the goroutines that are known to wait have come in the order in
// which they had come at k, where the same goroutines were waiting.
func (k *mark) sameOrder(m *Scheduler) bool {
	for i, g := range m.Goroutines {
		if g.WaitsSince == 0 {
			continue
		}
		for j, p := range m.Goroutines[:i] {
			if p.WaitsSince > 0 && cmp.Compare(g.WaitsSince, p.WaitsSince) != cmp.Compare(k.goroutines[i].waits, k.goroutines[j].waits) {
				return false
			}
		}
	}
	return true
}

// matches reports whether g is in state h.
func (h *markedGoroutine) matches(m *state.State, g *state.Goroutine) bool {
	return h.status == g.Status && (g.Status == state.Ended ||
		h.phase == g.Phase && h.notified == g.Notified && h.cond == g.Cond && len(g.Panics) == 0 && h.HeadState.Matches(m, g) &&
			h.polling == g.Polling && (h.waits > 0) == (g.WaitsSince > 0) && h.served == g.Served)
}

// endInLoop ends a run in which a goroutine is in an endless loop.
func (m *Scheduler) endInLoop() {
	m.endRepeating(run.Stuck{InStep: true}, []*state.Goroutine{m.Step.Endless})
}

// endInCycle ends a run whose state repeats after the given number of steps.
func (m *Scheduler) endInCycle(steps int) {
	var moved []*state.Goroutine
	for _, g := range m.Live {
		if m.cycle.moved.Has(g.Slot) {
			moved = append(moved, g)
		}
	}
	m.endRepeating(run.Stuck{Period: steps}, moved)
}

// endRepeating ends a run whose state repeats, in which the goroutines gs go on for ever.
func (m *Scheduler) endRepeating(how run.Stuck, gs []*state.Goroutine) {
	outcome := run.Failed
	if m.Returned() {
		outcome = run.Finished
	}
	m.Stop(outcome, "")
	m.noteStuckIn(how, gs)
	m.List()
}
