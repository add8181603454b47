package code

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A fixup is an instruction whose D is to be the index of a label.
type fixup struct{ instr, label int32 }

// emit writes the code of all blocks.
func (c *compiler) emit() {
	c.lendsDefers = lendsDefers(c.fn)
	c.emitPrologue()
	covers := make(map[*ssa.BasicBlock]int32) // at the entry of blocks with one predecessor
	for i := range c.blocks {
		b := &c.blocks[i]
		c.place(b.label)
		if b.BasicBlock == c.fn.Recover {
			c.f.Recover = int(c.labels[b.label])
		}
		c.pos = c.blockPos(b.BasicBlock)
		c.enter(c.first[i])
		if branch, ok := covers[b.BasicBlock]; ok {
			c.emitOp(Instr{Op: Cover, A: branch})
		}
		if len(b.Preds) == 1 {
			c.phiMoves(b.Preds[0], b.BasicBlock)
		}
		runDefers := c.missingRunDefers(b.BasicBlock)
		for j, instr := range b.Instrs {
			c.enter(c.first[i] + 1 + int32(j))
			if j == runDefers {
				c.pos = c.returnPos(b.BasicBlock)
				c.emitOp(Instr{Op: RunDefers})
			}
			if _, ok := instr.(*ssa.RunDefers); ok {
				c.pos = c.returnPos(b.BasicBlock)
			} else if pos := instrPos(instr); pos.IsValid() {
				c.pos = pos
			}
			var next *ssa.BasicBlock
			if i+1 < len(c.blocks) {
				next = c.blocks[i+1].BasicBlock
			}
			switch instr := instr.(type) {
			case *ssa.If:
				c.branch(instr, next, covers)
			case *ssa.Jump:
				c.jump(b.BasicBlock, b.Succs[0], next)
			default:
				c.instr(instr)
			}
		}
	}
	c.emitStubs()
	for _, f := range c.fixups {
		c.f.Code[f.instr].D = c.labels[f.label]
	}
	c.f.Regs = max(c.f.Regs, int(c.top), c.f.Results)
}

// missingRunDefers returns the index in b before which deferred calls are to
// run, -1 when nothing is to be done. go/ssa drops the RunDefers of a function
// that has no defer statement of its own, but one in the body of a
// range-over-func loop: it goes before the results are loaded to be returned.
func (c *compiler) missingRunDefers(b *ssa.BasicBlock) int {
	if !c.lendsDefers || b == c.fn.Recover {
		return -1
	}
	at := len(b.Instrs) - 1
	if _, ok := b.Instrs[at].(*ssa.Return); !ok {
		return -1
	}
	for ; at > 0; at-- {
		load, ok := b.Instrs[at-1].(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			break
		}
	}
	return at
}

// lendsDefers says whether fn hands its list of deferred calls to closures, and
// never runs it.
func lendsDefers(fn *ssa.Function) bool {
	lends := false
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.RunDefers:
				return false
			case *ssa.Call:
				builtin, ok := instr.Call.Value.(*ssa.Builtin)
				lends = lends || ok && builtin.Name() == "ssa:deferstack"
			}
		}
	}
	return lends
}

// emitPrologue loads captured variables and pinned constants.
func (c *compiler) emitPrologue() {
	c.enter(0)
	c.pos = c.p.sourcePos(c.fn)
	off := int32(0)
	for _, fv := range c.fn.FreeVars {
		v := c.values[fv]
		if v.node != nil && len(v.node.ranges) > 0 {
			c.emitOp(Instr{Op: FreeVar, K: c.count(v.words), A: v.node.reg, C: off})
		}
		off += int32(v.words)
	}
	for _, key := range c.pins {
		c.loadConst(key, c.pinned[key].reg)
	}
}

// enter moves on to the instruction with number at.
func (c *compiler) enter(at int32) {
	c.at = at
	c.free = -1
	now := 2 * at
	for c.next < len(c.webs) && c.webs[c.next].ranges[0].from <= now+1 {
		c.active = append(c.active, c.webs[c.next])
		c.next++
	}
	c.active = slices.DeleteFunc(c.active, func(w *web) bool { return w.ranges[len(w.ranges)-1].to <= now })
}

// scratch returns the first of n registers that hold nothing here. They are
// good for the instruction being compiled.
func (c *compiler) scratch(n int) int32 {
	if c.free < 0 {
		c.free = 0
		if c.at >= c.instrs { // in a stub
			c.free = c.top
		}
		for _, w := range c.active {
			if w.covers(2*c.at) || w.covers(2*c.at+1) {
				c.free = max(c.free, w.end())
			}
		}
	}
	r := c.free
	c.free += int32(n)
	c.f.Regs = max(c.f.Regs, int(c.free))
	return r
}

// reg returns the first register of operand v. A constant is put in scratch
// registers first.
func (c *compiler) reg(v ssa.Value) int32 {
	if r, ok := c.location(v); ok {
		return r
	}
	return c.constReg(v)
}

