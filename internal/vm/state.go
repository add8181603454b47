package vm

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
	Funcs []*function // by SiteID.Func, in order of linking
	// Output takes what the program prints, by print and println and to its
	// standard output and error. It is discarded when nil.
	Output io.Writer
	// parked is called when a goroutine has been parked.
	parked func(*goroutine)

	prog      *code.Program
	reserved  map[string]int32 // numbers given to functions before they were linked, by name
	zeroSized *heap.Object     // all global variables, and those on the heap, that have no size: gc has them at one address

	// The undo log restores snapshot, memory and goroutines; the rest is set at the start
	// of a run.
	snapshot
	heap   heap.Heap
	saved  []savedGoroutine // since the first checkpoint
	ctx    context.Context
	ctxErr error
	plan   *run.Plan
	trace  *run.Trace
	fault  fault
	over   bool   // the run has ended: Trace.Outcome says how
	fuel   int64  // instructions until the next look at limits and context
	said   []byte // by the run, or the beginning of it, when Output is set

	// multi says that plain accesses matter: more than one goroutine has existed
	// in this run, a timer may start another, or the plan makes some of them visible.
	multi bool
	// tracing says that accesses become events with values.
	tracing bool

	last  int32        // goroutine that took the last step, -1
	slots []int32      // of the goroutines of the run, by number
	live  []*goroutine // those that have not ended, in order of creation
	ready []*goroutine // those that have invisible code to run, in the order in which they will

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
}

// initState makes m the state of a machine for prog in which nothing has run.
func (m *State) initState(prog *code.Program, arena *expr.Arena, names *run.Names, settings run.Settings) {
	m.Settings, m.Arena, m.Names, m.prog = settings, arena, names, prog
	m.trace = &run.Trace{}
	m.races.Found = m.noteRace
	m.zeroSized = &heap.Object{ID: run.ObjectID{Goroutine: run.GlobalObjects, Count: -1}, Type: prog.Type(types.NewStruct(nil, nil))}
}

// A snapshot is the part of the state that checkpoints copy as a whole, beside objects and
// goroutines. Its slices are replaced, never changed in place.
type snapshot struct {
	gs     []*goroutine // in order of creation; ended ones stay
	used   int64        // cells allocated
	now    int64        // virtual time, ns since clockStart
	timers []timer      // started and not yet fired or stopped, in order of creation
	// bubbles is the number of synctest bubbles that there are.
	bubbles int
	// late counts what has come in time that was set after the target's return.
	late int
}

// fuelChunk is after how many instructions exec looks at limits and context.
const fuelChunk = 1 << 14

// bootRuns is how many times the instructions of a run the initialisers of packages may
// take: they run once, and tests have them make their tables.
const bootRuns = 10

// refuel is called when the fuel is spent. It returns false when the run is
// to end: the limit of instructions was reached or the context is done.
func (m *State) refuel(g *goroutine) bool {
	m.trace.Instructions += uint64(fuelChunk - m.fuel)
	m.fuel = fuelChunk
	m.round.chunks++
	if m.interrupted() {
		return false
	}
	limit := m.Limits.Instructions
	if !m.heap.Recording() {
		limit *= bootRuns
	}
	if limit > 0 && m.trace.Instructions > limit {
		return m.bounded(g, fmt.Sprintf("more than %d instructions", limit))
	}
	return true
}

// interrupted ends the run when the context is done. It reports whether it is.
func (m *State) interrupted() bool {
	err := m.ctx.Err()
	if err != nil {
		m.ctxErr = fmt.Errorf("running the program: %w", err)
		m.stop(run.Stopped, err.Error())
	}
	return err != nil
}

// A timer is a timer that has been started. The program's side is a struct
// whose address names it:
//
//	c   chan Time  // gets the time when the timer fires, if it has room; or nil
//	f   func()     // is called in a goroutine of its own when c is nil
//	loc *Location  // of the times sent
//	bubble         // in which it was made
type timer struct {
	alt     int32 // names it in decisions, see timerAlt
	cell    heap.Location
	when    int64 // ns on the virtual clock
	period  int64 // 0 for a timer that fires once
	creator int32 // goroutine that started it
	child   int32 // the goroutine that will run f
	clock   race.Clock
	bubble  *heap.Object // synctest bubble in which it was made, nil for none
	late    bool         // set, or has fired, after the target's return
}

// The words of a timer's struct.
const (
	timerChan = iota
	timerFunc
	timerLoc
	timerBubble
)
