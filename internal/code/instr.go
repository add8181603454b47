package code

import "math"

// An Instr is one instruction. A, B, C and D are registers of the frame unless
// the comment of the opcode says otherwise; K is a [Kind] or a number of words.
//
// The registers of a frame are numbered from 0: first the parameters, word by
// word, then everything else. A value of several words occupies consecutive
// registers and is named by the first.
//
// A call passes arguments in a window: the caller writes them to its registers
// A, A+1, and so on; register 0 of the callee is register A of the caller. The
// results are left in the same place, so after the call the caller finds them
// from A on. Windows lie above every register that is live across the call.
//
// Indexes and lengths are words of 64 bits, converted from narrower kinds where
// the program has those. Read as unsigned numbers, negative ones are too large.
//
// Registers other than the parameters are undefined when a function is entered;
// every register is written before it is read. The result of an instruction
// whose operands and result are all single words (arithmetic, comparison, Conv,
// Load, Mov) may be one of its operands, so the operands (and their shadows) are
// read before the result is written. In all other instructions the registers of
// the result overlap none of the operands', except for MovN, which moves as if
// through a buffer.
type Instr struct {
	Op         Op
	K          uint16
	A, B, C, D int32
}

// OfMake is set in K of a SliceP instruction that implements a make of constant
// capacity: it panics as make does.
const OfMake = 1 << 3

// MaxLength is the length that instructions give to longer arrays.
const MaxLength = math.MaxInt32

// When the order of a loop over a map can be noticed, in K of MapIter.
const (
	OrderMatters = iota // always, as far as is known
	OrderShared         // as OrderNever, but others may use memory that the loop reads, or wait at channels that it closes
	OrderResult         // only by the order of the elements of the function's result: see Func.Sorted
	OrderNever          // unless an iteration panics, and that is recovered: see Func.Commuting
	// OrderCalled is always, unless calls of the function in register C commute that are made with the entries, see
	// [Program.CallsCommute]. How many arguments there are up to the key, 0 if the key is none, is added.
	OrderCalled
)

// Modes of the call instructions, in K.
const (
	ModeCall  = iota
	ModeGo    // start a goroutine; the window is copied
	ModeDefer // push on the frame's deferred calls; the window is copied
	// ModeDeferTo is ModeDefer on the list of another frame of the same
	// goroutine: the one that DeferStack has put into register A-1.
	ModeDeferTo
)

// isCall reports whether op is a call, in whatever mode.
func (op Op) isCall() bool { return op == Call || op == CallOwn || op == CallFn || op == CallIface }

// isJump reports whether op is a jump, conditional or not.
func (op Op) isJump() bool { return Jmp <= op && op <= JmpNotNil }

// endsFlow reports whether execution never continues with the next instruction.
func (op Op) endsFlow() bool { return op == Jmp || op == Return || op == Panic || op == Unsupported }

// hasKind reports whether the K of an instruction is a Kind.
func (op Op) hasKind() bool {
	switch op {
	case Load, Store, LoadS, StoreS, LoadA, StoreA, Conv, ConvC, MkComplex, IntStr, MinMax:
		return true
	}
	return Add <= op && op <= LeF && op != EqC || JmpIf <= op && op <= JmpNotNil
}

// Flow returns where execution can continue after in, unless it panics: whether
// with the next instruction, and the target of the jump, -1 when there is none.
func (in *Instr) Flow() (next bool, target int) {
	target = -1
	if in.Op.isJump() {
		target = int(in.D)
	}
	return !in.Op.endsFlow(), target
}
