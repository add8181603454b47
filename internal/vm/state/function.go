package state

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/region"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/variant"
)

// A Function is a linked code.Func. Its constants are converted to words, and its callees
// are resolved when they are first called.
type Function struct {
	*code.Func
	// Fused, Regs and Direct are what the dispatch loop needs for every call.
	Fused  []code.Instr // the code, with frequent pairs of instructions fused
	Regs   int
	Direct bool // a call may not need a frame, since the function is intrinsic or has a native implementation

	// Excess, if it is not "", says which package variable the function refers to that alone
	// exceeds the limit on memory. The function has so many registers then that a call of it
	// always comes to State.Push, which ends the run.
	Excess string

	ID             int32
	ConstWords     []heap.Word // the words of all constants, one after another
	ConstAt        []int32
	Linked         []*Function
	LinkedBuiltins []*Function
	Caches         []MethodCache     // by index in Methods
	Value          *heap.Object      // the function as a value, without bindings; nil until it is needed
	Prim           *Primitive        // for an intrinsic function, its primitive, if it has one
	Native         int               // the number of the native implementation, 0 if there is none
	Variants       []variant.Variant // the code that frames with symbolic registers run
	needed         *code.Needed      // computed on first use
	Regions        *RegionCode       // computed on first use
	SetOnce        []bool            // by captured variable, see package symmetry; computed on first use
}

// A MethodCache remembers the result of the last call of a method through an interface.
type MethodCache struct {
	Type *heap.Object
	Func *Function
}

// RegionCode is the code of a function for frames that are in a region. It is the code
// for concrete frames, with the instructions marked at which regions end.
type RegionCode struct {
	*region.Set
	Code []code.Instr
}

// pcInstrBits is the number of bits of a program counter that hold the instruction, twice: a
// program that looks for the line of a call subtracts 1 from its return address.
const pcInstrBits = 24

// PCOf returns the program counter of an instruction, as package runtime reports it.
func PCOf(fn *Function, instr int32) uint64 {
	return uint64(fn.ID+1)<<pcInstrBits | uint64(instr)<<1
}

// AtPC returns the function and the instruction of a program counter. The function is nil
// if pc is not a valid program counter.
func (m *State) AtPC(pc uint64) (fn *Function, instr int32) {
	i := pc >> pcInstrBits
	if i == 0 || i > uint64(len(m.Funcs)) {
		return nil, 0
	}
	fn, instr = m.Funcs[i-1], int32((pc&(1<<pcInstrBits-1)+1)>>1)
	if int(instr) > len(fn.Pos) { // a return address may be just after the last instruction
		return nil, 0
	}
	return fn, instr
}

// DependsOn says what the transitions of a parked goroutine depend on.
type DependsOn uint8

const (
	OnAll      DependsOn = iota // the whole state of the run
	OnCell                      // the cell that the first argument points to, and its shadow
	OnChannel                   // the state of a channel (see ChanContent)
	OnPartners                  // the state of channels, and the goroutines that wait there
	OnNothing                   // nothing: they change only by sched.Scheduler.Reconsider
)

// NeededBefore returns the registers whose values are needed at an instruction or after
// it, as a bit set.
func (fn *Function) NeededBefore(pc int32) []uint64 {
	if fn.needed == nil {
		fn.needed = fn.Needed()
	}
	return fn.needed.Before(int(pc))
}

// A Primitive is what the scheduler knows of the implementation of a function without a
// Go body.
type Primitive struct {
	Name   string // of the function, as in code.Func.Name
	Number int    // in the machine's table of implementations
	// Transitions is not nil if the primitive is a visible operation. It appends to the
	// slice the transitions of a goroutine that is parked at the operation: one for each
	// way to carry it out in the current state or, if there is none, one with Enabled
	// unset.
	Transitions func(g *Goroutine, to []run.Transition) []run.Transition
	// DependsOn says what the transitions depend on, besides the arguments and the
	// goroutine's phase. They are not computed again while that has not changed.
	DependsOn DependsOn
	// MayOnlyRead says that the operation may turn out to change nothing.
	MayOnlyRead bool
	// Sleeps says that a goroutine whose phase is not 0 sleeps until Goroutine.When.
	Sleeps bool
	// Shadows says that the implementation handles symbolic values. For other primitives
	// the arguments are made concrete.
	Shadows bool
}

// GroupWaitName is the name of the primitive in which a goroutine waits for a wait group. It
// makes a difference whether it has had to wait (Goroutine.Blocked).
const GroupWaitName = "sync.wgWait"

// Traps show a run to somebody while it goes on. They are set before a machine boots, and do not change after.
// Functions without traps run as fast as without any.
type Traps struct {
	// At returns the instructions of a function at which there is a trap; nil if there are no traps at all.
	At func(f *code.Func) []int32
	// Sprung is called before an instruction with a trap is carried out, each time that a goroutine comes to it: if it
	// waits there, once more when its step has been granted. Sprung may look at everything, and must change
	// nothing. If it returns false, the run stops there.
	Sprung func(g *Goroutine, f *Frame) bool

	instr code.Instr // the last one with a trap
}

// SetTraps sets the traps of f, whose code has just been set.
func (m *State) SetTraps(f *Function) {
	if m.Traps.At != nil && f.Native == 0 {
		variant.Trap(f.Fused, f.Code, m.Traps.At(f.Func))
	}
}

// Sprung is called when g comes to in, an instruction of f with a trap. It returns the instruction to carry
// out, nil if the run stops.
func (m *State) Sprung(g *Goroutine, f *Frame, in *code.Instr) *code.Instr {
	if !m.Traps.Sprung(g, f) {
		m.Stop(run.Stopped, "")
		return nil
	}
	t := &m.Traps.instr
	*t = *in
	t.Op -= variant.Trapped
	return t
}