// constReg puts v, which location does not find, in scratch registers.
func (c *compiler) constReg(v ssa.Value) int32 {
	base, off := v, 0
	for c.values[base] != nil {
		val := c.values[base]
		base, off = val.base, off+val.off
	}
	words := c.words(base.Type())
	if words == 0 {
		return 0
	}
	r := c.scratch(words)
	c.materialize(base, r)
	return r + int32(off)
}

// location returns the first register of v when it is in registers already;
// 0 for values of no words.
func (c *compiler) location(v ssa.Value) (int32, bool) {
	off := int32(0)
	for {
		val := c.values[v]
		switch {
		case val == nil:
			if n := c.pinned[keyOf(v)]; n != nil {
				return n.reg + off, true
			}
			return 0, false
		case val.role == part:
			off += int32(val.off)
			v = val.base
		case val.node != nil:
			return val.node.reg + off, true
		case val.words == 0:
			return 0, true
		default:
			panic(fmt.Sprintf("operand %s = %v has no registers", v.Name(), v))
		}
	}
}

// result returns the first register for the result of v: a scratch one when v
// is not kept.
func (c *compiler) result(v ssa.Value) int32 {
	val := c.values[v]
	if val.node != nil {
		return val.node.reg
	}
	if val.words == 0 {
		return 0
	}
	return c.scratch(val.words)
}

// put puts operand v in the registers from dst on.
func (c *compiler) put(v ssa.Value, dst int32) {
	if r, ok := c.location(v); ok {
		c.move(dst, r, c.valueWords(v))
		return
	}
	if c.values[v] == nil {
		c.materialize(v, dst)
		return
	}
	c.move(dst, c.constReg(v), c.valueWords(v)) // a part of a constant
}

// gather returns the first of a run of registers that hold the values one after
// another: those where they are, or scratch ones to which they are moved.
func (c *compiler) gather(values []ssa.Value) (first int32, words int) {
	inPlace := len(values) > 0
	for _, v := range values {
		r, ok := c.location(v)
		if words == 0 {
			first = r
		}
		n := c.valueWords(v)
		inPlace = inPlace && ok && (n == 0 || r == first+int32(words))
		words += n
	}
	if inPlace {
		return first, words
	}
	if len(values) == 1 {
		return c.reg(values[0]), words
	}
	first = c.scratch(words)
	at := first
	for _, v := range values {
		c.put(v, at)
		at += int32(c.valueWords(v))
	}
	return first, words
}

// move copies n registers.
func (c *compiler) move(dst, src int32, n int) {
	switch {
	case n == 0 || dst == src:
	case n == 1:
		c.emitOp(Instr{Op: Mov, A: dst, B: src})
	default:
		// A run that moves up goes in pieces from its end.
		up := dst > src
		pieces(n, func(off, k int) {
			if up {
				off = n - off - k
			}
			c.emitOp(Instr{Op: MovN, K: uint16(k), A: dst + int32(off), B: src + int32(off)})
		})
	}
}

// pieces calls f with the offsets and lengths of pieces of a run of n words
// that an instruction can take.
func pieces(n int, f func(off, k int)) {
	for off := 0; off < n; off += math.MaxUint16 {
		f(off, min(n-off, math.MaxUint16))
	}
}

// zero emits code that makes the n registers from dst on zero.
func (c *compiler) zero(dst int32, n int) {
	pieces(n, func(off, k int) { c.emitOp(Instr{Op: Zero, K: uint16(k), A: dst + int32(off)}) })
}

// A transfer is a move of words that is to happen together with others.
type transfer struct {
	dst, src int32
	words    int
}

// moveAll makes all transfers, as if at once.
func (c *compiler) moveAll(list []transfer) {
	list = slices.DeleteFunc(list, func(t transfer) bool { return t.words == 0 || t.dst == t.src })
	overwrites := func(t, other transfer) bool {
		return t != other && t.dst < other.src+int32(other.words) && other.src < t.dst+int32(t.words)
	}
	for len(list) > 0 {
		// One that overwrites no source of another can go.
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
			r := max(c.top, c.free)
			c.free = r + int32(t.words)
			c.f.Regs = max(c.f.Regs, int(c.free))
			c.move(r, t.src, t.words)
			t.src = r
			continue
		}
		c.move(list[i].dst, list[i].src, list[i].words)
		list = slices.Delete(list, i, i+1)
	}
}

// phiMoves gives the phis of block to their values on the edge from block from.
func (c *compiler) phiMoves(from, to *ssa.BasicBlock) {
	k := slices.Index(to.Preds, from)
	var moves []transfer
	var consts []*ssa.Phi
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		v := c.values[phi]
		if v.role != own || v.node == nil {
			continue
		}
		if src, ok := c.location(phi.Edges[k]); ok {
			moves = append(moves, transfer{v.node.reg, src, v.words})
		} else {
			consts = append(consts, phi)
		}
	}
	c.moveAll(moves)
	for _, phi := range consts {
		c.put(phi.Edges[k], c.values[phi].node.reg)
	}
}

