package synchronisation

import (
	"context"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/loop"
)

// goesRound is what decides a branch that depends on what a loop computes.
const goesRound = "how often a loop goes round"

// Repeating returns the branches of a program on which it depends how often something is done that
// does not synchronise, and which an input may decide: those that end a loop, and all of functions
// that call themselves (Bergan, section 3.4.2). With them as [Options.Repeating], what is computed
// there is taken as a whole, and may be any.
func Repeating(ctx context.Context, a *static.Analysis, o *Operations, opt Options) (map[*ssa.If]bool, error) {
	opt.Borders, opt.Unknown = false, true // what has a source may depend on an input
	s, err := newSlice(ctx, a, o, opt)
	if err != nil {
		return nil, err
	}
	loops, err := a.Loops(ctx)
	if err != nil {
		return nil, err
	}
	list := make(map[*ssa.If]bool)
	for _, n := range o.calls.Nodes {
		if n.Body == nil || !o.own(n.Body) {
			continue
		}
		again := !o.May(n) && o.callsItself(n)
		for _, b := range n.Body.Blocks {
			br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
			if !ok || !again && !s.endsLoop(loops, br) {
				continue
			}
			s.empty()
			s.search = &search{}
			s.value(br.Cond)
			if err := s.complete(ctx); err != nil {
				return nil, err
			}
			if len(s.order) > 0 {
				list[br] = true
			}
		}
	}
	return list, nil
}

// endsLoop reports whether a branch may end a loop that does not synchronise.
func (s *Slice) endsLoop(loops *loop.Finder, br *ssa.If) bool {
	g := s.analysis.Control(br.Parent())
	if g == nil {
		return false
	}
	at := g.At(br)
	return slices.ContainsFunc(loops.Of(g), func(l *loop.Loop) bool {
		leaves := func(to *ssa.BasicBlock) bool { return !slices.Contains(l.Nodes, g.At(to.Instrs[0])) }
		return slices.Contains(l.Nodes, at) && slices.ContainsFunc(br.Block().Succs, leaves) && !s.synchronises(l)
	})
}

// synchronises reports whether a loop may synchronise.
func (s *Slice) synchronises(l *loop.Loop) bool {
	for _, node := range l.Nodes {
		if slices.ContainsFunc(node.Instrs, s.maySynchronise) {
			return true
		}
	}
	return false
}

// callsItself reports whether a function may be called again by what it calls.
func (o *Operations) callsItself(n *callgraph.Node) bool {
	seen := make(map[*callgraph.Node]bool)
	for work := []*callgraph.Node{n}; len(work) > 0; work = work[1:] {
		for _, site := range work[0].Sites {
			for _, callee := range site.Callees() {
				if callee == n {
					return true
				}
				if !seen[callee] && callee.Body != nil && o.own(callee.Body) {
					seen[callee] = true
					work = append(work, callee)
				}
			}
		}
	}
	return false
}
