package sched

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A Scheduler makes runs: it has goroutines executed up to their next visible operations,
// and asks the plan, or the strategy's scheduler, which of them is next.
type Scheduler struct {
	state.State
	// FromStart lets all runs begin at the start of the entry function, even those
	// that begin as the one before did. It makes no difference but to the time they take.
	FromStart bool

	exec       Executor
	policy     run.Scheduler
	watcher    run.Watcher         // policy, when it is one
	continuing run.Continuing      // likewise
	point      run.SchedulingPoint // what the scheduler is shown
	levels     []level             // checkpoints that the machine can go back to

	Soonest int64 // when something is due next, see timer.go
	fired   int32 // events of timers so far
	Pending PendingOperations
	cycle   cycle
	Resumption
}

// An Executor carries out the code of goroutines.
type Executor interface {
	// Execute executes a goroutine until it parks or ends, or the run is over.
	Execute(g *state.Goroutine)
	// Crash lets a goroutine take the step of ending the program with its panic.
	Crash(g *state.Goroutine)
}

// Init makes s ready to run the goroutines of prog, whose code exec carries out.
func (s *Scheduler) Init(exec Executor, prog *code.Program, arena *expr.Arena, names *run.Names, settings run.Settings) {
	s.State.Init(prog, arena, names, settings)
	s.exec = exec
	s.Parked = s.addPending
	s.Heap.Watched = s.objectChanges
	s.Resumption = Resumption{nextCheckpoint: -1}
}
