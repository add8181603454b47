package evalorder

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// StoresBack reports whether the instruction at index i stores what was just loaded from the same result variable.
// Package go/ssa makes such a store of a result variable that is in memory, for the statement return v; it is not
// a write of the program, and must not race. The list has all instructions of a block, in gc's order.
func StoresBack(instrs []ssa.Instruction, i int) bool {
	v, ok := instrs[i].(*ssa.Store)
	if !ok {
		return false
	}
	load, ok := v.Val.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || load.X != v.Addr || load.Block() != v.Block() || !isResult(v.Addr) {
		return false
	}
	for k := i - 1; k >= 0 && instrs[k] != load; k-- {
		switch instr := instrs[k].(type) {
		case *ssa.UnOp:
			if instr.Op != token.MUL {
				return false
			}
		case *ssa.Store:
			if !StoresBack(instrs, k) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isResult reports whether addr is that of a result variable of its function.
func isResult(addr ssa.Value) bool {
	a, ok := addr.(*ssa.Alloc)
	if !ok {
		return false
	}
	for v := range a.Parent().Signature.Results().Variables() {
		if v.Pos() == a.Pos() && v.Name() == a.Comment {
			return true
		}
	}
	return false
}
