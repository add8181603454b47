package compile

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/compile/evalorder"
)

// blocks are the basic blocks of a function in the order of their code: reverse
// postorder, with the body of a loop before what follows the loop, and the block for
// recovered panics last. Blocks that cannot be reached are left out.
type blocks struct {
	fn    *ssa.Function
	list  []block
	index []int32 // in list, by ssa.BasicBlock.Index; -1 for unreachable ones
}

// A block is a basic block.
type block struct {
	*ssa.BasicBlock
	Instrs []ssa.Instruction // those of the BasicBlock, in the order in which they are executed
	loops  int               // the number of loops that it is in
}

// newBlocks returns the blocks of fn.
func newBlocks(fn *ssa.Function, order *evalorder.Function) *blocks {
	bs := &blocks{fn: fn, index: make([]int32, len(fn.Blocks))}
	for i := range bs.index {
		bs.index[i] = -1
	}
	var postorder []*ssa.BasicBlock
	var walk func(b *ssa.BasicBlock)
	walk = func(b *ssa.BasicBlock) {
		bs.index[b.Index] = 0
		for i := len(b.Succs) - 1; i >= 0; i-- {
			if s := b.Succs[i]; bs.index[s.Index] < 0 {
				walk(s)
			}
		}
		postorder = append(postorder, b)
	}
	add := func(b *ssa.BasicBlock) {
		bs.index[b.Index] = int32(len(bs.list))
		bs.list = append(bs.list, block{BasicBlock: b, Instrs: order.Instrs(b)})
	}
	walk(fn.Blocks[0])
	for i := len(postorder) - 1; i >= 0; i-- {
		add(postorder[i])
	}
	if r := fn.Recover; r != nil && bs.index[r.Index] < 0 {
		add(r)
	}
	// The blocks of a natural loop lie between its header and its last back edge.
	for i := range bs.list {
		for _, s := range bs.list[i].Succs {
			if h := int(bs.index[s.Index]); h <= i {
				for j := h; j <= i; j++ {
					bs.list[j].loops++
				}
			}
		}
	}
	return bs
}
