package vm

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"io"
	"io/fs"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/region"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// A Machine runs one program. It is not safe for concurrent use: each worker
// has its own.
//
// How its parts work together. schedule (step.go) is the loop of a run: it has
// every goroutine that is running executed until it is parked or has ended,
// then grants one of the enabled operations, and so on. exec (loop.go) executes
// one goroutine: it returns when the goroutine parks, ends, or m.over is set.
// At a visible instruction without g.granted, exec calls park (step.go), which
// sets the status, and returns with the program counter at the instruction; with it, it clears g.granted and carries the instruction out.
type Machine struct {
	run.Settings
	Arena *expr.Arena // of symbolic shadows
	Names *run.Names  // goroutine names, the same in every run
	Funcs []*function // by SiteID.Func, in order of linking
	// Output takes what the program prints, by print and println and to its
	// standard output and error. It is discarded when nil.
	Output io.Writer
	// Files are what the program finds below its /src, nothing when nil, and Dir is the
	// path of its working directory there; empty for their root. It may change them, but for
	// its run only. What is read is kept: it has to stay as it is.
	Files fs.FS
	Dir   string
	Args  []string // of the program, as os.Args has them behind its name
	// FromStart lets all runs begin at the start of the entry function, even those
	// that begin as the one before did. It makes no difference but to the time they take.
	FromStart bool

	prog       *code.Program
	regions    *region.Finder
	primitives map[string]*primitive
	natives    map[string]native

	// Tables of what has been linked. They only grow, and are the same whatever
	// is run: no run state is in them.
	funcOf     map[*ssa.Function]*function
	thunkOf    map[*ssa.Function]*function
	reserved   map[string]int32 // numbers given to functions before they were linked, by name
	globals    map[*ssa.Global]*heap.Object
	zeroSized  *heap.Object // all global variables, and those on the heap, that have no size: gc has them at one address
	globalIDs  map[*ssa.Global]int32
	methods    map[methodKey]*function
	types      []*heap.Object       // type objects by code.Type.ID
	texts      map[string]heap.Word // constant strings
	hostTexts  map[string]string    // what has been read of Files, by path
	constants  int32                // objects made for constants: the last Count with goroutine constantObjects
	nilCall    *function            // what calls of nil functions run, once there was one
	runtimePkg *ssa.Package

	// The objects with pointers that have become numbers, by the address of their start.
	// A number that a run sees comes from a pointer that the run has had, so that what
	// is left of others after a rewind does not matter.
	exposed map[uint64]*heap.Object

	// State of the run. The undo log restores state; the rest is set at the
	// start of a run.
	state
	checkpoints checkpoints
	heap        heap.Heap
	booted      bool
	mark        expr.Mark // of Arena at the end of Boot: each run starts from there
	ctx         context.Context
	ctxErr      error
	plan        *run.Plan
	sched       run.Scheduler
	trace       *run.Trace
	fault       fault
	thrown      [2]heap.Word // panicFault: the value
	over        bool         // the run has ended: Trace.Outcome says how
	fuel        int64        // instructions until the next look at limits and context
	primctx     call         // of the primitive being run; one at a time
	said        []byte       // by the run, or the beginning of it, when Output is set
	concurrency              // see goroutine.go
	resumption               // see resume.go
}