// needsMoves says whether phiMoves would emit something.
func (c *compiler) needsMoves(from, to *ssa.BasicBlock) bool {
	k := slices.Index(to.Preds, from)
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		v := c.values[phi]
		if v.role != own || v.node == nil {
			continue
		}
		if src, ok := c.location(phi.Edges[k]); !ok || src != v.node.reg {
			return true
		}
	}
	return false
}

// emitOp appends an instruction at the present position.
func (c *compiler) emitOp(in Instr) {
	c.f.Code = append(c.f.Code, in)
	c.f.Pos = append(c.f.Pos, c.pos)
}

// newLabel returns a label that is not placed yet.
func (c *compiler) newLabel() int32 {
	c.labels = append(c.labels, -1)
	return int32(len(c.labels) - 1)
}

// place puts a label here.
func (c *compiler) place(label int32) { c.labels[label] = int32(len(c.f.Code)) }

func (c *compiler) labelOf(b *ssa.BasicBlock) int32 { return c.blocks[c.index[b.Index]].label }

// emitJump appends a jump to label.
func (c *compiler) emitJump(in Instr, label int32) {
	c.fixups = append(c.fixups, fixup{int32(len(c.f.Code)), label})
	c.emitOp(in)
}

// typeIndex returns the index of t in the function's table.
func (c *compiler) typeIndex(t types.Type) int32 {
	lay := c.p.Type(t)
	i, ok := c.types[lay]
	if !ok {
		i = int32(len(c.f.Types))
		c.f.Types = append(c.f.Types, lay)
		c.types[lay] = i
	}
	return i
}

// callee returns the index of fn in the function's table.
func (c *compiler) callee(fn *ssa.Function) int32 {
	i, ok := c.callees[fn]
	if !ok {
		i = int32(len(c.f.Callees))
		c.f.Callees = append(c.f.Callees, fn)
		c.callees[fn] = i
	}
	return i
}

// message returns the index of text in the function's table.
func (c *compiler) message(text string) int32 {
	i := slices.Index(c.f.Messages, text)
	if i < 0 {
		i = len(c.f.Messages)
		c.f.Messages = append(c.f.Messages, text)
	}
	return int32(i)
}

// unsupported emits an instruction that stops the run.
func (c *compiler) unsupported(format string, args ...any) {
	c.emitOp(Instr{Op: Unsupported, B: c.message(fmt.Sprintf(format, args...))})
}

// instrPos returns the position of instr in the source, or of what it is about.
func instrPos(instr ssa.Instruction) token.Pos {
	if pos := instr.Pos(); pos.IsValid() {
		return pos
	}
	switch instr := instr.(type) {
	case *ssa.If:
		return valuePos(instr.Cond)
	case *ssa.UnOp:
		return valuePos(instr.X)
	case *ssa.Store:
		if pos := valuePos(instr.Addr); pos.IsValid() {
			return pos
		}
		return valuePos(instr.Val)
	case *ssa.MakeInterface:
		return valuePos(instr.X)
	case *ssa.Extract:
		return valuePos(instr.Tuple)
	case *ssa.Slice:
		return valuePos(instr.X)
	case *ssa.Return:
		for _, v := range instr.Results {
			if pos := valuePos(v); pos.IsValid() {
				return pos
			}
		}
	case ssa.CallInstruction:
		return instr.Common().Pos()
	}
	return token.NoPos
}

// returnPos returns the place at which a block returns, where deferred calls seem to
// be made: that of its return statement or the end of the function.
func (c *compiler) returnPos(b *ssa.BasicBlock) token.Pos {
	if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && ret.Pos().IsValid() {
		return ret.Pos()
	}
	var body *ast.BlockStmt
	switch fn := c.fn.Syntax().(type) {
	case *ast.FuncDecl:
		body = fn.Body
	case *ast.FuncLit:
		body = fn.Body
	}
	if body == nil || !body.Rbrace.IsValid() {
		return c.pos
	}
	return body.Rbrace
}

// valuePos returns the position of the instruction that computes v.
func valuePos(v ssa.Value) token.Pos {
	if instr, ok := v.(ssa.Instruction); ok {
		if _, phi := v.(*ssa.Phi); !phi {
			return instr.Pos()
		}
	}
	return token.NoPos
}

// blockPos returns a position to start block b with: that of its first
// instruction that has one, else of its dominators, else of the function.
func (c *compiler) blockPos(b *ssa.BasicBlock) token.Pos {
	for ; b != nil; b = b.Idom() {
		for _, instr := range b.Instrs {
			if pos := instrPos(instr); pos.IsValid() {
				return pos
			}
		}
	}
	return c.p.sourcePos(c.fn)
}
