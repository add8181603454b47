package vm

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/schedule"
)

// stepState is the part of scheduling that the undo log restores. Its slices are
// replaced, never changed in place.
type stepState struct {
	now    int64   // virtual time, ns since clockStart
	timers []timer // started and not yet fired or stopped, in order of creation
	// bubbles is the number of synctest bubbles that there are.
	bubbles int
	// late counts what has come in time that was set after the target's return.
	late int
}

// concurrency is the part of scheduling, races and events that is made anew for
// each run by beginSchedule.
type concurrency struct {
	// multi says that plain accesses matter: more than one goroutine has existed
	// in this run, a timer may start another, or the plan makes some of them visible.
	multi bool
	// tracing says that accesses become events with values.
	tracing bool

	soonest int64 // when something is due next, see timer.go
	fired   int32 // events of timers so far

	last  int32        // goroutine that took the last step, -1
	slots []int32      // of the goroutines of the run, by number
	live  []*goroutine // those that have not ended, in order of creation
	ready []*goroutine // those that have invisible code to run, in the order in which they will

	agenda     agenda
	watcher    run.Watcher         // the scheduler, when it is one
	continuing run.Continuing      // likewise
	point      run.SchedulingPoint // what the scheduler is shown
	asked      call                // the primitive that is asked for its options

	// Goroutines made in this run, and those of earlier runs, whose stacks are
	// used again.
	made, spare []*goroutine

	races   race.Detector
	touched []*heap.Object // that have a shadow of this run, in order
	// accessVisible says whether the cells of the last access were visible to the plan,
	// fromVisible whether those that it read in order to copy them were.
	accessVisible, fromVisible bool
	events                     eventState
	round                      roundState
	cycle                      cycle
}

// goroutineState is what a parked goroutine is about to do, what its partners
// have left for it, and its clocks.
type goroutineState struct {
	race.Thread // its slot is the index in Machine.gs
	// randoms counts the random numbers that the goroutine has drawn.
	randoms int32
	// alt is the chosen Alt once the goroutine is granted its step.
	alt int32
	at  parkedAt
	// prim is the primitive that the goroutine is parked in; its arguments are
	// at stack[primBase:].
	prim     *function
	primBase int
	// phase counts the steps already taken of an operation that has several.
	phase uint8
	// blocked says that since it was parked there was a point at which it could
	// not go on.
	blocked bool
	// delivered says that a partner's step has completed the communication:
	// the goroutine finds case and value in got.
	delivered bool
	got       received
	comms     []comm // what it may communicate
	selects   bool   // it is a select
	orElse    bool   // the select has a default case

	// cond is the condition variable that it waits for; notified says that
	// a signal has come.
	cond     heap.Location
	notified bool
	wakeup   race.Clock // clock of the signal

	when   int64        // Sleep: virtual time at which it may go on
	timers int32        // how many it has started
	late   bool         // Sleep: it has begun after the target's return
	bubble *heap.Object // synctest bubble that it is in, nil for none

	turn int   // when it took its last step, in steps of the run
	spin *spin // nil as long as it was never needed
}

// parkedAt says what kind of operation a goroutine is parked at: where its
// options come from.
type parkedAt uint8

const (
	atAccess        parkedAt = iota // of memory: the option is goroutine.pending
	atCommunication                 // channel operation or select: goroutine.comms
	atPrimitive                     // goroutine.prim
	atCrash                         // of the program, by a panic of its own: the option is goroutine.pending
	atPause                         // in the middle of invisible code, see Machine.pause
)

// A received is the outcome of a communication: which case it was and what
// came in.
type received struct {
	index  int // case of a select, -1 for the default
	ok     bool
	words  []heap.Word
	shadow []expr.ID // of words; empty when all are concrete
	event  int32     // of the receive, -1 without one
}

// beginSchedule makes the state of concurrency ready for a run of m.plan:
// memory and goroutines are as they were at the end of Boot.
func (m *Machine) beginSchedule() {
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
	if len(m.checkpoints.levels) > 0 { // a run from the start of the entry function
		for _, g := range m.gs {
			m.preserve(g)
			m.recordAt(g, run.Event{Op: schedule.Start, Object: run.NoObject, Site: run.NoSite, Caller: run.NoSite})
		}
	}
}

// spareGoroutines takes the goroutines that are not in the run any more for spare.
func (m *Machine) spareGoroutines() {
	n := len(m.made)
	for n > 0 && int(m.made[n-1].Slot) >= len(m.gs) {
		n--
		m.spare = append(m.spare, m.made[n])
	}
	m.made = m.made[:n]
}

// finishSchedule completes the trace of a run that is over.
func (m *Machine) finishSchedule() {
	m.trace.Accesses = m.accesses(m.trace.Accesses)
}

