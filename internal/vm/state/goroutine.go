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

// goroutineState is the part of a Goroutine that concerns scheduling: what it is about to
// do while it is parked, what its partners have left for it, and its clock.
type goroutineState struct {
	race.Thread // its slot is the index in State.Goroutines
	// Randoms is the number of random numbers that the goroutine has drawn.
	Randoms int32
	// Alt is the chosen alternative, once the goroutine has been granted its step.
	Alt int32
	At  parkedAt
	// Prim is the primitive at which the goroutine is parked. Its arguments begin at
	// Stack[PrimBase].
	Prim     *Function
	PrimBase int
	// Phase is the number of steps taken so far of an operation that consists of several.
	Phase uint8
	// Blocked says that the goroutine's operation has been disabled at some scheduling
	// point since it was parked.
	Blocked bool
	// Delivered says that a partner's step has completed the communication. The goroutine
	// finds the case and the value in Got.
	Delivered  bool
	Got        received
	Comms      []Comm // the communications at which it is parked
	Selects    bool   // the operation is a select
	HasDefault bool   // the select has a default case
	CommsBegan uint32 // the time of the goroutine, in its clock, when it came to Comms

	// WaitsSince is the number of the quiescent point since which the goroutine is known to
	// wait at Comms, 0 if it is not. Served is the channel on which it goes on then: it has
	// been closed, or has got the value of a timer. See IsWaiter.
	WaitsSince int32
	Served     *heap.Object

	// Cond is the condition variable that the goroutine waits for, and Notified says that
	// it has been signalled.
	Cond     heap.Location
	Notified bool
	Wakeup   race.Clock // clock of the goroutine that signalled

	// Middle is the number, from 1 on, of a goroutine that has begun in the middle of functions,
	// and for the main goroutine of the one that it has prepared last.
	Middle    int
	Inherited []Inherited // what callers hold that are not known; not changed in place
	Taken     []Taken     // what the goroutine holds that g prepares; not changed in place

	When int64 // for Sleep, the virtual time at which it wakes up
	// Held says of a sleeper that it does not wake up before the next quiescent point, although
	// When can have come: by readings of the clock, it began to sleep too late for that. See
	// clock.HoldsBack.
	Held bool
	// Wakes are the times, in terms of earlier readings of the clock, before which a sleeper
	// does not wake up.
	Wakes *race.Readings
	// Polling counts its readings of the clock, outside of bubbles, one soon after the other.
	Polling Polling
	Reads   int32        // number of readings of the clock that are inputs
	Timers  int32        // number of timers that it has started
	Late    bool         // for Sleep, it began after the target's return
	Bubble  *heap.Object // synctest bubble that it belongs to, nil if there is none
	// AloneAt is the number of goroutines that it had started, plus 1, when it was the only one as
	// the run began or time passed. See IsAlone.
	AloneAt int32

	// Started is the goroutine that it has started last, for package symmetry: nil if it has
	// accessed since then what others could access, too. Adds to wait groups do not count.
	Started *Start

	LastStep int   // number of steps in the run when it took its last one
	Spin     *Spin // nil until it is needed; see spin.go
}

// IsAlone reports whether no other goroutine has been there but those that had ended when time
// passed last. That follows from what happened before, and is so in all orders of independent
// steps.
func (g *Goroutine) IsAlone() bool { return g.AloneAt == g.Spawns+1 }

// A Start describes how a goroutine was started. It does not change.
type Start struct {
	Goroutine, Slot int32
	Site            run.SiteID // the go statement
	Func            *Function
	Closure         *heap.Object
	Args            []heap.Word
	Clock           race.Clock // of the goroutine when it began
	Allocs          int32      // number of objects that its parent had allocated
}

// A Polling counts how often a goroutine has read the clock without waiting for anything but
// time in between.
type Polling struct {
	Since  int64 // State.Now at these readings
	Number int32 // number of readings since then that count for the next sleep
	Sleeps int32 // number of times that the goroutine has slept, one after the other, to let time pass
	// Doublings is how many of the last ones were twice as long as the one before.
	Doublings int32
	Head      *LongSleep // the last one of them, nil if there was none
}

