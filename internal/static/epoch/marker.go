package epoch

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/loop"
	"github.com/everyway-go/everyway/internal/static/synchronisation"
)

// A Marker is a place at which epochs end and begin.
type Marker struct {
	Func *ssa.Function
	// Instr is the first instruction of the loop's body, or the call of a barrier.
	Instr ssa.Instruction
	// Head says that the loop has a body without statements: Instr is the first one of what is
	// carried out before each iteration and at the end of the loop, a receive or a condition.
	Head bool
	// Pos is that of the for statement, or of the call.
	Pos token.Pos
	// Barrier says that it is the call of a barrier.
	Barrier bool
}

// Options switch off what saves markers.
type Options struct {
	NoTrivial, NoCovered bool
	// Barrier reports whether a function is a barrier of the program; nil if none is.
	Barrier func(fn *ssa.Function) bool
}

// Place places the markers of a program, in the order of the call graph. The second result is what
// there are no markers for.
func Place(ctx context.Context, a *static.Analysis, o *synchronisation.Operations, opts Options) ([]Marker, []synchronisation.Unsupported, error) {
	loops, err := a.Loops(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("placing the markers of epochs: %w", err)
	}
	p := &placer{
		Options: opts, analysis: a, ops: o, loops: loops,
		covered: make([]bool, len(o.Calls().Nodes)), marked: make(map[ssa.Instruction]bool),
	}
	for _, n := range p.bottomUp() {
		p.function(n)
	}
	slices.SortStableFunc(p.list, func(a, b Marker) int {
		return o.Calls().Of(a.Func).ID - o.Calls().Of(b.Func).ID
	})
	return p.list, p.unsupported, nil
}

// A placer places markers.
type placer struct {
	Options
	analysis    *static.Analysis
	ops         *synchronisation.Operations
	loops       *loop.Finder
	covered     []bool // by callgraph.Node.ID: each way through the function passes a marker
	marked      map[ssa.Instruction]bool
	list        []Marker
	unsupported []synchronisation.Unsupported
}

// bottomUp returns the functions that may synchronise, callees before callers. There is no recursion among them.
func (p *placer) bottomUp() []*callgraph.Node {
	calls := p.ops.Calls()
	var list []*callgraph.Node
	seen := make([]bool, len(calls.Nodes))
	var visit func(n *callgraph.Node)
	visit = func(n *callgraph.Node) {
		seen[n.ID] = true
		for _, s := range n.Sites {
			if s.Instr == nil {
				continue
			}
			for _, c := range p.ops.Callees(s.Instr) {
				if !seen[c.ID] {
					visit(c)
				}
			}
		}
		if n.Body != nil && p.ops.May(n) {
			list = append(list, n)
		}
	}
	for _, n := range calls.Nodes {
		if !seen[n.ID] {
			visit(n)
		}
	}
	return list
}

// function places the markers of a function.
func (p *placer) function(n *callgraph.Node) {
	g := p.analysis.Control(n.Body)
	if g == nil {
		return
	}
	if p.Barrier != nil {
		p.barriers(n)
	}
	used := make(map[ast.Node]bool)
	loops := p.loops.Of(g)
	for _, l := range slices.Backward(loops) {
		if !p.synchronises(l) || !p.NoTrivial && p.trivial(l) || !p.NoCovered && p.passes(l) {
			// Its statement is not that of an outer loop.
			if s := statement(n.Body, l, used); s != nil {
				used[s] = true
			}
			continue
		}
		s := statement(n.Body, l, used)
		first := l.Header.Instrs[0]
		head := false
		if b := body(g, l, s); b != nil {
			first = b.Instrs[0]
		} else if head = isEmpty(s); !head {
			s = nil
		}
		switch {
		case !p.ops.Own(n.Body):
			p.unsupported = append(p.unsupported, synchronisation.Unsupported{
				Instr: first, Func: n.Body, Why: "a loop of the standard library calls what synchronises: " + n.Name + ", which has no place for a marker",
			})
			continue
		case s == nil:
			p.unsupported = append(p.unsupported, synchronisation.Unsupported{
				Instr: first, Func: n.Body, Why: "a loop that synchronises is no for statement: there is no place for a marker",
			})
			continue
		}
		used[s] = true
		p.marked[first] = true
		p.list = append(p.list, Marker{Func: n.Body, Instr: first, Pos: s.Pos(), Head: head})
	}
	start, exit := g.Start, g.Exit
	p.covered[n.ID] = !p.without(start, nil, exit)
}

// barriers makes the calls of barriers markers.
func (p *placer) barriers(n *callgraph.Node) {
	for _, s := range n.Sites {
		if s.Instr == nil || s.Mode != callgraph.Call || len(s.Callees()) == 0 || !p.ops.Own(n.Body) {
			continue
		}
		if slices.ContainsFunc(s.Callees(), func(c *callgraph.Node) bool { return c.Func == nil || !p.Barrier(c.Func) }) {
			continue
		}
		p.marked[s.Instr] = true
		p.list = append(p.list, Marker{Func: n.Body, Instr: s.Instr, Pos: s.Instr.Pos(), Barrier: true})
	}
}

// synchronises reports whether a loop may.
func (p *placer) synchronises(l *loop.Loop) bool {
	for _, n := range l.Nodes {
		for _, instr := range n.Instrs {
			if p.ops.Of(instr) != 0 {
				return true
			}
			for _, c := range p.ops.Callees(instr) {
				if p.ops.May(c) {
					return true
				}
			}
		}
	}
	return false
}

