package control

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// DeferOf returns the instruction that defers a closure, if that is all that is done with it, nil otherwise.
func DeferOf(fn *ssa.Function) *ssa.Defer {
	if fn.Parent() == nil {
		return nil
	}
	var found *ssa.Defer
	uses := 0
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if c, ok := instr.(*ssa.MakeClosure); ok && c.Fn == ssa.Value(fn) {
				continue // it is the uses of that which count
			}
			for _, op := range instr.Operands(nil) {
				c, ok := (*op).(*ssa.MakeClosure)
				if *op == ssa.Value(fn) || ok && c.Fn == ssa.Value(fn) {
					uses++
					if d, ok := instr.(*ssa.Defer); ok && d.Call.Value == *op {
						found = d
					}
				}
			}
		}
	}
	if uses != 1 {
		return nil
	}
	return found
}

// MayHaveRun reports whether what an instruction calls or defers may have been called when its
// function is at another one.
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
