package control

import (
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// DeferOf returns the instruction that defers a closure, if that is all that is done with it, nil otherwise.
func DeferOf(fn *ssa.Function) *ssa.Defer {
	var found *ssa.Defer
	n := 0
	for instr, called := range uses(fn) {
		n++
		if d, ok := instr.(*ssa.Defer); ok && called {
			found = d
		}
	}
	if n != 1 {
		return nil
	}
	return found
}

// IsPassed reports whether more may be done with a function than to call, to start and to defer it: others may have it then, as a timer does
// that calls it, without an instruction of the program.
func IsPassed(fn *ssa.Function) bool {
	if fn.Parent() == nil {
		return true
	}
	for _, called := range uses(fn) {
		if !called {
			return true
		}
	}
	return false
}

// uses yields each use of a function literal, and whether that calls, starts or defers it. There is none of other functions.
func uses(fn *ssa.Function) iter.Seq2[ssa.Instruction, bool] {
	return func(yield func(ssa.Instruction, bool) bool) {
		if fn.Parent() == nil {
			return
		}
		for _, b := range fn.Parent().Blocks {
			for _, instr := range b.Instrs {
				if c, ok := instr.(*ssa.MakeClosure); ok && c.Fn == ssa.Value(fn) {
					continue // it is the uses of that which count
				}
				call, _ := instr.(ssa.CallInstruction)
				for _, op := range instr.Operands(nil) {
					c, ok := (*op).(*ssa.MakeClosure)
					if (*op == ssa.Value(fn) || ok && c.Fn == ssa.Value(fn)) && !yield(instr, call != nil && op == &call.Common().Value) {
						return
					}
				}
			}
		}
	}
}

// MayHaveRun reports whether what an instruction calls or defers may have been called when its function is at another one.
func MayHaveRun(call ssa.CallInstruction, at ssa.Instruction) bool {
	if after := at.Parent().Recover; after != nil && (at.Block() == after || Leads(after, at.Block())) {
		return true // no block leads to those after a panic, which may have come anywhere
	}
	if _, deferred := call.(*ssa.Defer); !deferred {
		return Precedes(call, at)
	}
	for _, b := range at.Parent().Blocks {
		for _, instr := range b.Instrs {
			if _, ok := instr.(*ssa.RunDefers); ok && (ssa.Instruction(instr) == at || Precedes(instr, at)) {
				return true
			}
		}
	}
	return false
}

// Precedes reports whether an instruction may be executed before another one of its function.
func Precedes(instr, at ssa.Instruction) bool {
	b := instr.Block()
	if b == at.Block() && slices.Index(b.Instrs, instr) < slices.Index(b.Instrs, at) {
		return true
	}
	return Leads(b, at.Block())
}
