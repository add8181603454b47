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
	"github.com/everyway-go/everyway/internal/vm/race"
)

// A State is the state of a machine: its memory and goroutines, and the run that is being
// made. It is not safe for concurrent use.
type State struct {
	run.Settings
	Arena *expr.Arena // of symbolic shadows
	Names *run.Names  // goroutine names, the same in every run
	Funcs []*Function // by SiteID.Func, in order of linking
	// Output takes what the program prints, by print and println and to its
	// standard output and error. It is discarded when nil.
	Output io.Writer
	// Parked is called when a goroutine has been parked.
	Parked func(*Goroutine)

	Program   *code.Program
	Reserved  map[string]int32 // numbers given to functions before they were linked, by name
	ZeroSized *heap.Object     // all global variables, and those on the heap, that have no size: gc has them at one address

	// The undo log restores snapshot, memory and goroutines; the rest is set at the start
	// of a run.
	snapshot
	Heap    heap.Heap
	saved   []savedGoroutine // since the first checkpoint
	Ctx     context.Context
	CtxErr  error
	Plan    *run.Plan
	Trace   *run.Trace
	Fault   fault
	Over    bool   // the run has ended: Trace.Outcome says how
	Fuel    int64  // instructions until the next look at limits and context
	Printed []byte // by the run, or the beginning of it, when Output is set

	// Multi says that plain accesses matter: more than one goroutine has existed
	// in this run, a timer may start another, or the plan makes some of them visible.
	Multi bool
	// Tracing says that accesses become events with values.
	Tracing bool

	Last  int32        // goroutine that took the last step, -1
	Slots []int32      // of the goroutines of the run, by number
	Live  []*Goroutine // those that have not ended, in order of creation
	Ready []*Goroutine // those that have invisible code to run, in the order in which they will

	// Goroutines made in this run, and those of earlier runs, whose stacks are
	// used again.
	made, spare []*Goroutine

	Races   race.Detector
	Touched []*heap.Object // that have a shadow of this run, in order
	// accessVisible says whether the cells of the last access were visible to the plan,
	// fromVisible whether those that it read in order to copy them were.
	accessVisible, fromVisible bool
	Events                     eventState
	Round                      roundState
}

// initState makes m the state of a machine for prog in which nothing has run.
func (m *State) Init(prog *code.Program, arena *expr.Arena, names *run.Names, settings run.Settings) {
	m.Settings, m.Arena, m.Names, m.Program = settings, arena, names, prog
	m.Trace = &run.Trace{}
	m.Races.Found = m.noteRace
	m.ZeroSized = &heap.Object{ID: run.ObjectID{Goroutine: run.GlobalObjects, Count: -1}, Type: prog.Type(types.NewStruct(nil, nil))}
}

// A snapshot is the part of the state that checkpoints copy as a whole, beside objects and
// goroutines. Its slices are replaced, never changed in place.
type snapshot struct {
	Goroutines []*Goroutine // in order of creation; ended ones stay
	Used       int64        // cells allocated
	Now        int64        // virtual time, ns since ClockStart
	Timers     []Timer      // started and not yet fired or stopped, in order of creation
	// Bubbles is the number of synctest bubbles that there are.
	Bubbles int
	// Late counts what has come in time that was set after the target's return.
	Late int
}

// FuelChunk is after how many instructions exec looks at limits and context.
const FuelChunk = 1 << 14

// bootRuns is how many times the instructions of a run the initialisers of packages may
// take: they run once, and tests have them make their tables.
const bootRuns = 10

// Refuel is called when the fuel is spent. It returns false when the run is
// to end: the limit of instructions was reached or the context is done.
func (m *State) Refuel(g *Goroutine) bool {
	m.Trace.Instructions += uint64(FuelChunk - m.Fuel)
	m.Fuel = FuelChunk
	m.Round.chunks++
	if m.Interrupted() {
		return false
	}
	limit := m.Limits.Instructions
	if !m.Heap.Recording() {
		limit *= bootRuns
	}
	if limit > 0 && m.Trace.Instructions > limit {
		return m.Bounded(g, fmt.Sprintf("more than %d instructions", limit))
	}
	return true
}

// Interrupted ends the run when the context is done. It reports whether it is.
func (m *State) Interrupted() bool {
	err := m.Ctx.Err()
	if err != nil {
		m.CtxErr = fmt.Errorf("running the program: %w", err)
		m.Stop(run.Stopped, err.Error())
	}
	return err != nil
}
