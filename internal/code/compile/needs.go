package compile

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/compile/regalloc"
)

// needs describes the function for the allocation of registers: what its instructions
// read and write.
func (vs *values) needs(bs *blocks) *regalloc.Function {
	f := vs.nodes
	total := 0
	for i := range bs.list {
		total += len(bs.list[i].Instrs)
	}
	instrs := make([]regalloc.Instr, total)
	reads := make([]*regalloc.Node, 0, 2*total) // of all instructions and edges
	f.Blocks = make([]regalloc.Block, len(bs.list))
	for i := range bs.list {
		b, to := &bs.list[i], &f.Blocks[i]
		n := len(b.Instrs)
		to.Instrs, instrs = instrs[:n:n], instrs[n:]
		for j, instr := range b.Instrs {
			in := &to.Instrs[j]
			in.Def, in.Part = vs.defined(instr)
			_, in.Phi = instr.(*ssa.Phi)
			start := len(reads)
			reads = vs.appendReads(reads, instr)
			in.Uses = reads[start:]
			in.Call = vs.callOf(instr)
			f.Copies = vs.appendCopies(f.Copies, bs, b, instr)
		}
		start := len(reads)
		for _, s := range b.Succs {
			to.Succs = append(to.Succs, int(bs.index[s.Index]))
			reads = vs.appendEdgeReads(reads, b.BasicBlock, s)
		}
		to.Out = reads[start:]
	}
	if r := bs.fn.Recover; r != nil && len(r.Preds) == 0 {
		f.Recover = max(0, int(bs.index[r.Index]))
	}
	// Captured variables and pinned constants are loaded when the function is entered.
	for _, fv := range vs.fn.FreeVars {
		if n := vs.of[fv].node; n != nil && slices.Contains(reads, n) {
			f.Entry = append(f.Entry, n)
		}
	}
	for _, k := range vs.pins {
		f.Entry = append(f.Entry, vs.pinned[k])
	}
	return f
}

// defined returns the node that instr writes, and whether it writes only a part of it.
func (vs *values) defined(instr ssa.Instruction) (n *regalloc.Node, part bool) {
	switch instr := instr.(type) {
	case *ssa.Store:
		alloc, off, ok := vs.variable(instr.Addr)
		if !ok {
			return nil, false
		}
		n = vs.of[alloc].node
		return n, n != nil && (off != 0 || vs.words(instr.Val.Type()) != n.Words)
	case ssa.Value:
		return vs.ownNode(instr), false
	}
	return nil, false
}

// appendReads appends to list the nodes that instr reads where it stands. What a phi
// reads belongs to the edges of its block.
func (vs *values) appendReads(list []*regalloc.Node, instr ssa.Instruction) []*regalloc.Node {
	switch instr := instr.(type) {
	case *ssa.Phi:
		return list
	case *ssa.Store:
		if vs.inFoldedAppend(instr) {
			return list
		}
		if n, part := vs.defined(instr); n != nil {
			if part {
				list = append(list, n)
			}
			return vs.appendOperand(list, instr.Val)
		}
	case ssa.Value:
		if vs.of[instr].role != own {
			return list
		}
		if next, ok := instr.(*ssa.Next); ok && next.IsString {
			list = vs.appendOperand(list, next.Iter.(*ssa.Range).X)
		}
	}
	return vs.appendOperands(list, instr)
}

// appendEdgeReads appends to list the nodes that the phis of block to read on the edge
// from block from.
func (vs *values) appendEdgeReads(list []*regalloc.Node, from, to *ssa.BasicBlock) []*regalloc.Node {
	k := slices.Index(to.Preds, from)
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		if vs.of[phi].role == own {
			list = vs.appendOperand(list, phi.Edges[k])
		}
	}
	return list
}

// appendOperands appends to list the nodes from which the operands of instr are read.
func (vs *values) appendOperands(list []*regalloc.Node, instr ssa.Instruction) []*regalloc.Node {
	var space [8]*ssa.Value
	for _, operand := range instr.Operands(space[:0]) {
		if *operand != nil {
			list = vs.appendOperand(list, *operand)
		}
	}
	return list
}

// appendOperand appends to list the nodes from which operand v is read.
func (vs *values) appendOperand(list []*regalloc.Node, v ssa.Value) []*regalloc.Node {
	val := vs.of[v]
	if val == nil {
		if n := vs.pinned[keyOf(v)]; n != nil {
			list = append(list, n)
		}
		return list
	}
	switch val.role {
	case own:
		if val.node != nil {
			list = append(list, val.node)
		}
	case part:
		list = vs.appendOperand(list, val.base)
	case folded:
		if elems, ok := vs.appends[v]; ok {
			for _, e := range elems {
				list = vs.appendOperand(list, e)
			}
		} else if instr, ok := v.(ssa.Instruction); ok {
			list = vs.appendOperands(list, instr)
		}
	}
	return list
}

// appendCopies appends to list the moves that instr, an instruction of block b, stands
// for: into phis, and into and out of variables in registers.
func (vs *values) appendCopies(list []regalloc.Copy, bs *blocks, b *block, instr ssa.Instruction) []regalloc.Copy {
	add := func(to, from *regalloc.Node, loops int) {
		if to != nil && from != nil {
			list = append(list, regalloc.Copy{To: to, From: from, Loops: loops})
		}
	}
	switch instr := instr.(type) {
	case *ssa.Phi:
		for k, v := range instr.Edges {
			if pred := bs.index[b.Preds[k].Index]; pred >= 0 {
				add(vs.of[instr].node, vs.ownNode(v), bs.list[pred].loops)
			}
		}
	case *ssa.Store:
		if n, part := vs.defined(instr); !part {
			add(n, vs.ownNode(instr.Val), b.loops)
		}
	case *ssa.UnOp:
		if instr.Op != token.MUL {
			break
		}
		if alloc, off, ok := vs.variable(instr.X); ok && off == 0 {
			add(vs.ownNode(instr), vs.of[alloc].node, b.loops)
		}
	}
	return list
}

// callOf returns the call with a window that instr is, nil if it is none.
func (vs *values) callOf(instr ssa.Instruction) *regalloc.Call {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	common := call.Common()
	c := new(regalloc.Call)
	if v := call.Value(); v != nil {
		if !isCall(v) {
			return nil
		}
		c.Result = vs.of[v].node
	}
	switch fn := common.Value.(type) {
	case *ssa.Function, *ssa.Builtin:
	default:
		if n, off, ok := vs.locate(fn); ok {
			c.Func, c.FuncEnd = n, off+int32(vs.words(fn.Type()))
		}
	}
	offset := int32(0)
	if common.IsInvoke() {
		offset = 1
	}
	for _, arg := range common.Args {
		if n := vs.ownNode(arg); n != nil && len(*arg.Referrers()) == 1 {
			c.Args = append(c.Args, regalloc.Arg{Node: n, Offset: offset})
		}
		offset += int32(vs.words(arg.Type()))
	}
	return c
}
