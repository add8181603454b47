package vm

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/code/region"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/schedule"
)

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

// spareGoroutines takes the goroutines that are not in the run any more for spare.
func (m *State) spareGoroutines() {
	n := len(m.made)
	for n > 0 && int(m.made[n-1].Slot) >= len(m.gs) {
		n--
		m.spare = append(m.spare, m.made[n])
	}
	m.made = m.made[:n]
}

// newGoroutine adds a goroutine that parent starts, or the main goroutine when
// parent is nil. Its caller gives it its first frame. It runs to its first
// visible operation when the one that executes now has parked. The result is nil
// when a bound was hit and the run is over.
func (m *State) newGoroutine(parent *goroutine) *goroutine {
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
func (m *State) addGoroutine(id int32, clock *race.Clock) *goroutine {
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
	m.live = append(m.live, g)
	m.ready = append(m.ready, g)
	m.recordAt(g, run.Event{Op: schedule.Start, Object: run.NoObject, Site: run.NoSite, Caller: run.NoSite})
	return g
}

// blankGoroutine returns a goroutine without state, with the stack of one of an
// earlier run if there is any.
func (m *State) blankGoroutine() *goroutine {
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
func (m *State) endGoroutine(g *goroutine) {
	m.recordAt(g, run.Event{Op: schedule.End, Object: run.NoObject, Site: run.NoSite, Caller: run.NoSite})
	g.status = ended
	g.comms = g.comms[:0]
	i, _ := slices.BinarySearchFunc(m.live, g.Slot, func(l *goroutine, slot int32) int { return cmp.Compare(l.Slot, slot) })
	m.live = slices.Delete(m.live, i, i+1)
}

// A goroutine is one thread of execution: a stack of registers, the frames on
// it, and the operation it is about to do.
type goroutine struct {
	id     int32 // index in Names: the spawn chain
	stack  []heap.Word
	sym    []expr.ID // shadow of stack; nil while no frame holds anything symbolic
	frames []frame
	status status
	// granted is set when the scheduler chose this goroutine's pending operation:
	// the interpreter is at that instruction and now carries it out.
	granted bool
	pending run.Transition // what a goroutine that is parked atAccess or atCrash is about to do

	allocs, events, spawns int32 // counters that name objects, events and children
	panics                 []panicking
	texts                  int32 // while an unrecovered panic's values are turned to text: see panic.go

	merging  merging
	interval uint32 // checkpoint interval in which it was made or saved
	goroutineState
}

// A status says what a goroutine is doing.
type status uint8

const (
	running status = iota // has invisible code to run before its next visible operation
	parked                // at a visible operation, pending is set
	ended
)

// A merging is what a goroutine has put aside whose top frame is in a region, or has
// called a function from it. No goroutine parks in one.
type merging struct {
	on     bool
	region *region.Region
	// shadows are, by the ends of the region, those of the frame's registers there or, at
	// the end of the function, of its results. They do not change.
	shadows [2][]expr.ID
	first   expr.ID // the condition of coming to the first end, if there are two
}

// A panicking is a panic, or a runtime.Goexit, that is under way. The frames
// between the one that panicked and the one whose deferred calls are being made
// stay on the stack until the panic is recovered.
type panicking struct {
	typ, data heap.Word // the value
	goexit    bool
	recovered bool
	// repanicked is set when the deferred function that recovered the value has
	// panicked with it again.
	repanicked bool

	origin int32 // frame that panicked
	at     int32 // frame whose deferred calls are being made
	call   int32 // frame of the deferred call, -1 when there is none

	text    string // of the value, when the panic is not recovered
	hasText bool
}
