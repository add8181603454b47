package loop

import (
	"fmt"
	"go/token"
	"go/types"
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/escape"
)

// A Loop is a part of a function that may be executed again and again.
type Loop struct {
	Header *control.Node
	Nodes  []*control.Node // the header too, in the order of the graph
	// Synchronises says that it may synchronise.
	Synchronises bool
	// ReadsShared says that it may read memory that is shared.
	ReadsShared bool
}

// A Finder finds the loops of functions of a call graph.
type Finder struct {
	graph  *callgraph.Graph
	visits []bool // by callgraph.Node.ID: the function, or what it calls, may synchronise
	shared *escape.Result
}

// NewFinder returns a finder. Visible reports whether the function of the machine with a name is a visible
// operation.
func NewFinder(g *callgraph.Graph, shared *escape.Result, visible func(name string) bool) *Finder {
	f := &Finder{graph: g, visits: make([]bool, len(g.Nodes)), shared: shared}
	var work []*callgraph.Node
	add := func(n *callgraph.Node) {
		if !f.visits[n.ID] {
			f.visits[n.ID] = true
			work = append(work, n)
		}
	}
	for _, n := range g.Nodes {
		if synchronises(n, visible) {
			add(n)
		}
	}
	for len(work) > 0 {
		n := work[0]
		work = work[1:]
		for _, s := range n.Callers() {
			if s.Mode != callgraph.Go {
				add(s.Caller)
			}
		}
	}
	return f
}

// synchronises reports whether a function does, apart from what it calls.
func synchronises(n *callgraph.Node, visible func(name string) bool) bool {
	if n.Body == nil {
		return visible != nil && visible(n.Name)
	}
	for _, b := range n.Body.Blocks {
		if slices.ContainsFunc(b.Instrs, operates) {
			return true
		}
	}
	return false
}

// operates reports whether an instruction is a visible operation.
func operates(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Go, *ssa.Send, *ssa.Select:
		return true
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	case ssa.CallInstruction:
		b, ok := instr.Common().Value.(*ssa.Builtin)
		return ok && (b.Name() == "close" || (b.Name() == "len" || b.Name() == "cap") && isChan(instr.Common().Args[0]))
	}
	return false
}

// Synchronises reports whether a function, or what it calls, may synchronise.
func (f *Finder) Synchronises(n *callgraph.Node) bool { return f.visits[n.ID] }

// Of returns the loops of a function with a graph, outer ones first.
func (f *Finder) Of(g *control.Graph) []*Loop {
	var list []*Loop
	order, back := traverse(g)
	for _, header := range order {
		if len(back[header]) == 0 {
			continue
		}
		in := map[*control.Node]bool{header: true}
		work := slices.Clone(back[header])
		for len(work) > 0 {
			n := work[len(work)-1]
			work = work[:len(work)-1]
			if in[n] || n == g.Start {
				continue
			}
			in[n] = true
			for _, p := range n.Preds {
				if !pseudo(p, n) {
					work = append(work, p)
				}
			}
		}
		l := &Loop{Header: header}
		for _, n := range g.Nodes {
			if in[n] {
				l.Nodes = append(l.Nodes, n)
			}
		}
		f.classify(l)
		list = append(list, l)
	}
	slices.SortStableFunc(list, func(a, b *Loop) int { return len(b.Nodes) - len(a.Nodes) })
	return list
}

// traverse returns the nodes that are reached, depth first, and the nodes from which an edge leads
// back to a node that has been entered and not left.
func traverse(g *control.Graph) (order []*control.Node, back map[*control.Node][]*control.Node) {
	back = make(map[*control.Node][]*control.Node)
	const entered, left = 1, 2
	state := make([]uint8, len(g.Nodes))
	type visit struct {
		node *control.Node
		next int
	}
	stack := []visit{{g.Start, 0}}
	state[g.Start.ID] = entered
	order = append(order, g.Start)
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		n := top.node
		if top.next == len(n.Succs)-n.Pseudo {
			state[n.ID] = left
			stack = stack[:len(stack)-1]
			continue
		}
		s := n.Succs[top.next]
		top.next++
		switch state[s.ID] {
		case 0:
			state[s.ID] = entered
			order = append(order, s)
			stack = append(stack, visit{s, 0})
		case entered:
			back[s] = append(back[s], n)
		}
	}
	return order, back
}

func pseudo(from, to *control.Node) bool {
	return !slices.Contains(from.Succs[:len(from.Succs)-from.Pseudo], to)
}

// classify sets what the loop may do.
func (f *Finder) classify(l *Loop) {
	for _, n := range l.Nodes {
		for _, instr := range n.Instrs {
			if operates(instr) {
				l.Synchronises = true
			}
			if call, ok := instr.(ssa.CallInstruction); ok && f.graph.Site(call) != nil {
				for _, c := range f.graph.Site(call).Callees() {
					l.Synchronises = l.Synchronises || f.visits[c.ID]
				}
			}
			if _, ok := instr.(*ssa.Store); !ok && f.shared != nil && f.shared.Accesses(instr) {
				l.ReadsShared = true
			}
		}
	}
}

func isChan(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Chan)
	return ok
}

// Print writes the loops of a function.
func (f *Finder) Print(w io.Writer, g *control.Graph) (int64, error) {
	var out strings.Builder
	for _, l := range f.Of(g) {
		first, last := 0, 0
		for _, n := range l.Nodes {
			for _, instr := range n.Instrs {
				if !instr.Pos().IsValid() {
					continue
				}
				line := g.Fn.Prog.Fset.Position(instr.Pos()).Line
				if first == 0 {
					first = line
				}
				first, last = min(first, line), max(last, line)
			}
		}
		fmt.Fprintf(&out, "%s: loop at lines %d-%d, may synchronise: %t, reads shared memory: %t\n",
			g.Fn.Name(), first, last, l.Synchronises, l.ReadsShared)
	}
	k, err := io.WriteString(w, out.String())
	return int64(k), err
}
