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
		c.jumpTo(c.labelOf(els), c.nextLabel(next))
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
		c.jumpTo(c.labelOf(e.to), -1)
	}
}

// jump compiles the end of block from, whose only successor is to.
func (c *compiler) jump(from, to, next *ssa.BasicBlock) {
	if len(to.Preds) > 1 {
		c.phiMoves(from, to)
	}
	if to != next {
		c.jumpTo(c.labelOf(to), c.nextLabel(next))
	}
}

// maxHead is the number of instructions before the conditional jump at the head
// of a loop up to which the head is repeated at the end of the loop.
const maxHead = 2

// jumpTo emits a jump to label. When the code there is a short computation and
// a conditional jump, as at the head of a loop, it is repeated here with the
// jump inverted: one jump a round instead of two. next is the label that will
// be placed right after, or -1.
func (c *compiler) jumpTo(label, next int32) {
	if at := c.labels[label]; at >= 0 {
		for n := int32(0); n <= maxHead && int(at+n) < len(c.f.Code); n++ {
			head := c.f.Code[at+n]
			if inv, ok := invert(head); ok {
				c.repeatHead(at, n, inv, next)
				return
			}
			if !repeatable(head.Op) {
				break
			}
		}
	}
	c.emitJump(Instr{Op: Jmp}, label)
}

// repeatHead emits the n instructions from at on, then jump, which is the
// inverse of the one after them, and a jump to where that one goes, unless that
// is next.
func (c *compiler) repeatHead(at, n int32, jump Instr, next int32) {
	if c.f.repeats == nil {
		c.f.repeats = make(map[int]int)
	}
	for i := range int(n) + 1 {
		c.f.repeats[len(c.f.Code)+i] = int(at) + i
	}
	pos := c.pos
	for i := range n {
		c.pos = c.f.Pos[at+i]
		c.emitOp(c.f.Code[at+i])
	}
	c.pos = c.f.Pos[at+n]
	inside := c.newLabel()
	c.labels[inside] = at + n + 1
	c.emitJump(jump, inside)
	c.pos = pos
	i, _ := slices.BinarySearchFunc(c.fixups, at+n, func(f fixup, instr int32) int { return cmp.Compare(f.instr, instr) })
	if out := c.fixups[i].label; out != next {
		c.emitJump(Instr{Op: Jmp}, out)
	}
}

// nextLabel returns the label of block next, -1 when it is nil.
func (c *compiler) nextLabel(next *ssa.BasicBlock) int32 {
	if next == nil {
		return -1
	}
	return c.labelOf(next)
}

// repeatable says whether op works on registers alone and cannot fail: nothing
// is seen of it, so it can stand at two places.
func repeatable(op Op) bool {
	switch op {
	case Div, Rem, Shl, Shr, Const, Eq, Ne:
		return false
	}
	return Mov <= op && op <= LeF
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
		jump := Instr{Op: JmpNil, K: uint16(c.firstKind(x)), A: c.reg(x)}
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
