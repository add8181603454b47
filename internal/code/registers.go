package code

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A web is a set of nodes that share registers: a phi and those of its edges
// that are not needed at the same time. Most webs have one node.
type web struct {
	nodes  []*node
	words  int32
	fixed  bool
	reg    int32
	ranges []span // of all nodes, in ascending order
	call   int32  // number of the call whose result it is, when that is its first definition; else 0
}

func (w *web) end() int32 { return w.reg + w.words }

// covers says whether w holds something at time t.
func (w *web) covers(t int32) bool {
	i, found := slices.BinarySearchFunc(w.ranges, t, func(s span, t int32) int { return cmp.Compare(s.from, t) })
	if found {
		return true
	}
	return i > 0 && t < w.ranges[i-1].to
}

// overlap says whether two lists of ranges have a time in common.
func overlap(a, b []span) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].to <= b[0].from:
			a = a[1:]
		case b[0].to <= a[0].from:
			b = b[1:]
		default:
			return true
		}
	}
	return false
}

// allocate gives every node its registers.
func (c *compiler) allocate() {
	for _, n := range c.nodes {
		n.web = &web{nodes: []*node{n}, words: int32(n.words), fixed: n.fixed, reg: n.reg, ranges: n.ranges}
	}
	c.coalesce()
	for _, n := range c.nodes {
		if n.web.nodes[0] == n && len(n.ranges) > 0 {
			c.webs = append(c.webs, n.web)
		}
	}
	c.markCalls()
	slices.SortStableFunc(c.webs, func(a, b *web) int {
		return cmp.Or(cmp.Compare(a.ranges[0].from, b.ranges[0].from), cmp.Compare(a.nodes[0].id, b.nodes[0].id))
	})
	c.top = int32(c.f.Params)
	var active []*web
	var taken []bool
	for _, w := range c.webs {
		start := w.ranges[0].from
		active = slices.DeleteFunc(active, func(a *web) bool { return a.ranges[len(a.ranges)-1].to <= start })
		if !w.fixed {
			taken = c.taken(taken, active, w)
			w.reg = -1
			if w.call > 0 {
				// Where the call leaves it, if that stays free.
				if at := c.windowAbove(active, w.call, w); fits(taken, at, w.words) {
					w.reg = at
				}
			}
			for r := int32(0); w.reg < 0; r++ {
				if fits(taken, r, w.words) {
					w.reg = r
				}
			}
		}
		for _, n := range w.nodes {
			n.reg = w.reg
		}
		c.top = max(c.top, w.end())
		active = append(active, w)
	}
}

// taken marks the registers of the active webs that w cannot share.
func (c *compiler) taken(marks []bool, active []*web, w *web) []bool {
	marks = marks[:0]
	for _, a := range active {
		if !overlap(a.ranges, w.ranges) {
			continue
		}
		for int32(len(marks)) < a.end() {
			marks = append(marks, false)
		}
		for r := a.reg; r < a.end(); r++ {
			marks[r] = true
		}
	}
	return marks
}

// fits says whether the n registers from r on are not taken.
func fits(taken []bool, r, n int32) bool {
	for i := r; i < r+n && i < int32(len(taken)); i++ {
		if taken[i] {
			return false
		}
	}
	return true
}

// windowAbove returns where the window of the call with number at lies: above
// all webs that hold something across it, but for the web of its result.
func (c *compiler) windowAbove(active []*web, at int32, result *web) int32 {
	base := int32(0)
	for _, a := range active {
		if a != result && a.covers(2*at+1) {
			base = max(base, a.end())
		}
	}
	return base
}

// markCalls notes which webs begin as the result of a call.
func (c *compiler) markCalls() {
	for i := range c.blocks {
		for j, instr := range c.blocks[i].Instrs {
			v, ok := instr.(ssa.Value)
			if !ok || !isCall(v) {
				continue
			}
			at := c.first[i] + 1 + int32(j)
			if n := c.values[v].node; n != nil && len(n.ranges) > 0 && n.web.ranges[0].from == 2*at+1 && c.directCallee(instr) {
				n.web.call = at
			}
		}
	}
}

// directCallee says whether the window of a call depends on live ranges alone:
// dynamic calls keep what they call below it.
func (c *compiler) directCallee(instr ssa.Instruction) bool {
	return instr.(*ssa.Call).Call.StaticCallee() != nil && instr.(*ssa.Call).Call.Value == ssa.Value(instr.(*ssa.Call).Call.StaticCallee())
}

// coalesce merges the webs of phis with those of their edges where their
// ranges allow it, so that no move is needed on the edge. Edges from within
// loops go first: they are taken most.
func (c *compiler) coalesce() {
	type edge struct {
		phi   *node
		from  *node
		loops int
	}
	var edges []edge
	for i := range c.blocks {
		b := &c.blocks[i]
		for _, instr := range b.Instrs {
			phi, ok := instr.(*ssa.Phi)
			if !ok {
				break
			}
			n := c.values[phi].node
			if n == nil {
				continue
			}
			for k, v := range phi.Edges {
				val := c.values[v]
				pred := c.index[b.Preds[k].Index]
				if val == nil || val.role != own || val.node == nil || val.node.variable || pred < 0 {
					continue
				}
				edges = append(edges, edge{n, val.node, c.blocks[pred].loops})
			}
		}
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(b.loops, a.loops) })
	for _, e := range edges {
		a, b := e.phi.web, e.from.web
		if a == b || a.words != b.words || a.fixed && b.fixed || overlap(a.ranges, b.ranges) {
			continue
		}
		if a.nodes[0].id > b.nodes[0].id {
			a, b = b, a
		}
		if b.fixed {
			a.fixed, a.reg = true, b.reg
		}
		a.ranges = merge(a.ranges, b.ranges)
		a.nodes = append(a.nodes, b.nodes...)
		for _, n := range b.nodes {
			n.web = a
		}
	}
}

// merge returns the union of two lists of disjoint ranges.
func merge(a, b []span) []span {
	out := make([]span, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].from < b[0].from {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return out
}
