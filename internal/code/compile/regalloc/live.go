package regalloc

import (
	"math/bits"
	"slices"
)

// number gives numbers to the entries of blocks, in order: 0 is the entry of the
// function, and each block takes one number for its entry and one for each instruction.
// It returns how many there are.
func (f *Function) number() int32 {
	n := int32(1)
	for i := range f.Blocks {
		f.Blocks[i].first = n
		n += 1 + int32(len(f.Blocks[i].Instrs))
	}
	return n
}

// liveness computes the ranges of all nodes.
func (f *Function) liveness(instrs int32) {
	in, out := f.liveSets()
	var kept nodeSet
	if f.Recover > 0 {
		kept = in[f.Recover]
	}
	for i := len(f.Blocks) - 1; i >= 0; i-- {
		f.blockRanges(&f.Blocks[i], out[i], kept)
	}
	for _, n := range f.Entry {
		n.define(1)
	}
	for _, n := range f.nodes {
		if n.Fixed {
			n.define(0)
		}
		slices.Reverse(n.ranges)
	}
	f.each(kept, func(n *Node) {
		// A panic can come from anywhere, so the node is kept from its first
		// definition to the end.
		if n.Live() {
			n.ranges = []span{{n.ranges[0].from, 2 * instrs}}
		}
	})
}

// liveSets returns the nodes that are live at the entry and at the end of each block.
func (f *Function) liveSets() (in, out []nodeSet) {
	words := (len(f.nodes) + 63) / 64
	sets := make(nodeSet, 4*words*len(f.Blocks))
	next := func() nodeSet {
		s := sets[:words:words]
		sets = sets[words:]
		return s
	}
	use, kill := make([]nodeSet, len(f.Blocks)), make([]nodeSet, len(f.Blocks))
	in, out = make([]nodeSet, len(f.Blocks)), make([]nodeSet, len(f.Blocks))
	for i := range f.Blocks {
		b := &f.Blocks[i]
		use[i], kill[i], in[i], out[i] = next(), next(), next(), next()
		for j := len(b.Instrs) - 1; j >= 0; j-- {
			instr := &b.Instrs[j]
			if n := instr.Def; n != nil && !instr.Part {
				kill[i].add(n)
				use[i].remove(n)
			}
			for _, n := range instr.Uses {
				use[i].add(n)
			}
		}
		for _, n := range b.Out {
			out[i].add(n)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(f.Blocks) - 1; i >= 0; i-- {
			for _, s := range f.Blocks[i].Succs {
				for w, bits := range in[s] {
					out[i][w] |= bits
				}
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

// blockRanges adds the ranges of block b, last first.
func (f *Function) blockRanges(b *Block, out, kept nodeSet) {
	begin := 2 * b.first
	end := begin + 2*int32(1+len(b.Instrs))
	f.each(out, func(n *Node) { n.live(begin, end) })
	for j := len(b.Instrs) - 1; j >= 0; j-- {
		instr := &b.Instrs[j]
		at := 2 * (b.first + 1 + int32(j))
		if n := instr.Def; n != nil {
			switch {
			case instr.Phi:
				n.define(begin)
			case instr.Part:
				n.live(at, at+2)
			case n.Early:
				n.define(at)
			default:
				n.define(at + 1)
			}
			instr.Unread = n.ranges[len(n.ranges)-1].to == at+2 && (kept == nil || !kept.has(n))
		}
		for _, n := range instr.Uses {
			n.live(begin, at+1)
		}
	}
}

// live adds a range. Ranges are added from the last to the first.
func (n *Node) live(from, to int32) {
	if k := len(n.ranges); k > 0 {
		if last := &n.ranges[k-1]; last.from <= to {
			last.from = min(last.from, from)
			last.to = max(last.to, to)
			return
		}
	}
	n.ranges = append(n.ranges, span{from, to})
}

// define begins the range of n at time from: before, it holds nothing.
func (n *Node) define(from int32) {
	if k := len(n.ranges); k > 0 {
		if last := &n.ranges[k-1]; last.from <= from && from < last.to {
			last.from = from
			return
		}
	}
	// It is never read, but the instruction writes to its registers nevertheless.
	n.ranges = append(n.ranges, span{from, from + 2 - from%2})
}

// A nodeSet is a set of nodes, by id.
type nodeSet []uint64

func (s nodeSet) has(n *Node) bool { return s[n.id/64]&(1<<(n.id%64)) != 0 }
func (s nodeSet) add(n *Node)      { s[n.id/64] |= 1 << (n.id % 64) }
func (s nodeSet) remove(n *Node)   { s[n.id/64] &^= 1 << (n.id % 64) }

// each calls do for every node of s in ascending order.
func (f *Function) each(s nodeSet, do func(*Node)) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			do(f.nodes[i*64+bits.TrailingZeros64(word)])
		}
	}
}
