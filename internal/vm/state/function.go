package state

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/region"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/variant"
)

// A Function is a linked code.Func: its constants as words, its callees
// resolved on first call.
type Function struct {
	*code.Func
	// What the dispatch loop needs of Func for every call.
	Fused  []code.Instr // Code, with pairs fused
	Regs   int
	Direct bool // a call may need no frame: the function is intrinsic, or has a native

	ID             int32
	ConstWords     []heap.Word // the words of all constants, one after another
	ConstAt        []int32
	Linked         []*Function
	LinkedBuiltins []*Function
	Caches         []MethodCache     // by index of Methods
	Value          *heap.Object      // the func value without bindings, once there is one
	Prim           *Primitive        // of intrinsic functions that have one
	Native         int               // of others that have one: its number, else 0
	Variants       []variant.Variant // what frames with symbolic registers run
	needed         *code.Needed      // made on first use
	Regions        *RegionCode       // so too; see merge.go
}

// A MethodCache remembers what a call through an interface led to last.
type MethodCache struct {
	Type *heap.Object
	Func *Function
}

// RegionCode is the code of a function for frames that are in a region: the concrete
// one, with the instructions marked at which regions end.
type RegionCode struct {
	*region.Set
	Code []code.Instr
}

const pcInstrBits = 24

// pcOf returns the program counter of an instruction.
func PCOf(fn *Function, instr int32) uint64 {
	return uint64(fn.ID+1)<<pcInstrBits | uint64(instr)
}

// AtPC returns the function and the instruction of a program counter, nil when
// it is none.
func (m *State) AtPC(pc uint64) (fn *Function, instr int32) {
	i := pc >> pcInstrBits
	if i == 0 || i > uint64(len(m.Funcs)) {
		return nil, 0
	}
	fn, instr = m.Funcs[i-1], int32(pc&(1<<pcInstrBits-1))
	if int(instr) > len(fn.Pos) { // a return address may be behind the last instruction
		return nil, 0
	}
	return fn, instr
}

// looksAt says what decides about the options of a parked goroutine.
type DependsOn uint8

const (
	OnAll      DependsOn = iota // any state of the run
	OnCell                      // the cell that the first argument points to, and its shadow
	OnChannel                   // the state of a channel, see ChanContent
	OnPartners                  // the state of channels, and who else waits there
	OnNothing                   // they stay as they are, unless Machine.reconsider is called
)

// NeededBefore returns the registers that are needed before an instruction.
func (fn *Function) NeededBefore(pc int32) []uint64 {
	if fn.needed == nil {
		fn.needed = fn.Needed()
	}
	return fn.needed.Before(int(pc))
}

// A Primitive is what scheduling knows of the implementation of a function without a Go
// body.
type Primitive struct {
	Name   string // of the function, as code.Func.Name has it
	Number int    // in the machine's table of implementations
	// Transitions makes the primitive a visible operation. It appends to to every
	// way in which a goroutine that is parked there can carry the operation out in the
	// present state, and one with Enabled unset when it cannot be.
	Transitions func(g *Goroutine, to []run.Transition) []run.Transition
	// LooksAt says what the transitions depend on beside the arguments and the
	// goroutine's phase. They are not asked for again while that has not changed.
	DependsOn DependsOn
	// MayOnlyRead says that the operation may turn out to change nothing.
	MayOnlyRead bool
	// Shadows says that the implementation minds symbolic values. For others they are
	// made concrete.
	Shadows bool
}