// takeStock finds the goroutines that have not ended, and those that can go on or are
// parked.
func (m *Machine) takeStock() {
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

// newGoroutine adds a goroutine that parent starts, or the main goroutine when
// parent is nil. Its caller gives it its first frame. It runs to its first
// visible operation when the one that executes now has parked. The result is nil
// when a bound was hit and the run is over.
func (m *Machine) newGoroutine(parent *goroutine) *goroutine {
	if parent == nil {
		return m.addGoroutine(0, nil)
	}
	m.preserve(parent)
	parent.spawns++
	id := m.Names.Child(parent.id, parent.spawns)
	m.record(parent, run.Event{Op: schedule.Spawn, Object: run.NoObject, Other: id})
	g := m.addGoroutine(id, &parent.Clock)
	if g != nil {
		g.bubble = parent.bubble
	}
	parent.Tick()
	return g
}

// addGoroutine adds a goroutine with a name, after everything that clock has seen.
func (m *Machine) addGoroutine(id int32, clock *race.Clock) *goroutine {
	if limit := m.Limits.Goroutines; limit > 0 && len(m.live) >= limit || len(m.gs) >= run.MaxSlots {
		m.stop(run.Bounded, "too many goroutines")
		return nil
	}
	g := m.blankGoroutine()
	g.id, g.interval = id, m.heap.Interval()
	g.Slot = int32(len(m.gs))
	if clock != nil {
		g.Clock.Join(clock)
	}
	g.Clock.Set(g.Slot, 1)
	for len(m.slots) <= int(id) {
		m.slots = append(m.slots, 0)
	}
	m.slots[id] = g.Slot
	m.changed()
	m.made = append(m.made, g)
	m.multi = m.multi || len(m.gs) > 0
	m.gs = append(m.gs, g)
	m.agenda.grow(len(m.gs))
	m.live = append(m.live, g)
	m.ready = append(m.ready, g)
	m.recordAt(g, run.Event{Op: schedule.Start, Object: run.NoObject, Site: run.NoSite, Caller: run.NoSite})
	return g
}

// blankGoroutine returns a goroutine without state, with the stack of one of an
// earlier run if there is any.
func (m *Machine) blankGoroutine() *goroutine {
	n := len(m.spare)
	if n == 0 {
		return new(goroutine)
	}
	g := m.spare[n-1]
	m.spare = m.spare[:n-1]
	*g = goroutine{
		stack: g.stack, sym: g.sym, frames: g.frames[:0],
		goroutineState: goroutineState{
			Thread: race.Thread{Clock: g.Clock.Empty()}, comms: g.comms[:0], wakeup: g.wakeup.Empty(),
			got:  received{words: g.got.words[:0], shadow: g.got.shadow[:0]},
			spin: copySpin(g.spin, nil),
		},
	}
	return g
}

// endGoroutine marks g, whose last frame has returned, as ended.
func (m *Machine) endGoroutine(g *goroutine) {
	m.recordAt(g, run.Event{Op: schedule.End, Object: run.NoObject, Site: run.NoSite, Caller: run.NoSite})
	g.status = ended
	g.comms = g.comms[:0]
	i, _ := slices.BinarySearchFunc(m.live, g.Slot, func(l *goroutine, slot int32) int { return cmp.Compare(l.Slot, slot) })
	m.live = slices.Delete(m.live, i, i+1)
}

// goroutinePrimitives lists the primitives of package runtime that concern
// scheduling.
func goroutinePrimitives() []primitive {
	return []primitive{
		{
			name:        "runtime.Gosched",
			looksAt:     atNothing,
			mayOnlyRead: true,
			options: func(c *call, to []run.Transition) []run.Transition {
				return append(to, run.Transition{Op: schedule.Yield, Object: run.NoObject, Partner: -1, Enabled: true})
			},
			run: func(c *call) {
				c.m.lookAtNothing()
				c.m.record(c.g, run.Event{Op: schedule.Yield, Object: run.NoObject})
			},
		},
		{
			name:        "runtime.NumGoroutine",
			looksAt:     atNothing,
			mayOnlyRead: true,
			options: func(c *call, to []run.Transition) []run.Transition {
				return append(to, run.Transition{Op: schedule.Read, Object: run.GoroutinesObject, Cells: 1, Partner: -1, Enabled: true})
			},
			run: func(c *call) {
				n := uint64(len(c.m.live))
				c.m.lookAtCount(c.g)
				c.m.record(c.g, run.Event{Op: schedule.Read, Object: run.GoroutinesObject, Read: n, ReadKind: uint8(code.Int64)})
				c.set(0, n)
			},
		},
		{name: "runtime.Goexit", run: func(c *call) { c.m.exit() }},
	}
}
