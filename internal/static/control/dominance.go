package control

import (
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/code/dominance"
)

// A Dependence is a way out of a branch that makes it certain that a node is reached, where another
// way does not.
type Dependence struct {
	Branch *Node
	Succ   int // index in Branch.Succs
}

func (d Dependence) name(g *Graph) string {
	if d.Branch == g.Start {
		return "entered"
	}
	side := fmt.Sprint(d.Succ)
	if len(d.Branch.Block.Succs) == 2 && !d.Branch.Abrupt && len(d.Branch.Succs) >= 2 {
		side = [...]string{"true", "false"}[min(d.Succ, 1)]
	}
	return d.Branch.name(g) + " " + side
}

// Post returns the immediate post-dominator of a node: the first one that each way from it to the exit
// passes. It is nil for the exit.
func (g *Graph) Post(n *Node) *Node { return g.post[n.ID] }

// PostDominates reports whether each way from b to the exit passes a, or b is a.
func (g *Graph) PostDominates(a, b *Node) bool {
	for b != nil && g.depth[b.ID] > g.depth[a.ID] {
		b = g.post[b.ID]
	}
	return a == b
}

// postDominators sets post and depth.
func (g *Graph) postDominators() {
	post, order := dominance.Post(len(g.Nodes), g.Exit, func(n *Node) int { return n.ID },
		func(n *Node) []*Node { return n.Succs }, func(n *Node) []*Node { return n.Preds })
	g.post = make([]*Node, len(g.Nodes))
	for i, p := range post {
		if p >= 0 && g.Nodes[i] != g.Exit {
			g.post[i] = g.Nodes[p]
		}
	}
	g.depth = make([]int32, len(g.Nodes))
	for _, n := range slices.Backward(order) {
		if p := g.post[n.ID]; p != nil {
			g.depth[n.ID] = g.depth[p.ID] + 1
		}
	}
}

// Dependences returns what decides whether a node is reached: the branches with the sides that
// lead to it, the nearest ones only. What is always reached depends on the start of the function.
func (g *Graph) Dependences(n *Node) []Dependence {
	if g.deps == nil {
		g.dependences()
	}
	return g.deps[n.ID]
}

// dependences sets deps.
func (g *Graph) dependences() {
	g.deps = make([][]Dependence, len(g.Nodes))
	for _, a := range g.Nodes {
		// The start has the exit for a second successor, as it were.
		if a == g.Start {
			for i, s := range a.Succs {
				for n := s; n != g.Exit; n = g.post[n.ID] {
					if list := g.deps[n.ID]; len(list) == 0 || list[len(list)-1].Branch != a {
						g.deps[n.ID] = append(g.deps[n.ID], Dependence{a, i})
					}
				}
			}
			continue
		}
		if len(a.Succs) < 2 {
			continue
		}
		for i, s := range a.Succs {
			for n := s; n != g.post[a.ID]; n = g.post[n.ID] {
				g.deps[n.ID] = append(g.deps[n.ID], Dependence{a, i})
			}
		}
	}
}

// Sanity returns an error that says which invariant of the graph does not hold.
func (g *Graph) Sanity() error {
	for i, n := range g.Nodes {
		if n.ID != i {
			return fmt.Errorf("control: node %d has the number %d", i, n.ID)
		}
		if len(n.Succs) == 0 && n != g.Exit {
			return fmt.Errorf("control: %s of %s leads nowhere", n.name(g), g.Fn)
		}
		for _, s := range n.Succs {
			if !slices.Contains(s.Preds, n) {
				return fmt.Errorf("control: %s of %s is no predecessor of its successor", n.name(g), g.Fn)
			}
		}
		p := g.post[i]
		if (p == nil) != (n == g.Exit) {
			return fmt.Errorf("control: %s of %s has no post-dominator", n.name(g), g.Fn)
		}
		// By the definition: without p, the exit is not reached.
		if p != nil && p != g.Exit && g.reaches(n, g.Exit, p) {
			return fmt.Errorf("control: a way from %s of %s does not pass its post-dominator", n.name(g), g.Fn)
		}
	}
	for _, b := range g.Fn.Blocks {
		for _, instr := range b.Instrs {
			if n := g.at[instr]; n == nil || n.Block != b {
				return fmt.Errorf("control: %v of %s is in no node", instr, g.Fn)
			}
		}
	}
	return nil
}

// reaches reports whether there is a way from a node to another one that does not pass a third.
func (g *Graph) reaches(from, to, without *Node) bool {
	seen := make([]bool, len(g.Nodes))
	work := []*Node{from}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n == to {
			return true
		}
		for _, s := range n.Succs {
			if s != without && !seen[s.ID] {
				seen[s.ID] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// DependencesWithout returns, by node, what Dependences does in the graph without the edges that
// lead to some nodes: what decides whether a node is reached where none of these is. Nodes from
// which the exit is not reached then keep their edges.
func (g *Graph) DependencesWithout(without []bool) [][]Dependence {
	h := &Graph{Fn: g.Fn, Nodes: make([]*Node, len(g.Nodes))}
	for i := range g.Nodes {
		h.Nodes[i] = &Node{ID: i}
	}
	h.Start, h.Exit = h.Nodes[g.Start.ID], h.Nodes[g.Exit.ID]
	leads := make([]bool, len(g.Nodes)) // to the exit, by edges that are left
	leads[g.Exit.ID] = true
	for changed := true; changed; {
		changed = false
		for i, n := range g.Nodes {
			if !leads[i] && slices.ContainsFunc(n.Succs, func(s *Node) bool { return !without[s.ID] && leads[s.ID] }) {
				leads[i], changed = true, true
			}
		}
	}
	sides := make([][]int, len(g.Nodes)) // of the edges that are left, their indices in Succs
	for i, n := range g.Nodes {
		for side, s := range n.Succs {
			if without[s.ID] && leads[i] {
				continue
			}
			sides[i] = append(sides[i], side)
			h.Nodes[i].Succs = append(h.Nodes[i].Succs, h.Nodes[s.ID])
			h.Nodes[s.ID].Preds = append(h.Nodes[s.ID].Preds, h.Nodes[i])
		}
	}
	h.postDominators()
	h.dependences()
	for _, list := range h.deps {
		for i, d := range list {
			list[i] = Dependence{g.Nodes[d.Branch.ID], sides[d.Branch.ID][d.Succ]}
		}
	}
	return h.deps
}