// A LongSleep is the state of a goroutine and of memory when the goroutine has gone to sleep
// because it reads the clock again and again. It does not change.
type LongSleep struct {
	HeadState
	Memory heap.Mark
}

// parkedAt says at what kind of operation a goroutine is parked, which determines where
// its transitions come from.
type parkedAt uint8

const (
	AtAccess        parkedAt = iota // access to memory; the transition is Goroutine.Pending
	AtCommunication                 // channel operation or select, given by Goroutine.Comms
	AtPrimitive                     // primitive Goroutine.Prim
	AtCrash                         // end of the program by an unrecovered panic; the transition is Goroutine.Pending
	AtPause                         // in the middle of invisible code, see State.Pause
	AtHold                          // before invisible code, see State.PauseAfter
	AtStop                          // before an instruction at which it stops, see State.SetStops
	AtGoal                          // in the operation of a place of the goal, see State.stayAtGoal
)

// A received is the result of a communication: the case and the value.
type received struct {
	Index  int // case of a select, -1 for the default
	Ok     bool
	Words  []heap.Word
	Shadow []expr.ID // of Words; empty if all are concrete
	Event  int32     // index of the event of the receive, -1 if there is none
	// Firing is that of the timer whose value has been received; its Latest is 0 if the value
	// is not a reading of the clock that is still to be made.
	Firing race.Firing
}

// SpareGoroutines makes the goroutines that do not belong to the run any more available
// for reuse.
func (m *State) SpareGoroutines() {
	n := len(m.made)
	for n > 0 && int(m.made[n-1].Slot) >= len(m.Goroutines) {
		n--
		g := m.made[n]
		g.dropLarge()
		m.spare = append(m.spare, g)
	}
	m.made = m.made[:n]
}

// keptStack is the size of a stack whose memory is kept for reuse.
const keptStack = 1 << 12

// dropLarge drops the stack of a goroutine that does not belong to a run if it is large.
func (g *Goroutine) dropLarge() {
	if cap(g.Stack) > keptStack {
		g.Stack, g.Sym, g.Frames = nil, nil, nil
	}
}

// NewGoroutine adds a goroutine that is started by parent, or the main goroutine if
// parent is nil. The caller pushes its first frame. The goroutine runs to its first
// visible operation after the one that is executing has parked. The result is nil if a
// limit was exceeded, in which case the run is over.
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
		g.Created = m.SiteOfTop(parent)
		if m.Plan.RecordPlain {
			g.Asked = m.OwnSite(parent)
		}
		g.OfInitialiser = m.ForInitialiser(parent)
	}
	parent.Tick()
	return g
}

// The functions of the model of package testing at which runs of tests and of fuzz tests
// start, if the package has no TestMain.
const (
	TestEntry = "testing.everywayTest"
	FuzzEntry = "testing.everywayFuzz"
)

// MainWaits reports whether programs see one more goroutine than the machine has: in the
// test binaries of go test, the main goroutine waits for the one that runs the test.
func (m *State) MainWaits() bool {
	return m.Entry != nil && !m.Initialising() && (m.Entry.Name == TestEntry || m.Entry.Name == FuzzEntry)
}

// ForInitialiser reports whether goroutines and timers that g starts now count as those of
// a package initialiser.
func (m *State) ForInitialiser(g *Goroutine) bool {
	return g.OfInitialiser || g.ID == 0 && m.Initialising()
}

// TooManyGoroutines is the message of a run that is bounded since there are more goroutines than Limits says.
const TooManyGoroutines = "too many goroutines"

