package compile

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
)

// function writes the code of all blocks.
func (e *emitter) function() {
	for range e.blocks.list {
		e.newLabel() // see labelOf
	}
	lends := lendsDefers(e.fn)
	e.prologue()
	firsts := firstNumbers(e.fn)
	e.starts = make([][]int32, len(e.blocks.list))
	covers := make(map[*ssa.BasicBlock]int32) // at the entry of blocks with one predecessor
	for i := range e.blocks.list {
		b := &e.blocks.list[i]
		var next *ssa.BasicBlock
		if i+1 < len(e.blocks.list) {
			next = e.blocks.list[i+1].BasicBlock
		}
		e.place(e.labelOf(b.BasicBlock))
		if b.BasicBlock == e.fn.Recover {
			e.f.Recover = len(e.f.Code)
		}
		e.pos, e.own = e.blockPos(b.BasicBlock), token.NoPos
		e.src = firsts[b.Index]
		e.block = i
		e.regs.EnterBlock(i)
		if branch, ok := covers[b.BasicBlock]; ok {
			e.emit(code.Instr{Op: code.Cover, A: branch})
		}
		if len(b.Preds) == 1 {
			e.phiMoves(b.Preds[0], b.BasicBlock)
		}
		runDefers := -1
		if lends && b.BasicBlock != e.fn.Recover {
			runDefers = missingRunDefers(b)
		}
		for j, instr := range b.Instrs {
			e.index = j
			e.src = firsts[b.Index] + int32(indexFrom(b.BasicBlock.Instrs, instr, j))
			e.starts[i] = append(e.starts[i], int32(len(e.f.Code)))
			e.regs.EnterInstr(i, j)
			if j == runDefers {
				e.pos = e.returnPos(b.BasicBlock)
				e.own = e.pos
				e.emit(code.Instr{Op: code.RunDefers})
			}
			e.own = instr.Pos()
			if _, ok := instr.(*ssa.RunDefers); ok {
				e.pos = e.returnPos(b.BasicBlock)
				e.own = e.pos
			} else if pos := instrPos(instr); pos.IsValid() {
				e.pos = pos
			}
			switch instr := instr.(type) {
			case *ssa.If:
				e.branch(instr, next, covers)
			case *ssa.Jump:
				e.jump(b.BasicBlock, b.Succs[0], next)
			default:
				e.instr(instr)
			}
		}
	}
	end := int32(len(e.f.Code))
	e.emitStubs()
	e.resolve()
	for _, over := range e.commuting {
		e.f.Commuting = append(e.f.Commuting, e.loopOver(over, end))
	}
	e.f.Regs = max(e.f.Regs, e.regs.Regs())
	e.f.SetSources(e.fn, e.sources)
}

// firstNumbers returns, by block, the number of its first instruction, where the instructions
// of fn are counted block by block.
func firstNumbers(fn *ssa.Function) []int32 {
	firsts := make([]int32, len(fn.Blocks))
	n := int32(0)
	for i, b := range fn.Blocks {
		firsts[i] = n
		n += int32(len(b.Instrs))
	}
	return firsts
}

// indexFrom returns the index of an instruction in the list, which is likely to be guess.
func indexFrom(list []ssa.Instruction, instr ssa.Instruction, guess int) int {
	if guess < len(list) && list[guess] == instr {
		return guess
	}
	return slices.Index(list, instr)
}

// loopOver returns where the code of a loop over a map is. The code of the blocks ends at end.
func (e *emitter) loopOver(over *ssa.Range, end int32) code.MapLoop {
	var head *ssa.BasicBlock
	for _, ref := range *over.Referrers() {
		if next, ok := ref.(*ssa.Next); ok {
			head = next.Block()
		}
	}
	first := e.labelOf(head)
	last := first
	for _, p := range head.Preds {
		last = max(last, e.labelOf(p))
	}
	if last+1 < int32(len(e.blocks.list)) {
		end = e.labels[last+1]
	}
	return code.MapLoop{From: e.labels[first], To: end, Iter: e.reg(over)}
}

// prologue loads captured variables and pinned constants.
func (e *emitter) prologue() {
	e.pos = e.prog.SourcePos(e.fn)
	off := int32(0)
	for _, fv := range e.fn.FreeVars {
		v := e.of[fv]
		if v.node != nil && v.node.Live() {
			e.emit(code.Instr{Op: code.FreeVar, K: count(v.words), A: v.node.Reg, C: off})
		}
		off += int32(v.words)
	}
	for _, key := range e.pins {
		e.loadConst(key, e.pinned[key].Reg)
	}
}
