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

	// result is the call whose result it is, when that is its first
	// definition, and argument the one that takes it, from word offset of the
	// window on, when that is all it is for.
	result   *callSite
	argument *callSite
	offset   int32
}

// A callSite is a call and its number.
type callSite struct {
	at   int32
	call *ssa.CallCommon
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
			if at := c.preferred(active, w); at >= 0 && fits(taken, at, w.words) {
				w.reg = at
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

// preferred returns the register where w needs no move from or to the window
// of a call, -1 when there is none. For arguments it is a guess: values that
// come to life later may raise the window.
func (c *compiler) preferred(active []*web, w *web) int32 {
	switch {
	case w.result != nil:
		return c.windowBase(active, w.result, w)
	case w.argument != nil:
		return c.windowBase(active, w.argument, w) + w.offset
	}
	return -1
}

// windowBase returns where the window of a call begins: above all webs
// that hold something across it, but for except, and above what it calls.
func (c *compiler) windowBase(active []*web, site *callSite, except *web) int32 {
	base := int32(0)
	for _, a := range active {
		if a != except && a.covers(2*site.at+1) {
			base = max(base, a.end())
		}
	}
	switch fn := site.call.Value.(type) {
	case *ssa.Function, *ssa.Builtin:
	default:
		if r, ok := c.location(fn); ok {
			base = max(base, r+int32(c.words(fn.Type())))
		}
	}
	return base
}

// markCalls notes the webs that begin as the result of a call, and those that
// are only an argument of one.
func (c *compiler) markCalls() {
	for i := range c.blocks {
		for j, instr := range c.blocks[i].Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			common := call.Common()
			site := &callSite{c.first[i] + 1 + int32(j), common}
			if v := call.Value(); v != nil && isCall(v) {
				if n := c.values[v].node; n != nil && n.web.ranges[0].from == 2*site.at+1 {
					n.web.result = site
				}
			} else if v != nil {
				continue // a builtin
			}
			offset := int32(0)
			if common.IsInvoke() {
				offset = 1
			}
			for _, arg := range common.Args {
				if n := c.ownNode(arg); n != nil && len(n.web.nodes) == 1 && n.web.result == nil && !n.variable && len(*arg.Referrers()) == 1 {
					n.web.argument, n.web.offset = site, offset
				}
				offset += int32(c.words(arg.Type()))
			}
		}
	}
}

// A copying is a place where the value of one node moves to another.
type copying struct {
	to, from *node
	loops    int
}

// coalesce merges the webs of nodes between which values move, where their
// ranges allow it, so that no move is needed. Places within loops go first:
// they are passed most.
func (c *compiler) coalesce() {
	var list []copying
	for i := range c.blocks {
		b := &c.blocks[i]
		for _, instr := range b.Instrs {
			list = c.copyings(list, b, instr)
		}
	}
	slices.SortStableFunc(list, func(a, b copying) int { return cmp.Compare(b.loops, a.loops) })
	for _, m := range list {
		a, b := m.to.web, m.from.web
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

// copyings appends to list the moves that instr stands for: into phis, and
// into and out of variables in registers.
func (c *compiler) copyings(list []copying, b *block, instr ssa.Instruction) []copying {
	add := func(to, from *node, loops int) {
		if to != nil && from != nil {
			list = append(list, copying{to, from, loops})
		}
	}
	switch instr := instr.(type) {
	case *ssa.Phi:
		for k, v := range instr.Edges {
			if pred := c.index[b.Preds[k].Index]; pred >= 0 {
				add(c.values[instr].node, c.ownNode(v), c.blocks[pred].loops)
			}
		}
	case *ssa.Store:
		if n, whole := c.defined(instr); whole {
			add(n, c.ownNode(instr.Val), b.loops)
		}
	case *ssa.UnOp:
		if alloc, off, ok := c.variable(instr.X); ok && off == 0 {
			add(c.ownNode(instr), c.values[alloc].node, b.loops)
		}
	}
	return list
}

// ownNode returns the node of v when v is kept on its own, else nil.
func (c *compiler) ownNode(v ssa.Value) *node {
	if val := c.values[v]; val != nil && val.role == own {
		return val.node
	}
	return nil
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