// AddGoroutine adds a goroutine with the given number. Its start is ordered after
// everything that clock covers.
func (m *State) AddGoroutine(id int32, clock *race.Clock) *Goroutine {
	if limit := m.Limits.Goroutines; limit > 0 && len(m.Live) >= limit || len(m.Goroutines) >= run.MaxSlots {
		m.Stop(run.Bounded, TooManyGoroutines)
		return nil
	}
	g := m.blankGoroutine()
	g.ID, g.Interval = id, m.Heap.Interval()
	g.Slot = int32(len(m.Goroutines))
	g.Created = run.NoSite
	m.nameClocks(g)
	if clock != nil {
		g.Clock.Join(clock)
		m.Races.NoteReplaced(&g.Clock, clock)
	}
	g.Clock.Set(g.Slot, 1)
	for len(m.Slots) <= int(id) {
		m.Slots = append(m.Slots, 0)
	}
	m.Slots[id] = g.Slot
	m.Changed()
	m.charge(g, goroutineBytes)
	m.made = append(m.made, g)
	m.SetMulti(m.Multi || len(m.Goroutines) > 0)
	m.Goroutines = append(m.Goroutines, g)
	m.Live = append(m.Live, g)
	m.Ready = append(m.Ready, g)
	m.RecordAt(g, run.Event{Op: schedule.Start, Object: run.NoObject, Site: run.NoSite, Caller: run.NoSite})
	return g
}

// nameClocks says whose clocks those of g are, and where the run records who learns of what.
func (m *State) nameClocks(g *Goroutine) {
	id := run.ObjectID{Goroutine: g.ID}
	g.Clock.Of = run.Holder{Kind: run.GoroutineHolder, Object: id}
	g.Wakeup.Of = run.Holder{Kind: run.WakeupHolder, Object: id}
	g.Thread.Flow = m.Races.Flow
}

// BeginFlow begins a run: it is recorded who learns of what, and who accesses what, if the plan wants that.
func (m *State) BeginFlow() {
	m.Races.Flow = nil
	if m.Plan.ForgetKnowledge {
		m.flow.Steps = m.flow.Steps[:0]
		m.Races.Flow = &m.flow
	}
	m.Trace.Flow = m.Races.Flow
	for _, g := range m.Goroutines {
		m.nameClocks(g)
	}
}

// blankGoroutine returns a goroutine without state. It reuses the memory of a spare
// goroutine if there is one.
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
	if m.InputHeap != nil && !m.InputHeap.Settle(g) {
		return
	}
	m.RecordAt(g, run.Event{Op: schedule.End, Object: run.NoObject, Site: run.NoSite, Caller: run.NoSite})
	g.Status = Ended
	if g.Slot == 0 {
		m.ReturnInstructions = m.Trace.Instructions + m.Spent()
	}
	g.Comms = g.Comms[:0]
	i, _ := slices.BinarySearchFunc(m.Live, g.Slot, func(l *Goroutine, slot int32) int { return cmp.Compare(l.Slot, slot) })
	m.Live = slices.Delete(m.Live, i, i+1)
}

// A Goroutine is a goroutine of the program: a stack of registers, the frames on it, and
// the operation that it is about to carry out.
type Goroutine struct {
	ID int32 // number in run.Names
	// StackSize is how many registers of the stack count as memory of the run. The stack has
	// more if an earlier run has needed them.
	StackSize int32
	Stack     []heap.Word
	Sym       []expr.ID // shadow of Stack; nil as long as no frame has held a symbolic value
	Frames    []Frame
	Status    Status
	// Granted is set when the scheduler has chosen the goroutine's pending operation. The
	// goroutine is still at that instruction, and now carries it out.
	Granted bool
	Pending run.Transition // the transition of a goroutine that is parked AtAccess, AtCrash, AtPause, AtHold, AtStop or AtGoal

	Allocs, Events, Spawns int32 // counters that name objects, events and children
	// OfInitialiser says that a package initialiser started the goroutine, directly or
	// through others.
	OfInitialiser bool
	Panics        []Panicking
	Texts         int32 // while the values of an unrecovered panic are converted to text; see exec/panic.go

	Created  run.SiteID // the go statement that started it, run.NoSite if there is none
	Asked    run.SiteID // the call in the main module that led there, Created if there is none; set if Plan.RecordPlain is
	Func     int32      // number of the function that it was started with, 0 for the main goroutine
	Merging  Merging
	Interval uint32 // checkpoint interval in which it was made or last saved
	goroutineState
}

// A Status says what a goroutine is doing.
type Status uint8

const (
	Running Status = iota // has invisible code to run before its next visible operation
	Parked                // waits at a visible operation
	Ended
)

