package state

import (
	"context"
	"fmt"
	"go/types"
	"io"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/meter"
	"github.com/everyway-go/everyway/internal/vm/race"
)

// A State is the state of a machine: its memory and goroutines, and the run in progress.
// It is not safe for concurrent use.
type State struct {
	run.Settings
	Arena *expr.Arena // of all symbolic values
	Names *run.Names  // goroutine names, the same in every run
	Funcs []*Function // by SiteID.Func, in order of linking
	// Output receives what the program prints, with print and println and to its standard
	// output and error. If it is nil, that is discarded.
	Output io.Writer
	// Holds, if it is not nil, is called now and then with about the number of bytes that the
	// machine holds, and how many it is about to allocate at once.
	Holds func(held, next int64)
	// Parked is called when a goroutine has been parked.
	Parked func(*Goroutine)
	// Reconsider is called when what a parked goroutine can do may have changed, and the
	// memory that this depends on has not.
	Reconsider func(*Goroutine)
	// Spawned is called when a goroutine has started another one, which calls fn, if
	// Plan.Symmetry is set.
	Spawned func(g, child *Goroutine, fn *Function, closure *heap.Object)
	// Collects reports whether a collection would change something.
	Collects func() bool
	// Reachable returns how many bytes of memory can be reached.
	Reachable func() int64
	// CalledDeep is called for a call of fn that exceeds the limit on the depth of the stack
	// of g, with closure and, if passed is set, the arguments at Stack[base]. It returns
	// symbolic values for the arguments to have from now on, nil if they stay as they are,
	// and false if the run is over.
	CalledDeep func(g *Goroutine, fn *Function, closure *heap.Object, base int32, passed bool) (syms []expr.ID, ok bool)
	Traps      Traps
	Stops      Stops
	Decisions  Decisions
	// EachSite adds a condition to the path condition once for each site at which a goroutine meets
	// it, and not only once. Whoever sets it resumes no runs at checkpoints.
	EachSite bool
	// Least has a number that is drawn within a range be the least one of it if the plan has none,
	// and not the one that zero stands for. Whoever sets it does so before Boot.
	Least bool
	// Unconditional, if it is not nil, is called in place of adding to the path condition.
	// It ends the run. It is nil again when a run begins.
	Unconditional func()

	Program   *code.Program
	Variables []*heap.Object   // the package variables that linked code refers to, in order of linking
	Entry     *Function        // where runs start
	Reserved  map[string]int32 // by name, the numbers of functions that are not linked yet
	ZeroSized *heap.Object     // stands for all variables of size zero, which have the same address in programs built by gc
	// Exposed contains the objects to which pointers have been converted to numbers, by
	// address. It is not rewound: a run can only have a number if it has had the pointer,
	// so entries that other runs have left do not matter.
	Exposed map[uint64]*heap.Object

	// A rewind restores snapshot, memory and goroutines. The fields after them are set at
	// the start of a run.
	snapshot
	Heap    heap.Heap
	saved   []savedGoroutine // since the first checkpoint; see checkpoint.go
	Ctx     context.Context
	CtxErr  error
	Plan    *run.Plan
	Trace   *run.Trace
	Fault   fault
	Over    bool   // the run has ended: Trace.Outcome says how
	Printed []byte // what the run has printed, if Output is set
	// Tank has the instructions until limits and context are checked again.
	meter.Tank

	// Booting says that the run is that of Boot, which ends where it would not be
	// sequential any more: see SuspendBoot.
	Booting bool
	// Multi says that accesses matter to others: more than one goroutine has
	// existed in this run, a timer may start another, or the plan makes some accesses
	// visible. It is set with SetMulti.
	Multi bool
	// Watching says that plain accesses must be recorded. It is Multi, unless Unwatched is set.
	Watching bool
	// Unwatched says that nothing is recorded of accesses, so that no data race is found. It is for
	// measuring what that costs.
	Unwatched bool
	// Pausing says that goroutines pause before the invisible code after each visible
	// operation, see PauseAfter.
	Pausing bool
	// Tracing says that the values of accesses are recorded in events.
	Tracing bool

	Last  int32        // number of the goroutine that took the last step, -1 if there is none
	Slots []int32      // by number, the slots of the run's goroutines
	Live  []*Goroutine // goroutines that have not ended, in order of creation
	Ready []*Goroutine // goroutines that have invisible code to run, in the order in which they will

	// made are the goroutines of this run, and spare those of earlier runs, whose stacks
	// are reused.
	made, spare []*Goroutine

	Races   race.Detector
	flow    run.Flow       // of Races, if the plan wants it
	Touched []*heap.Object // objects with a shadow of this run, in the order in which they got it
	// accessVisible says whether the last access was a visible operation, and fromVisible
	// whether the reads of its second range of cells were (see AccessTwo).
	accessVisible, fromVisible bool
	Events                     eventState
	// Allocated are the objects that were allocated, if Plan.RecordPlain or Plan.RecordAllocations
	// is set and the run did not resume at a checkpoint: those that what it did can be told of by
	// name.
	Allocated []Allocated
	Step      stepState
	// LateIndex is of LateSteps, but for the last ones: it is reset when they are replaced.
	LateIndex LateIndex
}