// trivial reports whether all that a loop does is to wait for a condition variable, to start
// goroutines and to count them, or to wait for them.
func (p *placer) trivial(l *loop.Loop) bool {
	waits, starts, joins := 0, 0, 0
	for _, n := range l.Nodes {
		for _, instr := range n.Instrs {
			switch p.ops.Of(instr) {
			case 0:
				for _, c := range p.ops.Callees(instr) {
					if p.ops.May(c) {
						return false
					}
				}
			case synchronisation.CondWait:
				waits++
			case synchronisation.Spawn:
				starts++
			case synchronisation.Add:
				if starts == 0 && !p.startsAfter(l) {
					return false
				}
			case synchronisation.Join:
				joins++
			default:
				return false
			}
		}
	}
	kinds := 0
	for _, k := range []int{waits, starts, joins} {
		if k > 0 {
			kinds++
		}
	}
	return kinds == 1
}

// startsAfter reports whether each iteration of a loop starts a goroutine.
func (p *placer) startsAfter(l *loop.Loop) bool {
	starts := func(n *control.Node) bool {
		return slices.ContainsFunc(n.Instrs, func(i ssa.Instruction) bool { return p.ops.Of(i) == synchronisation.Spawn })
	}
	return !p.iterates(l, starts)
}

// passes reports whether each iteration of a loop passes a marker.
func (p *placer) passes(l *loop.Loop) bool { return !p.iterates(l, p.atMarker) }

// atMarker reports whether a marker is certainly passed at a node.
func (p *placer) atMarker(n *control.Node) bool {
	for _, instr := range n.Instrs {
		if p.marked[instr] {
			return true
		}
		if _, deferred := instr.(*ssa.Defer); deferred {
			continue
		}
		list := p.ops.Callees(instr)
		if len(list) > 0 && !slices.ContainsFunc(list, func(c *callgraph.Node) bool { return !p.covered[c.ID] }) {
			return true
		}
	}
	return false
}

// iterates reports whether there is an iteration of a loop that passes none of some nodes.
func (p *placer) iterates(l *loop.Loop, passes func(*control.Node) bool) bool {
	if passes(l.Header) {
		return false
	}
	in := make(map[*control.Node]bool, len(l.Nodes))
	for _, n := range l.Nodes {
		in[n] = true
	}
	seen := make(map[*control.Node]bool)
	work := []*control.Node{l.Header}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range n.Succs[:len(n.Succs)-n.Pseudo] {
			if s == l.Header {
				return true
			}
			if in[s] && !seen[s] && !passes(s) {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// without reports whether there is a way from a node to another one that passes no marker.
func (p *placer) without(from *control.Node, in map[*control.Node]bool, to *control.Node) bool {
	seen := map[*control.Node]bool{from: true}
	work := []*control.Node{from}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n == to {
			return true
		}
		if p.atMarker(n) {
			continue
		}
		for _, s := range n.Succs[:len(n.Succs)-n.Pseudo] {
			if (in == nil || in[s]) && !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// isVariadic reports whether an instruction stores one of the arguments of a call that takes any number of them.
func isVariadic(instr ssa.Instruction) bool {
	store, ok := instr.(*ssa.Store)
	if !ok {
		return false
	}
	element, ok := store.Addr.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	list, ok := element.X.(*ssa.Alloc)
	return ok && list.Comment == "varargs"
}

// body returns the node with which the body of a loop begins that has a statement, nil if it is not known.
func body(g *control.Graph, l *loop.Loop, s ast.Node) *control.Node {
	if f, ok := s.(*ast.ForStmt); ok && f.Cond == nil {
		return l.Header // no condition comes before the body, whose block may be one with that of the loop
	}
	in := make(map[*control.Node]bool, len(l.Nodes))
	for _, n := range l.Nodes {
		in[n] = true
	}
	seen := map[*control.Node]bool{l.Header: true}
	work := []*control.Node{l.Header}
	for len(work) > 0 {
		n := work[0]
		work = work[1:]
		if n.Block != nil && len(n.Instrs) > 0 && g.First(n.Block) == n && strings.HasSuffix(n.Block.Comment, ".body") {
			return n
		}
		for _, s := range n.Succs[:len(n.Succs)-n.Pseudo] {
			if in[s] && !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return nil
}

// isEmpty reports whether a loop has a statement without statements in its body, which has a place
// for a marker before what decides whether it ends: it receives from a channel, or has a condition
// and nothing that comes before the next one.
func isEmpty(s ast.Node) bool {
	switch s := s.(type) {
	case *ast.RangeStmt:
		return len(s.Body.List) == 0
	case *ast.ForStmt:
		return len(s.Body.List) == 0 && s.Cond != nil && s.Post == nil
	}
	return false
}

// statement returns the for statement of a loop: the smallest one that has the positions of all its
// instructions, but for those of inner loops, which are used. It is nil if there is none.
func statement(fn *ssa.Function, l *loop.Loop, used map[ast.Node]bool) ast.Node {
	syntax := fn.Syntax()
	if syntax == nil {
		return nil
	}
	lo, hi := token.NoPos, token.NoPos
	for _, n := range l.Nodes {
		for _, instr := range n.Instrs {
			pos := instr.Pos()
			if !pos.IsValid() {
				continue
			}
			if _, phi := instr.(*ssa.Phi); phi || isVariadic(instr) {
				continue // it has that of the variable
			}
			if !lo.IsValid() || pos < lo {
				lo = pos
			}
			hi = max(hi, pos)
		}
	}
	if !lo.IsValid() {
		return nil
	}
	var found ast.Node
	ast.Inspect(syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n == syntax
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() <= lo && hi < n.End() && !used[n] {
				found = n
			}
		}
		return true
	})
	return found
}
