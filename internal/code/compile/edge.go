package compile

import (
	"go/token"
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
)

// An edge leads from a block to a successor. Its code counts the branch and sets the
// phis of the successor, where that is not done at the entry of the successor.
type edge struct {
	label    int32 // where its code is, if it has any
	from, to *ssa.BasicBlock
	cover    int32 // branch, or -1
	moves    bool  // there are phis to set
	pos      token.Pos
	src      int32 // SSA instruction that jumps: assembler.src
}

// edge returns the edge between two blocks.
func (e *emitter) edge(from, to *ssa.BasicBlock, cover int32, covers map[*ssa.BasicBlock]int32) edge {
	ed := edge{label: -1, from: from, to: to, cover: cover, pos: e.pos, src: e.src}
	if len(to.Preds) == 1 {
		if cover >= 0 {
			covers[to] = cover
		}
		ed.cover = -1
		return ed
	}
	ed.moves = e.needsMoves(from, to)
	return ed
}

// target returns the label to jump to for ed. The code of the edge is put behind all
// blocks.
func (e *emitter) target(ed edge) int32 {
	if ed.cover < 0 && !ed.moves {
		return e.labelOf(ed.to)
	}
	ed.label = e.newLabel()
	e.stubs = append(e.stubs, ed)
	return ed.label
}

// edgeCode emits the code of ed here.
func (e *emitter) edgeCode(ed edge) {
	if ed.cover >= 0 {
		e.emit(code.Instr{Op: code.Cover, A: ed.cover})
	}
	if ed.moves {
		e.phiMoves(ed.from, ed.to)
	}
}

// emitStubs emits the edges that have their code behind the blocks.
func (e *emitter) emitStubs() {
	for len(e.stubs) > 0 {
		ed := e.stubs[0]
		e.stubs = e.stubs[1:]
		e.place(ed.label)
		e.pos, e.own, e.src = ed.pos, token.NoPos, ed.src
		e.regs.EnterEnd()
		e.edgeCode(ed)
		e.jumpTo(e.labelOf(ed.to), -1)
	}
}

// labelOf returns the label of block b.
func (e *emitter) labelOf(b *ssa.BasicBlock) int32 { return e.blocks.index[b.Index] }

// nextLabel returns the label of block next, -1 when it is nil.
func (e *emitter) nextLabel(next *ssa.BasicBlock) int32 {
	if next == nil {
		return -1
	}
	return e.labelOf(next)
}
