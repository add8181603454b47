package compile

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
)

// maxPins is the number of constants kept in registers throughout a function.
const maxPins = 8

// pinConstants gives registers to constants that loops need in registers, so
// that they are not loaded again in every round.
func (c *classifier) pinConstants(bs *blocks) {
	for i := range bs.list {
		if bs.list[i].loops == 0 {
			continue
		}
		for _, instr := range bs.list[i].Instrs {
			var operands []ssa.Value
			switch instr := instr.(type) {
			case *ssa.BinOp:
				if c.hasImmediate(instr) {
					continue
				}
				operands = []ssa.Value{instr.X, instr.Y}
			case *ssa.UnOp:
				operands = []ssa.Value{instr.X}
			case *ssa.FieldAddr:
				operands = []ssa.Value{instr.X}
			case *ssa.IndexAddr:
				operands = []ssa.Value{instr.X, instr.Index}
			case *ssa.Store:
				operands = []ssa.Value{instr.Addr}
			}
			for _, v := range operands {
				key := keyOf(v)
				if key.n != 1 || key.kind == code.ConstFunc || c.pinned[key] != nil || len(c.pins) == maxPins {
					continue
				}
				c.pins = append(c.pins, key)
				c.pinned[key] = c.newNode(1)
			}
		}
	}
}

// hasImmediate reports whether the instruction for op takes its constant operand
// as an immediate.
func (c *classifier) hasImmediate(op *ssa.BinOp) bool {
	_, right := immediate(op.Y)
	_, left := immediate(op.X)
	kind := code.KindOf(op.X.Type())
	if !kind.Integer() {
		return false
	}
	switch op.Op {
	case token.ADD, token.AND:
		return right || left
	case token.SUB, token.SHL, token.SHR, token.AND_NOT:
		return right
	case token.MUL:
		return (right || left) && kind.Bits() == 64
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return (right || left) && kind != code.Uint64 && c.of[op].role == folded
	}
	return false
}
