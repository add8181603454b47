package vm

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
)

// A Machine runs one program. It is not safe for concurrent use: each worker
// has its own.
type Machine struct {
	Arena *expr.Arena // of symbolic shadows
	Names *Names      // goroutine names, the same in every run
	Funcs []*function // by SiteID.Func, in order of linking

	prog    *code.Program
	funcOf  map[*ssa.Function]*function
	globals map[*ssa.Global]*Object
	limits  Limits

	// State of the run. All of it is plain data that the undo log restores.
	gs    []*goroutine // in order of creation; ended ones stay
	plan  *Plan
	sched Scheduler
	trace *Trace
	now   int64 // virtual time, ns since the epoch
	stamp uint32
	undo  undoLog
	used  int64 // cells allocated since Boot
}

// Limits bound a run. A run that hits one ends with outcome Bounded.
type Limits struct {
	Instructions uint64 // in one run
	Cells        int64  // of memory
	Depth        int    // frames of one goroutine
	Goroutines   int    // alive at once
	Decisions    int    // of one run
}

// A goroutine is one thread of execution: a stack of registers, the frames on
// it, and the operation it is about to do.
type goroutine struct {
	id     int32 // index in Names: the spawn chain
	stack  []Word
	sym    []expr.ID // shadow of stack; nil while no frame holds anything symbolic
	frames []frame
	status status
	// granted is set when the scheduler chose this goroutine's pending operation:
	// the interpreter is at that instruction and now carries it out.
	granted bool
	pending Option // what a parked goroutine is about to do

	allocs, events, spawns int32 // counters that name objects, events and children
	panics                 []*panicking
}

// A status says what a goroutine is doing.
type status uint8

const (
	running status = iota // has invisible code to run before its next visible operation
	parked                // at a visible operation, pending is set
	ended
)

// A frame is one activation of a function. Its registers are stack[base:base+fn.Regs].
type frame struct {
	fn       *function
	closure  *Object // its bindings
	pc       int32
	base     int32
	symbolic bool  // some register has a symbolic value: sym[base:] is in use
	mode     uint8 // what becomes of it on return: plain call, deferred call, goroutine entry
	defers   []deferred
}

// A function is a linked code.Func: its constants as words, its callees
// resolved on first call.
type function struct {
	*code.Func
	id      int32
	consts  []Word // the words of all constants, one after another
	constAt []int32
	callees []*function
	value   *Object // the func value without bindings
	prim    *primitive
}
