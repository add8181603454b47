package control

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// Endings say which functions may return. What calls only functions that never do, and does not
// recover, never returns itself.
type Endings struct {
	graph   *callgraph.Graph
	returns []bool // by callgraph.Node.ID
}

// EndingsOf finds the functions of a graph that may return.
func EndingsOf(g *callgraph.Graph) *Endings {
	e := &Endings{graph: g, returns: make([]bool, len(g.Nodes))}
	// The least solution: a function is taken not to return until a way to a return is seen, on which all
	// calls return.
	work := make([]*callgraph.Node, 0, len(g.Nodes))
	queued := make([]bool, len(g.Nodes))
	for i := len(g.Nodes) - 1; i >= 0; i-- {
		work = append(work, g.Nodes[i])
		queued[i] = true
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		queued[n.ID] = false
		if e.returns[n.ID] || !e.mayReturn(n) {
			continue
		}
		e.returns[n.ID] = true
		for _, s := range n.Callers() {
			if c := s.Caller; !e.returns[c.ID] && !queued[c.ID] {
				queued[c.ID] = true
				work = append(work, c)
			}
		}
	}
	return e
}

// Returns reports whether a function may return.
func (e *Endings) Returns(n *callgraph.Node) bool { return e.returns[n.ID] }

// Call reports whether a call may return: some function that it may call does. Calls that are not in
// the graph may.
func (e *Endings) Call(call ssa.CallInstruction) bool {
	s := e.graph.Site(call)
	if s == nil {
		return true
	}
	for _, c := range s.Callees() {
		if e.returns[c.ID] {
			return true
		}
	}
	return false // even if there is no callee: nil is called then
}

// mayReturn reports whether there is a way through the code of n on which all calls return.
func (e *Endings) mayReturn(n *callgraph.Node) bool {
	if n.Body == nil {
		return !n.Ends()
	}
	if e.graph.Recovers(n) {
		return true
	}
	seen := make([]bool, len(n.Body.Blocks))
	work := []*ssa.BasicBlock{n.Body.Blocks[0]}
	seen[0] = true
next:
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Return:
				return true
			case *ssa.Call:
				if !e.Call(instr) {
					continue next
				}
			}
		}
		for _, s := range b.Succs {
			if !seen[s.Index] {
				seen[s.Index] = true
				work = append(work, s)
			}
		}
	}
	return false
}
