package sched

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/collect"
	"github.com/everyway-go/everyway/internal/vm/fingerprint"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/reach"
	"github.com/everyway-go/everyway/internal/vm/recursion"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symmetry"
)

// A Scheduler carries out runs. It lets goroutines execute up to their next visible
// operations, and takes from the plan, or from the strategy's scheduler, the decision
// which of them is next.
type Scheduler struct {
	state.State
	// FromStart makes every run begin at the start of the entry function, even if it
	// could resume at a checkpoint of the previous run. The runs are the same, but take
	// longer.
	FromStart bool
	// Checkpointed, if it is not nil, is called when a checkpoint has been made at which a later run may
	// resume, with the number of steps before it. A run that has resumed says so in Began.
	Checkpointed func(steps int)

	exec        Executor
	policy      run.Scheduler
	watcher     run.Watcher         // policy as a Watcher, nil if it is none
	continuing  run.Continuing      // policy as a Continuing scheduler, nil if it is none
	point       run.SchedulingPoint // the argument of policy.Choose
	checkpoints []checkpoint        // from oldest to newest; see resume.go

	// lateSteps is empty. Its memory is that of LateSteps for the next run that begins at the
	// first checkpoint, when no other checkpoint uses it.
	lateSteps []state.LateStep

	Pending PendingOperations
	cycle   cycle

	recursion recursion.Detector
	prints    fingerprint.Printer
	lesson    []run.Transition // of lessonOf
	// fingerprint is SchedulingPoint.Fingerprint: fingerprintOf, as a value that is made once.
	fingerprint func() (run.Fingerprint, *run.Naming, bool)
	known       func(func(run.Allocation, run.AccessKind) run.Interest) *run.Knowledge // SchedulingPoint.Known, likewise
	words       func() []run.PlainWord                                                 // SchedulingPoint.Words, likewise
	turned      func(first int32) (objects []run.ObjectID, ok bool)                    // SchedulingPoint.Turned, likewise
	// choosing is the goroutine that is about to choose an entry of a map, nil at scheduling points.
	choosing *state.Goroutine
	// askedLive says that some run has asked which goroutines are live, and initial that
	// the objects are marked that make the answer fast.
	askedLive, initial bool
	code               *reach.Code // what code refers to
	Resumption
}

// An Executor executes the code of goroutines.
type Executor interface {
	reach.Linker
	// Execute executes a goroutine until it parks or ends, or the run is over.
	Execute(g *state.Goroutine)
	// Crash carries out the step in which a goroutine ends the program with its panic.
	Crash(g *state.Goroutine)
}

// Init makes s ready to run the goroutines of prog, whose code exec executes.
func (s *Scheduler) Init(exec Executor, prog *code.Program, arena *expr.Arena, names *run.Names, settings run.Settings) {
	s.State.Init(prog, arena, names, settings)
	s.exec = exec
	s.code = reach.NewCode(prog, exec)
	s.Parked = s.addPending
	s.Reconsider = s.reconsider
	s.Spawned = func(g, child *state.Goroutine, fn *state.Function, closure *heap.Object) {
		symmetry.Note(&s.State, g, child, fn, closure)
	}
	s.Collects = func() bool { return collect.WouldChange(&s.State) }
	s.Reachable = func() int64 { return reach.Memory(&s.State) }
	s.CalledDeep = func(g *state.Goroutine, fn *state.Function, closure *heap.Object, base int32, passed bool) ([]expr.ID, bool) {
		return s.recursion.Call(&s.State, g, fn, closure, base, passed, func() bool {
			return s.Pending.numEnabled == 0 && !s.awaitsTime()
		})
	}
	s.Heap.Watched = s.noteChange
	s.fingerprint, s.words, s.turned = s.fingerprintOf, s.prints.Words, s.prints.Turned
	s.known = func(wants func(run.Allocation, run.AccessKind) run.Interest) *run.Knowledge {
		return s.prints.Known(wants, s.lessonOf)
	}
	s.Resumption = noCheckpoints()
}

// fingerprintOf returns the fingerprint of the state at a scheduling point, or where an entry of a map is
// chosen, false if it has none. The state is compared with that of the first checkpoint.
func (s *Scheduler) fingerprintOf() (run.Fingerprint, *run.Naming, bool) {
	if len(s.checkpoints) == 0 || s.recursion.Active() {
		return run.Fingerprint{}, nil, false
	}
	return s.prints.Of(&s.State, s.checkpoints[0].Heap(), s.choosing)
}