// Init makes m the state of a machine for prog in which nothing has run yet.
func (m *State) Init(prog *code.Program, arena *expr.Arena, names *run.Names, settings run.Settings) {
	m.Settings, m.Arena, m.Names, m.Program = settings, arena, names, prog
	m.Trace = &run.Trace{}
	m.Races.Found = m.noteRace
	m.ZeroSized = &heap.Object{ID: run.ObjectID{Goroutine: run.GlobalObjects, Count: -1}, Type: prog.Type(types.NewStruct(nil, nil))}
}

// A snapshot is the part of the state, besides objects and goroutines, that a checkpoint
// copies as a whole. Its slices are replaced and never changed in place.
type snapshot struct {
	Goroutines []*Goroutine // in order of creation, including those that have ended
	Used       int64        // number of bytes allocated
	output     int64        // number of bytes printed
	fits       int64        // as long as Used is no more, the limit on memory is not exceeded
	Now        int64        // virtual time at the last quiescent point, ns since ClockStart
	Stalled    int64        // how far the clock has advanced since then, because timers fired early
	LateSteps  []LateStep   // steps since the first of these timers or reading of the clock; only ever appended to
	// ClockReadings counts how often a goroutine or timer has read the clock, outside of
	// bubbles, since Boot.
	ClockReadings uint64
	// Draws counts the random numbers that are inputs, and Keys those among them that
	// are of run.Scatter.
	Draws, Keys uint64
	// Guessed is the number of bits of the latter that a comparison for equality has found to
	// be what it compares them with.
	Guessed int
	// LatestReadings are the readings of the clock, except for those that happened before
	// another one of them. All that happens from now on happens after OldReadings.
	LatestReadings, OldReadings *race.Readings
	// TimerEvents is the number of events of timers.
	TimerEvents int32
	Timers      []*Timer // that have been started and have not fired or been stopped, in order of creation; none is changed, only replaced
	// No timer is due before soonest, which is the least possible if there are timers of bubbles.
	soonest int64
	// manyTimers is twice the least number of timers that there have been since several were removed.
	manyTimers int
	collection
	// InputPrefix is put before the names of the input variables that are drawn.
	InputPrefix string
	Inherits    bool // goroutines may have inherited locks
	// InputHeap has the objects that are inputs, nil as long as there are none.
	InputHeap InputHeap
	// Bubbles is the number of active synctest bubbles.
	Bubbles int
	// Initialisers is the number of package initialisers, of those that the main goroutine
	// calls one after another, that have not returned yet.
	Initialisers int
	// MainExited says that TestMain has called runtime.Goexit, so that the process cannot end
	// with a result.
	MainExited bool
	// TestsRan says that M.Run has run the target.
	TestsRan bool
	// InitInstructions is the number of instructions that were executed in the run before
	// the target was called.
	InitInstructions uint64
	// ReturnInstructions is the number of instructions that were executed in the run before
	// the target returned, 0 if it has not.
	ReturnInstructions uint64
	// Quiescent is the number of quiescent points so far, and Queues are the channels at
	// which goroutines were waiting at the last one.
	Quiescent int32
	Queues    []Queue
	// Late counts the timers that have fired and the sleepers that have woken although
	// they were set after the target's return.
	Late  int
	Rooms []Room // of the inputs; replaced when one is added
	// Parted are the objects of which a goroutine has accessed a part of a cell, or accessed
	// cells atomically as if they were one; replaced when one is added.
	Parted []*heap.Object
	// counted says that the program has asked how much it has allocated.
	counted bool
	// helpers are the functions that have called the method Helper of a test, sorted by
	// their numbers.
	helpers []int32
}

