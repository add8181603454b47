package code

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Func is one compiled function.
type Func struct {
	Name    string // as runtime.FuncForPC names it: pkgpath.F, pkgpath.(*T).M, pkgpath.F.func1
	SSA     *ssa.Function
	Params  int // words of the parameters, receiver first
	Results int // words of the results
	Regs    int // registers of a frame, the largest call window included
	Code    []Instr
	Pos     []token.Pos // of each instruction; every instruction that can fail or be seen has one
	// Body is the function whose SSA the code was compiled from, nil if there is no code or
	// it was not compiled from SSA. See Source.
	Body    *ssa.Function
	sources []int32 // see Source; -1 for none
	// Unsigned has the instructions whose index, or a bound of a slice expression, is
	// of an unsigned kind of 64 bits: bit 0 for an index, bits 0 to 2 for the bounds.
	Unsigned map[int32]uint8
	// Repeats has, for each instruction of a copy of the head of a loop, the
	// instruction that it is a copy of.
	Repeats map[int]int

	Consts   []ConstValue
	Types    []*Type
	Callees  []*ssa.Function
	Builtins []*Func // calls of builtin functions in go and defer statements, as functions
	Methods  []Method
	Selects  []Select
	Messages []string

	// Sorted has the calls whose result is a slice that is sorted before anything looks at the
	// order of its elements.
	Sorted map[int32]bool
	// ResultUses has the calls of which not more is done with the result, an integer, than to return it.
	ResultUses map[int32]Use
	// Commuting are the loops over maps without OrderMatters.
	Commuting []MapLoop

	// Variables says where the variables of the source are; nil if Program.References is.
	Variables *Variables

	// Inverted are the conditional jumps that were compiled from an ssa.If and are taken if its
	// condition does not hold, in order. Copies of jumps (Repeats) are not among them.
	Inverted []int32

	// Middle is what the function prepares, nil for all others.
	Middle *Middle

	// Recover is the instruction at which a frame that recovered resumes (it
	// returns the named results), or -1 when the function defers nothing.
	Recover int
	// Intrinsic is set on functions without a Go body: the machine has a primitive
	// of this Name, or stops when the function is called.
	Intrinsic bool
	// Wrapper is set on functions that only pass a call on: method values and
	// expressions, promoted methods, methods called through an interface, and the
	// function that stands for recover itself in a defer statement. Such a frame does
	// not count when recover checks that a deferred function has called it.
	Wrapper bool
	// Unboxes is set on a wrapper that calls the method of its name with a receiver that is in an interface.
	Unboxes bool
	// Standard is set on functions of GOROOT and of the models.
	Standard bool
	// Own is set on functions of the main module, if Program.Own says which these are.
	Own bool
}

// Origin returns the instruction of which instruction i is a copy, where the head of a
// loop is repeated at its end, and otherwise i.
func (f *Func) Origin(i int) int {
	if at, ok := f.Repeats[i]; ok {
		return at
	}
	return i
}

// Source returns the instruction of SSA from which instruction i was compiled: one of
// Body, whose instructions are counted from 0, block by block. It is -1 if there is none, as for what loads constants.
func (f *Func) Source(i int) int {
	if i < 0 || i >= len(f.sources) {
		return -1
	}
	return int(f.sources[i])
}

// Instr returns the instruction of SSA from which instruction i was compiled, nil if there is none.
func (f *Func) Instr(i int) ssa.Instruction {
	n := f.Source(i)
	if n < 0 {
		return nil
	}
	for _, b := range f.Body.Blocks {
		if n < len(b.Instrs) {
			return b.Instrs[n]
		}
		n -= len(b.Instrs)
	}
	return nil
}

// Compiled returns the instructions that were compiled from an instruction of Body, in order. There
// are none if another one does its work.
func (f *Func) Compiled(instr ssa.Instruction) (list []int) {
	if f.Body == nil || instr.Parent() != f.Body {
		return nil
	}
	n := slices.Index(instr.Block().Instrs, instr)
	for _, b := range f.Body.Blocks[:instr.Block().Index] {
		n += len(b.Instrs)
	}
	for i, s := range f.sources {
		if int(s) == n {
			list = append(list, i)
		}
	}
	return list
}

// SetSources sets Body, and what Source returns, by instruction.
func (f *Func) SetSources(body *ssa.Function, sources []int32) { f.Body, f.sources = body, sources }

// A Use says what is done with a value.
type Use uint8

// The Uses.
const (
	Unused   Use = iota + 1 // nothing
	Returned                // it is what the function returns, as it is or converted to another integer type, and nothing else
	Used                    // something else
)

// A MapLoop is a loop over a map: the code from an instruction up to, but not including, another one, and the
// register of the iterator.
type MapLoop struct{ From, To, Iter int32 }

// Contains reports whether instruction pc is in the loop.
func (l MapLoop) Contains(pc int32) bool { return l.From <= pc && pc < l.To }

// A ConstValue is a constant that an instruction cannot hold itself.
// The machine turns it into words when it links the function.
type ConstValue struct {
	Kind   ConstKind
	Bits   []uint64      // ConstWords: the words
	Text   string        // ConstString
	Func   *ssa.Function // ConstFunc: a func value without bindings
	Global *ssa.Global   // ConstGlobal: a pointer to the variable
}

// A ConstKind says what a ConstValue holds.
type ConstKind uint8

// The kinds of constants.
const (
	ConstWords ConstKind = iota
	ConstString
	ConstFunc
	ConstGlobal
)

// A Method is a method called through an interface.
type Method struct {
	Name string
	Pkg  string      // of unexported names
	Func *types.Func // the method of the interface
	// Index is the place of the method in the interface's sorted method set.
	Index   int
	Iface   *Type
	Results int // words of the results
}

// A Select is the static part of a select statement.
type Select struct {
	Cases   []SelectCase
	Default bool // has a default case (is not blocking)
}

// A SelectCase is one communication of a select statement.
type SelectCase struct {
	Send  bool
	Chan  int32 // register of the channel
	Value int32 // Send: first register of the value
	Type  *Type // of the channel
	// Recv is the first register of the received value, in the result run of
	// the SelectCh instruction; -1 for sends.
	Recv int32
	Pos  token.Pos
}

// A Branch is one direction of a conditional jump of a package under test, or a block of statements
// that is marked.
type Branch struct {
	Func  *Func
	Pos   token.Pos // of the condition
	Then  bool      // the branch taken when the condition holds
	Block int       // one more than the number of the block (Program.Block), 0 for a jump
}
