package compile

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A transfer is a move of words that is to happen together with others.
type transfer struct {
	dst, src int32
	words    int
}

// moveAll makes all transfers, as if at the same time.
func (e *emitter) moveAll(list []transfer) {
	list = slices.DeleteFunc(list, func(t transfer) bool { return t.words == 0 || t.dst == t.src })
	overwrites := func(t, other transfer) bool {
		return t != other && t.dst < other.src+int32(other.words) && other.src < t.dst+int32(t.words)
	}
	for len(list) > 0 {
		// One that overwrites no source of another can be made.
		i := slices.IndexFunc(list, func(t transfer) bool {
			return !slices.ContainsFunc(list, func(other transfer) bool { return overwrites(t, other) })
		})
		if i < 0 {
			// All wait for each other: the source of one that another waits for
			// is moved out of the way.
			i := slices.IndexFunc(list, func(t transfer) bool {
				return slices.ContainsFunc(list, func(other transfer) bool { return overwrites(other, t) })
			})
			t := &list[i]
			r := e.regs.ScratchAbove(t.words)
			e.move(r, t.src, t.words)
			t.src = r
			continue
		}
		e.move(list[i].dst, list[i].src, list[i].words)
		list = slices.Delete(list, i, i+1)
	}
}

// phiMoves emits code that sets the phis of block to on the edge from block from.
func (e *emitter) phiMoves(from, to *ssa.BasicBlock) {
	k := slices.Index(to.Preds, from)
	var moves []transfer
	var consts []*ssa.Phi
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		v := e.of[phi]
		if v.role != own || v.node == nil {
			continue
		}
		if src, ok := e.location(phi.Edges[k]); ok {
			moves = append(moves, transfer{v.node.Reg, src, v.words})
		} else {
			consts = append(consts, phi)
		}
	}
	e.moveAll(moves)
	for _, phi := range consts {
		e.put(phi.Edges[k], e.of[phi].node.Reg)
	}
}

// needsMoves reports whether phiMoves would emit anything.
func (e *emitter) needsMoves(from, to *ssa.BasicBlock) bool {
	k := slices.Index(to.Preds, from)
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		v := e.of[phi]
		if v.role != own || v.node == nil {
			continue
		}
		if src, ok := e.location(phi.Edges[k]); !ok || src != v.node.Reg {
			return true
		}
	}
	return false
}
