package compile

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// lendsDefers reports whether fn hands its list of deferred calls to closures, and
// never runs it. Package go/ssa drops the RunDefers of a function that has no defer
// statement of its own, but one in the body of a range-over-func loop.
func lendsDefers(fn *ssa.Function) bool {
	lends := false
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.RunDefers:
				return false
			case *ssa.Call:
				builtin, ok := instr.Call.Value.(*ssa.Builtin)
				lends = lends || ok && builtin.Name() == "ssa:deferstack"
			}
		}
	}
	return lends
}

// missingRunDefers returns the index in b, a block of a function that lends its list of
// deferred calls, before which those are to run: before the results are loaded to be
// returned. It is -1 when b does not return.
func missingRunDefers(b *block) int {
	at := len(b.Instrs) - 1
	if _, ok := b.Instrs[at].(*ssa.Return); !ok {
		return -1
	}
	for ; at > 0; at-- {
		load, ok := b.Instrs[at-1].(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			break
		}
	}
	return at
}
