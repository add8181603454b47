package state

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
	// Randoms counts the random numbers that the goroutine has drawn.
	Randoms int32
	// Alt is the chosen Alt once the goroutine is granted its step.
	Alt int32
	At  parkedAt
	// Prim is the primitive that the goroutine is parked in; its arguments are
	// at stack[PrimBase:].
	Prim     *Function
	PrimBase int
	// Phase counts the steps already taken of an operation that has several.
	Phase uint8
	// Blocked says that since it was parked there was a point at which it could
	// not go on.
	Blocked bool
	// Delivered says that a partner's step has completed the communication:
	// the goroutine finds case and value in got.
	Delivered bool
	Got       received
	Comms     []Comm // what it may communicate
	Selects   bool   // it is a select
	OrElse    bool   // the select has a default case

	// Cond is the condition variable that it waits for; notified says that
	// a signal has come.
	Cond     heap.Location
	Notified bool
	Wakeup   race.Clock // clock of the signal

	When   int64        // Sleep: virtual time at which it may go on
	Timers int32        // how many it has started
	Late   bool         // Sleep: it has begun after the target's return
	Bubble *heap.Object // synctest bubble that it is in, nil for none

	Turn int   // when it took its last step, in steps of the run
	Spin *Spin // nil as long as it was never needed
}

// parkedAt says what kind of operation a goroutine is parked at: where its
// options come from.
type parkedAt uint8

const (
	AtAccess        parkedAt = iota // of memory: the option is goroutine.pending
	AtCommunication                 // channel operation or select: goroutine.comms
	AtPrimitive                     // goroutine.prim
	AtCrash                         // of the program, by a panic of its own: the option is goroutine.pending
	AtPause                         // in the middle of invisible code, see Machine.pause
)

// A received is the outcome of a communication: which case it was and what
// came in.
type received struct {
	Index  int // case of a select, -1 for the default
	Ok     bool
	Words  []heap.Word
	Shadow []expr.ID // of words; empty when all are concrete
	Event  int32     // of the receive, -1 without one
}

// SpareGoroutines takes the goroutines that are not in the run any more for spare.
func (m *State) SpareGoroutines() {
	n := len(m.made)
	for n > 0 && int(m.made[n-1].Slot) >= len(m.Goroutines) {
		n--
		m.spare = append(m.spare, m.made[n])
	}
	m.made = m.made[:n]
}

// NewGoroutine adds a goroutine that parent starts, or the main goroutine when
// parent is nil. Its caller gives it its first frame. It runs to its first
// visible operation when the one that executes now has parked. The result is nil
// when a bound was hit and the run is over.
func (m *State) NewGoroutine(parent *Goroutine) *Goroutine {
	if parent == nil {
		return m.AddGoroutine(0, nil)
	}
	m.Preserve(parent)
	parent.Spawns++
	id := m.Names.Child(parent.ID, parent.Spawns)
	m.Record(parent, run.Event{Op: schedule.Spawn, Object: run.NoObject, Other: id})
	g := m.AddGoroutine(id, &parent.Clock)
	if g != nil {
		g.Bubble = parent.Bubble
	}
	parent.Tick()
	return g
}

// AddGoroutine adds a goroutine with a name, after everything that clock has seen.
func (m *State) AddGoroutine(id int32, clock *race.Clock) *Goroutine {
	if limit := m.Limits.Goroutines; limit > 0 && len(m.Live) >= limit || len(m.Goroutines) >= run.MaxSlots {
		m.Stop(run.Bounded, "too many goroutines")
		return nil
	}
	g := m.blankGoroutine()
	g.ID, g.Interval = id, m.Heap.Interval()
	g.Slot = int32(len(m.Goroutines))
	if clock != nil {
		g.Clock.Join(clock)
	}
	g.Clock.Set(g.Slot, 1)
	for len(m.Slots) <= int(id) {
		m.Slots = append(m.Slots, 0)
	}
	m.Slots[id] = g.Slot
	m.Changed()
	m.made = append(m.made, g)
	m.Multi = m.Multi || len(m.Goroutines) > 0
	m.Goroutines = append(m.Goroutines, g)
	m.Live = append(m.Live, g)
	m.Ready = append(m.Ready, g)
	m.RecordAt(g, run.Event{Op: schedule.Start, Object: run.NoObject, Site: run.NoSite, Caller: run.NoSite})
	return g
}

