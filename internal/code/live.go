package code

import (
	"math/bits"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Instructions are numbered in layout order: 0 is the prologue, then each block
// takes one number for its entry and one for each instruction. Instruction i
// reads its operands at time 2i and writes its result at time 2i+1; one that
// writes early does so at 2i already.

// A span is a run of times, from included, to excluded, in which a node holds
// something that is still needed.
type span struct{ from, to int32 }

// A nodeSet is a set of nodes, by id.
type nodeSet []uint64

func (s nodeSet) has(n *node) bool { return s[n.id/64]&(1<<(n.id%64)) != 0 }
func (s nodeSet) add(n *node)      { s[n.id/64] |= 1 << (n.id % 64) }
func (s nodeSet) remove(n *node)   { s[n.id/64] &^= 1 << (n.id % 64) }

// each calls f for every node of s in ascending order.
func (c *compiler) each(s nodeSet, f func(*node)) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			f(c.nodes[i*64+bits.TrailingZeros64(word)])
		}
	}
}

// liveness computes the ranges of all nodes.
func (c *compiler) liveness() {
	c.numberAll()
	in, out := c.liveSets()
	kept := c.keptForRecover(in)
	for i := len(c.blocks) - 1; i >= 0; i-- {
		c.blockRanges(i, out[i], kept)
	}
	for _, v := range c.prologue() {
		v.define(1)
	}
	for _, n := range c.nodes {
		if n.fixed {
			n.define(0)
		}
		slices.Reverse(n.ranges)
	}
	c.each(kept, func(n *node) {
		// A panic can come from anywhere, so it is kept from its first
		// definition to the end.
		if len(n.ranges) > 0 {
			n.ranges = []span{{n.ranges[0].from, 2 * c.instrs}}
		}
	})
}

// numberAll gives numbers to blocks and instructions.
func (c *compiler) numberAll() {
	c.first = make([]int32, len(c.blocks))
	n := int32(1)
	for i := range c.blocks {
		c.first[i] = n
		n += 1 + int32(len(c.blocks[i].Instrs))
	}
	c.instrs = n
}

