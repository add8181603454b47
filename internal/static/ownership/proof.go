package ownership

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// A proof that components have at most one root looks at all functions, until what is known of
// those that they call is what has been found out of these.
type proof struct {
	*Program
	edges     *edges
	summaries map[*callgraph.Node]*summary
	failed    bool
}

// A summary says what a call of a function does to the components of its parameters, by their indices.
type summary struct {
	joined  map[[2]int]bool // pairs that it may join
	outside map[int]bool    // those that it may join with a component that has a root and is of no parameter
	results []result
	// together has pairs of results that may be in one new component.
	together map[[2]int]bool
}

// A result says to which components one may lead.
type result struct {
	of     map[int]bool // those of parameters
	fresh  bool         // a new one, without a root
	rooted bool         // one that may have a root
}

func (s *summary) equal(t *summary) bool {
	return maps.Equal(s.joined, t.joined) && maps.Equal(s.outside, t.outside) && maps.Equal(s.together, t.together) &&
		slices.EqualFunc(s.results, t.results, func(a, b result) bool {
			return a.fresh == b.fresh && a.rooted == b.rooted && maps.Equal(a.of, b.of)
		})
}

func newProof(p *Program, e *edges) *proof {
	return &proof{Program: p, edges: e, summaries: make(map[*callgraph.Node]*summary)}
}

// holds reports whether nothing joins components that may both have a root.
func (p *proof) holds() bool {
	graph := p.cfg.Calls
	waits := make(map[*callgraph.Node]bool)
	var work []*callgraph.Node
	for _, n := range slices.Backward(graph.Nodes) { // more or less the called ones first
		if n.Body != nil {
			work = append(work, n)
			waits[n] = true
		}
	}
	for len(work) > 0 && !p.failed {
		n := work[0]
		work = work[1:]
		waits[n] = false
		s := (&function{proof: p, node: n}).summary()
		if known := p.summaries[n]; known != nil && known.equal(s) || known == nil && s.equal(&summary{}) {
			continue
		}
		p.summaries[n] = s
		for _, site := range n.Callers() {
			if by := site.Caller; by.Body != nil && !waits[by] {
				waits[by] = true
				work = append(work, by)
			}
		}
	}
	for n, s := range p.summaries {
		if byMachine := graph.ByMachine(n); (byMachine || graph.Root(n)) &&
			(len(s.outside) > 0 || len(s.joined) > 0 && (!byMachine || p.reflects)) {
			return false // who calls it may give it anything; but timers, finalizers and cleanups give one argument at most
		}
	}
	return !p.failed
}

// isInLoop reports whether a block may be executed more than once in a call.
func (p *Program) isInLoop(b *ssa.BasicBlock) bool {
	is, known := p.loops[b]
	if !known {
		p.findLoops(b.Parent())
		is = p.loops[b]
	}
	return is
}

// findLoops finds the blocks of a function that are in loops: those in strongly connected
// components with an edge (Tarjan).
func (p *Program) findLoops(fn *ssa.Function) {
	n := len(fn.Blocks)
	index, low, on := make([]int, n), make([]int, n), make([]bool, n)
	var stack []*ssa.BasicBlock
	next := 0
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		next++
		index[b.Index], low[b.Index], on[b.Index] = next, next, true
		stack = append(stack, b)
		for _, s := range b.Succs {
			if index[s.Index] == 0 {
				visit(s)
				low[b.Index] = min(low[b.Index], low[s.Index])
			} else if on[s.Index] {
				low[b.Index] = min(low[b.Index], index[s.Index])
			}
		}
		if low[b.Index] != index[b.Index] {
			return
		}
		at := slices.Index(stack, b)
		members := stack[at:]
		stack = stack[:at]
		for _, m := range members {
			on[m.Index] = false
			p.loops[m] = len(members) > 1 || slices.Contains(m.Succs, m)
		}
	}
	for _, b := range fn.Blocks {
		if index[b.Index] == 0 {
			visit(b)
		}
	}
}