// blankGoroutine returns a goroutine without state, with the stack of one of an
// earlier run if there is any.
func (m *State) blankGoroutine() *Goroutine {
	n := len(m.spare)
	if n == 0 {
		return new(Goroutine)
	}
	g := m.spare[n-1]
	m.spare = m.spare[:n-1]
	*g = Goroutine{
		Stack: g.Stack, Sym: g.Sym, Frames: g.Frames[:0],
		goroutineState: goroutineState{
			Thread: race.Thread{Clock: g.Clock.Empty()}, Comms: g.Comms[:0], Wakeup: g.Wakeup.Empty(),
			Got:  received{Words: g.Got.Words[:0], Shadow: g.Got.Shadow[:0]},
			Spin: copySpin(g.Spin, nil),
		},
	}
	return g
}

// EndGoroutine marks g, whose last frame has returned, as ended.
func (m *State) EndGoroutine(g *Goroutine) {
	m.RecordAt(g, run.Event{Op: schedule.End, Object: run.NoObject, Site: run.NoSite, Caller: run.NoSite})
	g.Status = Ended
	g.Comms = g.Comms[:0]
	i, _ := slices.BinarySearchFunc(m.Live, g.Slot, func(l *Goroutine, slot int32) int { return cmp.Compare(l.Slot, slot) })
	m.Live = slices.Delete(m.Live, i, i+1)
}

// A Goroutine is one thread of execution: a stack of registers, the frames on
// it, and the operation it is about to do.
type Goroutine struct {
	ID     int32 // index in Names: the spawn chain
	Stack  []heap.Word
	Sym    []expr.ID // shadow of stack; nil while no frame holds anything symbolic
	Frames []Frame
	Status Status
	// Granted is set when the scheduler chose this goroutine's pending operation:
	// the interpreter is at that instruction and now carries it out.
	Granted bool
	Pending run.Transition // what a goroutine that is parked AtAccess or AtCrash is about to do

	Allocs, Events, Spawns int32 // counters that name objects, events and children
	Panics                 []Panicking
	Texts                  int32 // while an unrecovered panic's values are turned to text: see panic.go

	Merging  Merging
	Interval uint32 // checkpoint interval in which it was made or saved
	goroutineState
}

// A Status says what a goroutine is doing.
type Status uint8

const (
	Running Status = iota // has invisible code to run before its next visible operation
	Parked                // at a visible operation, pending is set
	Ended
)

// A Merging is what a goroutine has put aside whose top frame is in a region, or has
// called a function from it. No goroutine parks in one.
type Merging struct {
	On     bool
	Region *region.Region
	// Shadows are, by the ends of the region, those of the frame's registers there or, at
	// the end of the function, of its results. They do not change.
	Shadows [2][]expr.ID
	First   expr.ID // the condition of coming to the first end, if there are two
}

// A Panicking is a panic, or a runtime.Goexit, that is under way. The frames
// between the one that panicked and the one whose deferred calls are being made
// stay on the stack until the panic is recovered.
type Panicking struct {
	Type, Data heap.Word // the value
	Goexit     bool
	Recovered  bool
	// Repanicked is set when the deferred function that recovered the value has
	// panicked with it again.
	Repanicked bool

	Origin int32 // frame that panicked
	At     int32 // frame whose deferred calls are being made
	Call   int32 // frame of the deferred call, -1 when there is none

	Text    string // of the value, when the panic is not recovered
	HasText bool
}
