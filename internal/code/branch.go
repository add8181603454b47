package code

import (
	"cmp"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// inverses of the conditional jumps. The forms with two registers also swap
// them where the entry is marked: a < b fails when b <= a.
var inverses = map[Op]struct {
	op   Op
	swap bool
}{
	JmpIf:     {JmpIfNot, false},
	JmpIfNot:  {JmpIf, false},
	JmpEq:     {JmpNe, false},
	JmpNe:     {JmpEq, false},
	JmpLtS:    {JmpLeS, true},
	JmpLeS:    {JmpLtS, true},
	JmpLtU:    {JmpLeU, true},
	JmpLeU:    {JmpLtU, true},
	JmpEqI:    {JmpNeI, false},
	JmpNeI:    {JmpEqI, false},
	JmpLtSI:   {JmpGeSI, false},
	JmpGeSI:   {JmpLtSI, false},
	JmpGtSI:   {JmpLeSI, false},
	JmpLeSI:   {JmpGtSI, false},
	JmpNil:    {JmpNotNil, false},
	JmpNotNil: {JmpNil, false},
}

// invert returns the jump that is taken when in is not.
func invert(in Instr) (Instr, bool) {
	inv, ok := inverses[in.Op]
	if !ok {
		return in, false
	}
	in.Op = inv.op
	if inv.swap {
		in.A, in.B = in.B, in.A
	}
	return in, true
}

// branch compiles an If: a jump to the block that is not next, with a stub on
// the way where an edge has phis to set or a branch to count.
func (c *compiler) branch(instr *ssa.If, next *ssa.BasicBlock, covers map[*ssa.BasicBlock]int32) {
	b := instr.Block()
	then, els := b.Succs[0], b.Succs[1]
	thenCover, elseCover := int32(-1), int32(-1)
	if c.covered {
		thenCover = int32(len(c.p.Branches))
		elseCover = thenCover + 1
		c.p.Branches = append(c.p.Branches, Branch{c.f, c.pos, true}, Branch{c.f, c.pos, false})
	}
	jump := c.condition(instr.Cond)
	toThen := c.edge(b, then, thenCover, covers)
	toElse := c.edge(b, els, elseCover, covers)
	if next == then {
		jump, _ = invert(jump)
		c.emitJump(jump, c.target(toElse))
		c.edgeCode(toThen)
		return
	}
	c.emitJump(jump, c.target(toThen))
	c.edgeCode(toElse)
	if next != els {
		c.jumpTo(c.labelOf(els))
	}
}

// An edge is the way from a block to a successor. Its code counts the branch
// and sets the phis of the successor, where that is not done at the entry of
// the successor.
type edge struct {
	label    int32 // where its code is, if it has any
	from, to *ssa.BasicBlock
	cover    int32 // branch, or -1
	moves    bool  // there are phis to set
	pos      token.Pos
}

// edge returns the edge between two blocks.
func (c *compiler) edge(from, to *ssa.BasicBlock, cover int32, covers map[*ssa.BasicBlock]int32) edge {
	e := edge{label: -1, from: from, to: to, cover: cover, pos: c.pos}
	if len(to.Preds) == 1 {
		if cover >= 0 {
			covers[to] = cover
		}
		e.cover = -1
		return e
	}
	e.moves = c.needsMoves(from, to)
	return e
}

// target returns where to jump to take e. Its code goes behind all blocks.
func (c *compiler) target(e edge) int32 {
	if e.cover < 0 && !e.moves {
		return c.labelOf(e.to)
	}
	e.label = c.newLabel()
	c.stubs = append(c.stubs, e)
	return e.label
}

// edgeCode emits the code of e here.
func (c *compiler) edgeCode(e edge) {
	if e.cover >= 0 {
		c.emitOp(Instr{Op: Cover, A: e.cover})
	}
	if e.moves {
		c.phiMoves(e.from, e.to)
	}
}

// emitStubs emits the edges that have their code behind the blocks.
func (c *compiler) emitStubs() {
	for len(c.stubs) > 0 {
		e := c.stubs[0]
		c.stubs = c.stubs[1:]
		c.place(e.label)
		c.pos = e.pos
		c.enter(c.instrs)
		c.edgeCode(e)
		c.jumpTo(c.labelOf(e.to))
	}
}

// jump compiles the end of block from, whose only successor is to.
func (c *compiler) jump(from, to, next *ssa.BasicBlock) {
	if len(to.Preds) > 1 {
		c.phiMoves(from, to)
	}
	if to != next {
		c.jumpTo(c.labelOf(to))
	}
}

// jumpTo emits a jump to label. When a conditional jump is there already, as at
// the head of a loop, its inverse is put here: one jump a round instead of two.
func (c *compiler) jumpTo(label int32) {
	if at := c.labels[label]; at >= 0 && int(at) < len(c.f.Code) {
		head := c.f.Code[at]
		if inv, ok := invert(head); ok {
			inside := c.newLabel()
			c.labels[inside] = at + 1
			pos := c.pos
			c.pos = c.f.Pos[at]
			c.emitJump(inv, inside)
			c.pos = pos
			i, _ := slices.BinarySearchFunc(c.fixups, at, func(f fixup, at int32) int { return cmp.Compare(f.instr, at) })
			c.emitJump(Instr{Op: Jmp}, c.fixups[i].label)
			return
		}
	}
	c.emitJump(Instr{Op: Jmp}, label)
}

// condition emits what is needed to test v and returns the jump to take when
// it is true.
func (c *compiler) condition(v ssa.Value) Instr {
	if val := c.values[v]; val != nil && val.role == folded {
		switch v := v.(type) {
		case *ssa.UnOp:
			jump, _ := invert(c.condition(v.X))
			return jump
		case *ssa.BinOp:
			return c.comparison(v)
		}
	}
	return Instr{Op: JmpIf, K: uint16(Bool), A: c.reg(v)}
}

// comparison returns the jump to take when v, a fusible comparison, holds.
func (c *compiler) comparison(v *ssa.BinOp) Instr {
	x, y, op := v.X, v.Y, v.Op
	if isNil(x) || isNil(y) {
		if isNil(x) {
			x = y
		}
		// Of a slice the base is nil, of an interface the type.
		jump := Instr{Op: JmpNil, K: uint16(c.p.Type(x.Type()).Kinds[0]), A: c.reg(x)}
		if op == token.NEQ {
			jump, _ = invert(jump)
		}
		return jump
	}
	if isConst(x) && !isConst(y) {
		x, y, op = y, x, mirrored[op]
	}
	kind := kindOf(x.Type())
	if kind == Bool {
		if imm, ok := immediate(y); ok {
			jump := Instr{Op: JmpIf, K: uint16(Bool), A: c.reg(x)}
			if (op == token.EQL) != (imm == 1) {
				jump, _ = invert(jump)
			}
			return jump
		}
	}
	if imm, ok := immediate(y); ok && (kind != Uint64 || op == token.EQL || op == token.NEQ) {
		// Words of narrow unsigned kinds are never negative, so the signed
		// comparison is right for them too.
		ops := map[token.Token]Op{
			token.EQL: JmpEqI, token.NEQ: JmpNeI, token.LSS: JmpLtSI,
			token.LEQ: JmpLeSI, token.GTR: JmpGtSI, token.GEQ: JmpGeSI,
		}
		return Instr{Op: ops[op], K: uint16(kind), A: c.reg(x), C: imm}
	}
	if op == token.GTR || op == token.GEQ {
		x, y, op = y, x, mirrored[op]
	}
	jump := Instr{K: uint16(kind), A: c.reg(x), B: c.reg(y)}
	switch {
	case op == token.EQL:
		jump.Op = JmpEq
	case op == token.NEQ:
		jump.Op = JmpNe
	case op == token.LSS && kind.Signed():
		jump.Op = JmpLtS
	case op == token.LSS:
		jump.Op = JmpLtU
	case kind.Signed():
		jump.Op = JmpLeS
	default:
		jump.Op = JmpLeU
	}
	return jump
}

// mirrored gives the comparison with its sides exchanged.
var mirrored = map[token.Token]token.Token{
	token.EQL: token.EQL, token.NEQ: token.NEQ,
	token.LSS: token.GTR, token.GTR: token.LSS,
	token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}
