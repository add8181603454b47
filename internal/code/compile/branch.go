package compile

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/ssaform"
)

// branch compiles an If: a jump to the block that is not next, with a stub on
// the way where an edge has phis to set or a branch to count.
func (e *emitter) branch(instr *ssa.If, next *ssa.BasicBlock, covers map[*ssa.BasicBlock]int32) {
	b := instr.Block()
	then, els := b.Succs[0], b.Succs[1]
	thenCover, elseCover := int32(-1), int32(-1)
	if e.covered {
		thenCover = int32(len(e.prog.Branches))
		elseCover = thenCover + 1
		e.prog.Branches = append(e.prog.Branches,
			code.Branch{Func: e.f, Pos: e.pos, Then: true}, code.Branch{Func: e.f, Pos: e.pos, Then: false})
	}
	jump := e.condition(instr.Cond)
	toThen := e.edge(b, then, thenCover, covers)
	toElse := e.edge(b, els, elseCover, covers)
	if next == then {
		jump, _ = invert(jump)
		e.f.Inverted = append(e.f.Inverted, int32(len(e.f.Code)))
		e.emitJump(jump, e.target(toElse))
		e.edgeCode(toThen)
		return
	}
	e.emitJump(jump, e.target(toThen))
	e.edgeCode(toElse)
	if next != els {
		e.jumpTo(e.labelOf(els), e.nextLabel(next))
	}
}

// jump compiles the end of block from, whose only successor is to.
func (e *emitter) jump(from, to, next *ssa.BasicBlock) {
	if len(to.Preds) > 1 {
		e.phiMoves(from, to)
	}
	if to != next {
		e.jumpTo(e.labelOf(to), e.nextLabel(next))
	}
}

// condition emits what is needed to test v and returns the jump to take when
// it is true.
func (e *emitter) condition(v ssa.Value) code.Instr {
	if val := e.of[v]; val != nil && val.role == folded {
		switch v := v.(type) {
		case *ssa.UnOp:
			jump, _ := invert(e.condition(v.X))
			return jump
		case *ssa.BinOp:
			return e.comparison(v)
		}
	}
	return code.Instr{Op: code.JmpIf, K: uint16(code.Bool), A: e.reg(v)}
}

// comparison returns the jump to take when v, a fusible comparison, holds.
func (e *emitter) comparison(v *ssa.BinOp) code.Instr {
	x, y, op := v.X, v.Y, v.Op
	if ssaform.IsNil(x) || ssaform.IsNil(y) {
		if ssaform.IsNil(x) {
			x = y
		}
		// Of a slice the base is nil, of an interface the type.
		jump := code.Instr{Op: code.JmpNil, K: uint16(e.firstKind(x)), A: e.reg(x)}
		if op == token.NEQ {
			jump, _ = invert(jump)
		}
		return jump
	}
	if isConst(x) && !isConst(y) {
		x, y, op = y, x, mirrored[op]
	}
	kind := code.KindOf(x.Type())
	if kind == code.Bool {
		if imm, ok := immediate(y); ok {
			jump := code.Instr{Op: code.JmpIf, K: uint16(code.Bool), A: e.reg(x)}
			if (op == token.EQL) != (imm == 1) {
				jump, _ = invert(jump)
			}
			return jump
		}
	}
	if imm, ok := immediate(y); ok && (kind != code.Uint64 || op == token.EQL || op == token.NEQ) {
		// Words of narrow unsigned kinds are never negative, so the signed
		// comparison is right for them too.
		return code.Instr{Op: immediateJumps[op], K: uint16(kind), A: e.reg(x), C: imm}
	}
	if op == token.GTR || op == token.GEQ {
		x, y, op = y, x, mirrored[op]
	}
	jump := code.Instr{K: uint16(kind), A: e.reg(x), B: e.reg(y)}
	switch {
	case op == token.EQL:
		jump.Op = code.JmpEq
	case op == token.NEQ:
		jump.Op = code.JmpNe
	case op == token.LSS && kind.Signed():
		jump.Op = code.JmpLtS
	case op == token.LSS:
		jump.Op = code.JmpLtU
	case kind.Signed():
		jump.Op = code.JmpLeS
	default:
		jump.Op = code.JmpLeU
	}
	return jump
}

// immediateJumps gives the conditional jump on a register and a constant for a comparison.
var immediateJumps = map[token.Token]code.Op{
	token.EQL: code.JmpEqI, token.NEQ: code.JmpNeI, token.LSS: code.JmpLtSI,
	token.LEQ: code.JmpLeSI, token.GTR: code.JmpGtSI, token.GEQ: code.JmpGeSI,
}

// mirrored gives the comparison with its sides exchanged.
var mirrored = map[token.Token]token.Token{
	token.EQL: token.EQL, token.NEQ: token.NEQ,
	token.LSS: token.GTR, token.GTR: token.LSS,
	token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}
