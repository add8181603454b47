package exec

import (
	"io/fs"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/region"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/sched"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// An Interpreter carries out the code of goroutines. It is not safe for concurrent use.
//
// Execute executes one goroutine: it returns when the goroutine parks, ends, or the run is
// over. At a visible instruction of a goroutine that has not been granted its step, the
// goroutine is parked, and Execute returns with the program counter at the instruction;
// once it is granted, the instruction is carried out.
type Interpreter struct {
	sched.Scheduler
	// Files are what the program finds below its /src, nothing when nil, and Dir is the
	// path of its working directory there; empty for their root. It may change them, but for
	// its run only. What is read is kept: it has to stay as it is.
	Files fs.FS
	Dir   string
	Args  []string // of the program, as os.Args has them behind its name

	regions    *region.Finder
	primitives map[string]*state.Primitive
	runs       []func(c *Call) // what the primitives do, by number
	Natives    map[string]int  // numbers by name
	nativeRuns []Native

	// Tables of what has been linked. They only grow, and are the same whatever
	// is run: no run state is in them.
	funcOf     map[*ssa.Function]*state.Function
	thunkOf    map[*ssa.Function]*state.Function
	Globals    map[*ssa.Global]*heap.Object
	globalIDs  map[*ssa.Global]int32
	methods    map[methodKey]*state.Function
	types      []*heap.Object       // type objects by code.Type.ID
	texts      map[string]heap.Word // constant strings
	HostTexts  map[string]string    // what has been read of Files, by path
	constants  int32                // objects made for constants: the last Count with goroutine ConstantObjects
	nilCall    *state.Function      // what calls of nil functions run, once there was one
	RuntimePkg *ssa.Package

	// The objects with pointers that have become numbers, by the address of their start.
	// A number that a run sees comes from a pointer that the run has had, so that what
	// is left of others after a rewind does not matter.
	Exposed map[uint64]*heap.Object

	thrown  [2]heap.Word // PanicFault: the value
	primctx Call         // of the primitive being run; one at a time
	asked   Call         // of the primitive that is asked for its transitions
}

// cover marks a branch of the program as taken.
func (m *Interpreter) cover(branch int32) {
	t := m.Trace
	for int(branch)>>6 >= len(t.Covered) {
		t.Covered = append(t.Covered, 0)
	}
	t.Covered[branch>>6] |= 1 << (branch & 63)
}

// initInterpreter makes m ready to execute prog.
func (m *Interpreter) Init(prog *code.Program, arena *expr.Arena, names *run.Names, settings run.Settings) {
	m.funcOf = make(map[*ssa.Function]*state.Function)
	m.thunkOf = make(map[*ssa.Function]*state.Function)
	m.Globals = make(map[*ssa.Global]*heap.Object)
	m.methods = make(map[methodKey]*state.Function)
	m.texts = make(map[string]heap.Word)
	m.HostTexts = make(map[string]string)
	m.Exposed = make(map[uint64]*heap.Object)
	m.regions = region.NewFinder(prog)
	m.primitives = make(map[string]*state.Primitive)
	m.Natives, m.nativeRuns = make(map[string]int), []Native{nil}
	m.Scheduler.Init(m, prog, arena, names, settings)
	m.numberGlobals()
	m.RuntimePkg = prog.SSA.ImportedPackage("runtime")
}