// SetMulti sets Multi.
func (m *State) SetMulti(multi bool) { m.Multi, m.Watching = multi, multi && !m.Unwatched }

// An InputHeap has the objects of a run that are inputs (see package shape, which implements it). A
// pointer to one of them is symbolic, and it is chosen when it is used to which one it points.
type InputHeap interface {
	// Choose is called before x is made concrete, whose value is v. It chooses the pointers in x
	// and returns the value of x, which may be another one then. If ok is false the run is over.
	Choose(g *Goroutine, x expr.ID, v uint64) (value uint64, ok bool)
	// Compare is called before a condition is added that decides where g goes on. It chooses the
	// pointers in it of which more is known than what a comparison says. It returns false if the
	// run is over.
	Compare(g *Goroutine, cond expr.ID) bool
	// Settle is called when g reaches a visible operation or ends. If other goroutines can use
	// the objects from now on, it chooses all pointers that have not been chosen. It returns
	// false if the run is over.
	Settle(g *Goroutine) bool
	// Restore is called when the state has been rewound. What the InputHeap knows is in the
	// state; it restores the names of objects and the values of inputs in the trace.
	Restore()
	// Open reports whether there are pointers that have not been chosen.
	Open() bool
	// Finish completes the trace of a run that is over.
	Finish()
}

// TimeOf returns the earliest time at which g can be where it is.
func (m *State) TimeOf(g *Goroutine) int64 { return max(m.Now, g.Clock.Time) }

// Lateness is by how many nanoseconds timers and sleepers outside of bubbles are late, unless code takes no time.
const Lateness = 1

// LastDue returns the virtual time until which timers and sleepers can be due, outside of bubbles,
// while goroutines that could run are kept waiting since the given time.
func (m *State) LastDue(since int64) int64 {
	if m.Stall == 0 {
		return since
	}
	return Later(since, Later(int64(m.Stall), Lateness))
}

// HasCome reports whether a virtual time can have come, outside of bubbles.
func (m *State) HasCome(when int64) bool { return when <= m.LastDue(m.Now) && when != Never }

// FuelChunk is the number of instructions after which the dispatch loop checks limits and
// context.
const FuelChunk = 1 << 14

// Initialising reports whether package initialisers are running, so that the target has
// not been called yet.
func (m *State) Initialising() bool { return m.Initialisers > 0 }

// Returned reports whether the target has returned.
func (m *State) Returned() bool { return m.Goroutines[0].Status == Ended && !m.Initialising() }

// EndInitialisation notes what is known when the initialisation has ended, or the run
// during it.
func (m *State) EndInitialisation() {
	m.InitInstructions = m.Trace.Instructions + m.Spent()
	m.Trace.Initialisers = m.Goroutines[0].Spawns
}

// initRuns is how many times Limits.Instructions the package initialisers may take. Most
// of them run only once, and it is in initialisers that programs build their tables.
const initRuns = 10

// noteHeld calls Holds before so many bytes are allocated at once.
func (m *State) noteHeld(next int64) {
	if m.Holds != nil {
		m.Holds(m.Used+int64(m.Arena.Len())*expressionBytes, next)
	}
}

// expressionBytes is about the memory of an expression in an arena.
const expressionBytes = 64

// Spent returns the number of instructions that Trace.Instructions does not count yet.
func (m *State) Spent() uint64 { return uint64(FuelChunk - m.Unspent()) }

// Refuel is called when the fuel is spent. It returns false if the run is to end, because
// the limit on instructions is exceeded or the context is done.
func (m *State) Refuel(g *Goroutine) bool {
	m.Trace.Instructions += m.Spent()
	m.SetFuel(FuelChunk)
	m.Step.Chunks++
	m.noteHeld(0)
	if m.Over || m.Interrupted() {
		return false
	}
	limit := m.Limits.Instructions
	if m.Initialising() {
		limit *= initRuns
	}
	if limit > 0 && m.Trace.Instructions-m.InitInstructions > limit {
		return m.Bounded(g, fmt.Sprintf("more than %d instructions", limit))
	}
	return true
}

// Interrupted reports whether the context is done. If so, it ends the run.
func (m *State) Interrupted() bool {
	err := m.Ctx.Err()
	if err != nil {
		m.CtxErr = fmt.Errorf("running the program: %w", err)
		m.Stop(run.Stopped, err.Error())
	}
	return err != nil
}