// liveSets returns the nodes live at the entry and at the end of each block.
// Phis are defined at the entry of their block, their edges used at the ends of
// the predecessors.
func (c *compiler) liveSets() (in, out []nodeSet) {
	words := (len(c.nodes) + 63) / 64
	sets := make(nodeSet, 4*words*len(c.blocks))
	next := func() nodeSet {
		s := sets[:words:words]
		sets = sets[words:]
		return s
	}
	use, kill := make([]nodeSet, len(c.blocks)), make([]nodeSet, len(c.blocks))
	in, out = make([]nodeSet, len(c.blocks)), make([]nodeSet, len(c.blocks))
	for i := range c.blocks {
		use[i], kill[i], in[i], out[i] = next(), next(), next(), next()
		for j := len(c.blocks[i].Instrs) - 1; j >= 0; j-- {
			instr := c.blocks[i].Instrs[j]
			if n, whole := c.defined(instr); n != nil && whole {
				kill[i].add(n)
				use[i].remove(n)
			}
			c.uses(instr, use[i].add)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(c.blocks) - 1; i >= 0; i-- {
			b := &c.blocks[i]
			for _, s := range b.Succs {
				for w, bits := range in[c.index[s.Index]] {
					out[i][w] |= bits
				}
				c.edgeUses(b.BasicBlock, s, out[i].add)
			}
			for w := range words {
				live := use[i][w] | out[i][w]&^kill[i][w]
				if live != in[i][w] {
					in[i][w] = live
					changed = true
				}
			}
		}
	}
	return in, out
}

// keptForRecover returns the nodes that the block for recovered panics needs.
func (c *compiler) keptForRecover(in []nodeSet) nodeSet {
	if r := c.fn.Recover; r != nil && len(r.Preds) == 0 && c.index[r.Index] > 0 {
		return in[c.index[r.Index]]
	}
	return nil
}

// blockRanges adds the ranges of block i, last first.
func (c *compiler) blockRanges(i int, out, kept nodeSet) {
	b := &c.blocks[i]
	begin := 2 * c.first[i]
	end := begin + 2*int32(1+len(b.Instrs))
	c.each(out, func(n *node) { n.live(begin, end) })
	for j := len(b.Instrs) - 1; j >= 0; j-- {
		instr := b.Instrs[j]
		at := 2 * (c.first[i] + 1 + int32(j))
		if n, whole := c.defined(instr); n != nil {
			_, phi := instr.(*ssa.Phi)
			switch {
			case phi:
				n.define(begin)
			case !whole:
				n.live(at, at+2)
			case n.early:
				n.define(at)
			default:
				n.define(at + 1)
			}
			if alloc, ok := instr.(*ssa.Alloc); ok && n.variable && n.ranges[len(n.ranges)-1].to == at+2 && (kept == nil || !kept.has(n)) {
				c.overwritten[alloc] = true
			}
		}
		c.uses(instr, func(n *node) { n.live(begin, at+1) })
	}
}

// live adds a range. Ranges come in from the last to the first.
func (n *node) live(from, to int32) {
	if k := len(n.ranges); k > 0 {
		if last := &n.ranges[k-1]; last.from <= to {
			last.from = min(last.from, from)
			last.to = max(last.to, to)
			return
		}
	}
	n.ranges = append(n.ranges, span{from, to})
}

// define ends the ranges of n at time from: before, it holds nothing.
func (n *node) define(from int32) {
	if k := len(n.ranges); k > 0 {
		if last := &n.ranges[k-1]; last.from <= from && from < last.to {
			last.from = from
			return
		}
	}
	// It is never read, but something may be written here all the same.
	n.ranges = append(n.ranges, span{from, from + 2 - from%2})
}

// defined returns the node that instr writes, and whether it writes all of it.
func (c *compiler) defined(instr ssa.Instruction) (n *node, whole bool) {
	switch instr := instr.(type) {
	case *ssa.Store:
		alloc, off, ok := c.variable(instr.Addr)
		if !ok {
			return nil, false
		}
		n = c.values[alloc].node
		return n, n != nil && off == 0 && c.words(instr.Val.Type()) == n.words
	case ssa.Value:
		if v := c.values[instr]; v.role == own {
			return v.node, true
		}
	}
	return nil, false
}

// uses calls f with every node that instr reads where it stands. The edges of
// phis are no uses of theirs.
func (c *compiler) uses(instr ssa.Instruction, f func(*node)) {
	if _, ok := instr.(*ssa.Phi); ok {
		return
	}
	if v, ok := instr.(ssa.Value); ok && c.values[v].role != own {
		return
	}
	if store, ok := instr.(*ssa.Store); ok {
		if c.inFoldedAppend(store) {
			return
		}
		if n, whole := c.defined(store); n != nil {
			c.reach(store.Val, f)
			if !whole {
				f(n)
			}
			return
		}
	}
	if next, ok := instr.(*ssa.Next); ok && next.IsString {
		c.reach(next.Iter.(*ssa.Range).X, f)
	}
	var space [8]*ssa.Value
	for _, operand := range instr.Operands(space[:0]) {
		if *operand != nil {
			c.reach(*operand, f)
		}
	}
}

// edgeUses calls f with the nodes that the phis of s read on the edge from b.
func (c *compiler) edgeUses(b, s *ssa.BasicBlock, f func(*node)) {
	k := slices.Index(s.Preds, b)
	for _, instr := range s.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		if c.values[phi].role == own {
			c.reach(phi.Edges[k], f)
		}
	}
}

// reach calls f with the nodes that have to be live for operand v to be had.
func (c *compiler) reach(v ssa.Value, f func(*node)) {
	val := c.values[v]
	if val == nil {
		if n := c.pinned[keyOf(v)]; n != nil {
			f(n)
		}
		return
	}
	switch val.role {
	case own:
		if val.node != nil {
			f(val.node)
		}
	case part:
		c.reach(val.base, f)
	case folded:
		if instr, ok := v.(ssa.Instruction); ok {
			if app := c.appends[v]; app != nil {
				for _, e := range app.elems {
					c.reach(e, f)
				}
				return
			}
			var space [8]*ssa.Value
			for _, operand := range instr.Operands(space[:0]) {
				if *operand != nil {
					c.reach(*operand, f)
				}
			}
		}
	}
}

// prologue returns the nodes that are written before the first instruction:
// captured variables and pinned constants.
func (c *compiler) prologue() []*node {
	var list []*node
	for _, fv := range c.fn.FreeVars {
		if n := c.values[fv].node; n != nil && len(n.ranges) > 0 {
			list = append(list, n)
		}
	}
	for _, k := range c.pins {
		list = append(list, c.pinned[k])
	}
	return list
}