// Sleeps reports whether g is asleep.
func (g *Goroutine) Sleeps() bool {
	return g.Status == Parked && g.At == AtPrimitive && g.Phase > 0 && g.Prim.Prim.Sleeps
}

// Merging describes the branches that a goroutine is merging: its top frame is in a
// region, or has called a function from one. A goroutine does not park while it is
// merging.
type Merging struct {
	On     bool
	Region *region.Region
	// Shadows holds, for each end of the region, the shadows of the frame's registers
	// there or, if the end is that of the function, of its results. They do not change.
	Shadows [2][]expr.ID
	First   expr.ID // the condition under which the first end is reached, if there are two
}

// A Panicking is a panic or a runtime.Goexit in progress. The frames between the one that
// panicked and the one whose deferred calls are being run stay on the stack until the
// panic is recovered.
type Panicking struct {
	Type, Data heap.Word // the value of the panic, an interface
	Goexit     bool
	Recovered  bool
	// Repanicked is set when the deferred function that recovered the value has panicked
	// with it again.
	Repanicked bool
	// Commuting says that a loop over a map was going on whose order does not matter
	// otherwise (code.Func.Commuting).
	Commuting bool

	Origin int32 // index of the frame that panicked
	At     int32 // index of the frame whose deferred calls are being run
	Call   int32 // index of the frame of the deferred call, -1 if there is none

	Text    string // the value as text, if the panic is not recovered
	HasText bool
}

// Waiters. A goroutine that is parked at a communication may have come to it and wait, or not
// have come to it yet: nobody can tell, and both are explored. At a quiescent point one can
// tell: all goroutines that are blocked there do wait. They are waiters, in the queues of
// their channels, until their communication is carried out.

// QueueOf returns the queue of a channel, nil if there is none.
func (m *State) QueueOf(ch *heap.Object) *Queue {
	if len(m.Queues) == 0 || ch == nil {
		return nil
	}
	if n := ch.Cells[ChanQueue].N; n > 0 {
		return &m.Queues[n-1]
	}
	return nil
}

// HasWaiters reports whether goroutines are known to wait at ch or at a channel linked to it.
func (m *State) HasWaiters(ch *heap.Object) bool {
	q := m.QueueOf(ch)
	return q != nil && q.Waiters > 0
}

// IsWaiter reports whether g is known to wait, and nothing has come for it. What there is in a
// channel of its select then, the value of a timer, has come for another one.
func (g *Goroutine) IsWaiter() bool { return g.WaitsSince > 0 && g.Served == nil }

// WaitingSince returns the number of the quiescent point since which the first waiter waits to
// send on ch or to receive from it, 0 if there is none.
func (m *State) WaitingSince(ch *heap.Object, send bool) int32 {
	if !m.HasWaiters(ch) {
		return 0
	}
	first := int32(0)
	for _, g := range m.Live {
		if g.WaitsSince == 0 || first > 0 && g.WaitsSince >= first {
			continue
		}
		if g.comesTo(ch, send) && g.IsWaiter() {
			first = g.WaitsSince
		}
	}
	return first
}

// comesTo reports whether g is parked at a communication that sends on ch or receives from it.
func (g *Goroutine) comesTo(ch *heap.Object, send bool) bool {
	for i := range g.Comms {
		if g.Comms[i].Chan == ch && g.Comms[i].Send == send {
			return true
		}
	}
	return false
}

// Finds reports whether a goroutine that comes to c now need not wait: the channel is ready, or
// somebody is known to wait there.
func (m *State) Finds(c *Comm) bool {
	return c.Ready() && (c.Send || !m.HasDelivered(c.Chan)) || m.WaitingSince(c.Chan, !c.Send) > 0
}

// HasDelivered reports whether what ch holds, the value of a timer, is for a goroutine that has
// been served: it is as if that had it already.
func (m *State) HasDelivered(ch *heap.Object) bool {
	return m.QueueOf(ch) != nil && ch.Cells[ChanClosed].N == 0 && slices.ContainsFunc(m.Live, func(g *Goroutine) bool { return g.Served == ch })
}
