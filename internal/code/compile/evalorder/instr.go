package evalorder

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// isLoad reports whether instr loads from memory.
func isLoad(instr ssa.Instruction) bool {
	load, ok := instr.(*ssa.UnOp)
	return ok && load.Op == token.MUL
}

// runsCode reports whether instr is an operand of a statement that can change memory:
// a call, also of copy or append, or a receive, during which other goroutines run.
func runsCode(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.Call:
		builtin, ok := v.Call.Value.(*ssa.Builtin)
		return !ok || builtin.Name() == "copy" || builtin.Name() == "append"
	case *ssa.UnOp:
		return v.Op == token.ARROW
	}
	return false
}

// leavesBlock reports whether instr continues in another block.
func leavesBlock(instr ssa.Instruction) bool {
	switch instr.(type) {
	case *ssa.If, *ssa.Jump:
		return true
	}
	return false
}

func isAggregate(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// selects reports whether instr computes the address of a field or element.
func selects(instr ssa.Instruction) bool {
	switch instr.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return true
	}
	return false
}

// stores reports whether instr stores to the address in op.
func stores(instr ssa.Instruction, op *ssa.Value) bool {
	store, ok := instr.(*ssa.Store)
	return ok && op == &store.Addr
}