// state is what the undo log saves and restores as a whole, beside objects and
// goroutines.
type state struct {
	gs   []*goroutine // in order of creation; ended ones stay
	used int64        // cells allocated
	stepState
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

// New returns a machine for prog. Machines that are to agree on the numbers of
// goroutines share names.
func New(prog *code.Program, arena *expr.Arena, names *run.Names, settings run.Settings) *Machine {
	m := &Machine{
		Arena:      arena,
		Names:      names,
		prog:       prog,
		regions:    region.NewFinder(prog),
		Settings:   settings,
		primitives: primitives(),
		natives:    natives(),
		funcOf:     make(map[*ssa.Function]*function),
		thunkOf:    make(map[*ssa.Function]*function),
		globals:    make(map[*ssa.Global]*heap.Object),
		methods:    make(map[methodKey]*function),
		texts:      make(map[string]heap.Word),
		hostTexts:  make(map[string]string),
		exposed:    make(map[uint64]*heap.Object),
		trace:      &run.Trace{},
		resumption: resumption{stopover: -1},
	}
	m.races.Found = m.noteRace
	m.heap.Watched = m.stir
	m.zeroSized = &heap.Object{ID: run.ObjectID{Goroutine: run.GlobalObjects, Count: -1}, Type: prog.Type(types.NewStruct(nil, nil))}
	m.numberGlobals()
	m.runtimePkg = prog.SSA.ImportedPackage("runtime")
	return m
}

// An Entry says where a target starts.
type Entry struct {
	// Inits are the packages whose initialisers run first, in order; each runs
	// those of its imports.
	Inits []*ssa.Package
	Func  *ssa.Function
	// Args are the arguments of Func: strings and functions.
	Args []any
}

// ErrBoot is wrapped by the errors of Boot that are faults of the program: its
// initialisers did not run to their end.
var ErrBoot = errors.New("initialisation failed")

// Boot runs the package initialisers and leaves the machine at the start of the
// entry function, where every Run begins. The trace is that of the
// initialisation; it holds how that ended when the error is ErrBoot.
func (m *Machine) Boot(ctx context.Context, entry Entry) (*run.Trace, error) {
	if m.booted {
		return nil, errors.New("vm: the machine has been booted already")
	}
	if entry.Func == nil {
		return nil, errors.New("vm: no function to start at")
	}
	m.booted = true
	m.begin(ctx, &run.Plan{}, run.NonPreemptive{})
	g := m.newGoroutine(nil)
	inits := entry.Inits
	if m.runtimePkg != nil {
		inits = append([]*ssa.Package{m.runtimePkg}, inits...) // every program has it, imported or not
	}
	for _, pkg := range inits {
		init := pkg.Func("init")
		if init == nil {
			continue
		}
		fn := m.link(init)
		m.pushEntry(g, fn, nil, nil)
		m.schedule()
		if m.ctxErr != nil {
			return nil, m.ctxErr
		}
		if m.over {
			err := fmt.Errorf("package %s: %w", pkg.Pkg.Path(), ErrBoot)
			if m.trace.Message != "" {
				err = fmt.Errorf("%w: %s", err, m.trace.Message)
			}
			return m.trace, err
		}
		g.status = running
	}
	trace := m.trace.Clone()
	if err := m.start(g, entry); err != nil {
		return nil, err
	}
	return trace, nil
}

// Retarget makes the machine's runs begin at another entry function. The
// initialisers stay those that Boot has run: entry.Inits is not looked at.
func (m *Machine) Retarget(entry Entry) error {
	if len(m.checkpoints.levels) == 0 {
		return errors.New("vm: Retarget before Boot has succeeded")
	}
	m.rewind(0)
	m.Arena.Release(m.mark)
	m.checkpoints.levels = m.checkpoints.levels[:0]
	m.heap.Forget()
	m.resumption = resumption{stopover: -1}
	return m.start(m.gs[0], entry)
}

// start leaves goroutine g at the start of the entry function.
func (m *Machine) start(g *goroutine, entry Entry) error {
	args, err := m.entryArgs(entry.Args)
	if err != nil {
		return err
	}
	fn := m.link(entry.Func)
	if fn.Params != len(args) {
		return fmt.Errorf("vm: %s takes %d words, the entry gives %d", fn.Name, fn.Params, len(args))
	}
	m.pushEntry(g, fn, nil, args)
	g.events = 0
	m.checkpoint()
	m.mark = m.Arena.Mark()
	return nil
}

// entryArgs turns the arguments of an entry function into words.
func (m *Machine) entryArgs(args []any) ([]heap.Word, error) {
	var words []heap.Word
	for _, a := range args {
		switch a := a.(type) {
		case string:
			words = append(words, m.constString(a), heap.Word{N: uint64(len(a))})
		case *ssa.Function:
			words = append(words, heap.Word{P: m.funcValue(m.link(a))})
		default:
			return nil, fmt.Errorf("vm: an entry argument of type %T", a)
		}
	}
	return words, nil
}

// Run carries out a plan from the start of the entry function, with sched
// deciding where the plan is silent. The trace, but for how the run ended and its seeds, is
// valid until the next Run, which uses its memory again and cuts the arena back to
// what Boot has left there. An error is a fault of the machine's user or the context's; whatever the program
// does is in the trace.
func (m *Machine) Run(ctx context.Context, plan *run.Plan, sched run.Scheduler) (*run.Trace, error) {
	if len(m.checkpoints.levels) == 0 {
		return nil, errors.New("vm: Run before Boot has succeeded")
	}
	if !m.resume(ctx, plan, sched) {
		m.rewind(0)
		m.Arena.Release(m.mark)
		m.begin(ctx, plan, sched)
	}
	m.schedule()
	if m.ctxErr != nil {
		return nil, m.ctxErr
	}
	m.finish()
	return m.trace, nil
}

// begin sets what a run starts with, beside the state that the undo log restores.
func (m *Machine) begin(ctx context.Context, plan *run.Plan, sched run.Scheduler) {
	m.ctx, m.ctxErr = ctx, nil
	m.plan, m.sched = plan, sched
	m.trace.Reset()
	m.fault, m.over = noFault, false
	m.fuel = fuelChunk
	m.round.small = 0
	m.said = m.said[:0]
	m.used = 0
	m.beginSchedule()
}

// finish completes the trace of a run that is over.
func (m *Machine) finish() {
	m.trace.Instructions += uint64(fuelChunk - m.fuel)
	m.fuel = fuelChunk
	m.finishSchedule()
}

// fuelChunk is after how many instructions exec looks at limits and context.
const fuelChunk = 1 << 14

// bootRuns is how many times the instructions of a run the initialisers of packages may
// take: they run once, and tests have them make their tables.
const bootRuns = 10

// refuel is called when the fuel is spent. It returns false when the run is
// to end: the limit of instructions was reached or the context is done.
func (m *Machine) refuel(g *goroutine) bool {
	m.trace.Instructions += uint64(fuelChunk - m.fuel)
	m.fuel = fuelChunk
	m.round.chunks++
	if m.interrupted() {
		return false
	}
	limit := m.Limits.Instructions
	if len(m.checkpoints.levels) == 0 {
		limit *= bootRuns
	}
	if limit > 0 && m.trace.Instructions > limit {
		return m.bounded(g, fmt.Sprintf("more than %d instructions", limit))
	}
	return true
}

// interrupted ends the run when the context is done. It reports whether it is.
func (m *Machine) interrupted() bool {
	err := m.ctx.Err()
	if err != nil {
		m.ctxErr = fmt.Errorf("running the program: %w", err)
		m.stop(run.Stopped, err.Error())
	}
	return err != nil
}

// cover marks a branch of the program as taken.
func (m *Machine) cover(branch int32) {
	t := m.trace
	for int(branch)>>6 >= len(t.Covered) {
		t.Covered = append(t.Covered, 0)
	}
	t.Covered[branch>>6] |= 1 << (branch & 63)
}
