package regalloc

import (
	"cmp"
	"slices"
)

// A web is a set of nodes that share registers: those between which values move and
// that are not needed at the same time. Most webs have one node.
type web struct {
	nodes  []*Node
	words  int32
	fixed  bool
	reg    int32
	ranges []span // of all nodes, in ascending order

	// result is the call whose result the web holds first. argument is the call that
	// takes the web, when that is all it is for, at word offset of the window.
	result   *Call
	argument *Call
	offset   int32
}

// end returns the register after those of w.
func (w *web) end() int32 { return w.reg + w.words }

// covers reports whether w holds something at time t.
func (w *web) covers(t int32) bool {
	i, found := slices.BinarySearchFunc(w.ranges, t, func(s span, t int32) int { return cmp.Compare(s.from, t) })
	if found {
		return true
	}
	return i > 0 && t < w.ranges[i-1].to
}

// makeWebs makes the webs of the nodes of f and returns those that need registers, by
// the start of their ranges.
func (f *Function) makeWebs() []*web {
	for _, n := range f.nodes {
		n.web = &web{nodes: []*Node{n}, words: int32(n.Words), fixed: n.Fixed, reg: n.Reg, ranges: n.ranges}
	}
	f.coalesce()
	var webs []*web
	for _, n := range f.nodes {
		if n.web.nodes[0] == n && n.Live() {
			webs = append(webs, n.web)
		}
	}
	f.markCalls()
	slices.SortStableFunc(webs, func(a, b *web) int {
		return cmp.Or(cmp.Compare(a.ranges[0].from, b.ranges[0].from), cmp.Compare(a.nodes[0].id, b.nodes[0].id))
	})
	return webs
}

// coalesce merges the webs of nodes between which values move, where their ranges allow
// it, so that no move is needed. Places within loops come first: they are executed most.
func (f *Function) coalesce() {
	slices.SortStableFunc(f.Copies, func(a, b Copy) int { return cmp.Compare(b.Loops, a.Loops) })
	for _, m := range f.Copies {
		a, b := m.To.web, m.From.web
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

// markCalls marks the webs that begin as the result of a call, and those that are only
// an argument of one.
func (f *Function) markCalls() {
	for i := range f.Blocks {
		b := &f.Blocks[i]
		for j := range b.Instrs {
			call := b.Instrs[j].Call
			if call == nil {
				continue
			}
			call.at = b.first + 1 + int32(j)
			if n := call.Result; n != nil && n.web.ranges[0].from == 2*call.at+1 {
				n.web.result = call
			}
			for _, arg := range call.Args {
				if w := arg.Node.web; len(w.nodes) == 1 && w.result == nil {
					w.argument, w.offset = call, arg.Offset
				}
			}
		}
	}
}
