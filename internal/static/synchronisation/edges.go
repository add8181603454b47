package synchronisation

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
)

// An Edge is a call, told apart by the caller where a function calls what it is given, as Once.Do
// does: such a function is taken to be called where it is passed. Otherwise all that is passed to
// Once.Do anywhere would be called by all that call it.
type Edge struct {
	Site   *callgraph.Site
	Callee *callgraph.Node
	Mode   callgraph.Mode
	// Through are the calls on the way to the callee, in functions that are given it; none if Site calls it itself.
	Through []*callgraph.Site
}

// edges are the calls of a graph.
type edges struct {
	graph    *callgraph.Graph
	own      func(*ssa.Function) bool
	closures map[*ssa.Function][]*ssa.MakeClosure
	called   map[parameter][]way // of a parameter, how its function calls it
	given    map[*callgraph.Site]parameter
	from     map[*callgraph.Site][]Edge
	to       [][]Edge // by callgraph.Node.ID of the callee
}

// A parameter is one of a function.
type parameter struct {
	fn    *ssa.Function
	index int
}

// A way is how a function calls a parameter.
type way struct {
	through []*callgraph.Site
	mode    callgraph.Mode
}

// maxThrough bounds the calls through which a function is passed on.
const maxThrough = 6

// newEdges returns the calls of a graph. A function calls what it is given in loops of its own if
// it is of the program, which own reports, since such a loop is one of the program's.
func newEdges(g *callgraph.Graph, own func(*ssa.Function) bool) *edges {
	e := &edges{
		graph: g, own: own, closures: make(map[*ssa.Function][]*ssa.MakeClosure), called: make(map[parameter][]way),
		given: make(map[*callgraph.Site]parameter), from: make(map[*callgraph.Site][]Edge), to: make([][]Edge, len(g.Nodes)),
	}
	for _, n := range g.Nodes {
		if n.Body == nil {
			continue
		}
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				if c, ok := instr.(*ssa.MakeClosure); ok {
					fn := c.Fn.(*ssa.Function)
					e.closures[fn] = append(e.closures[fn], c)
				}
			}
		}
	}
	e.findCalled()
	for _, n := range g.Nodes {
		for _, s := range n.Sites {
			e.addEdges(s)
		}
	}
	return e
}

// findCalled finds the parameters that functions call.
func (e *edges) findCalled() {
	for _, n := range e.graph.Nodes {
		for _, s := range n.Sites {
			if s.Instr == nil || s.Static() || s.Instr.Common().IsInvoke() {
				continue
			}
			p, mode, ok := e.parameter(s.Instr.Common().Value, s.Mode)
			if ok && e.onlyStatic(p.fn) && !e.inLoop(s) {
				e.given[s] = p
				e.called[p] = append(e.called[p], way{[]*callgraph.Site{s}, mode})
			}
		}
	}
	for range maxThrough {
		found := false
		for _, n := range e.graph.Nodes {
			for _, s := range n.Sites {
				if s.Instr != nil && s.Static() && e.passOn(s) {
					found = true
				}
			}
		}
		if !found {
			return
		}
	}
}

// passOn adds the ways on which a call passes a parameter of its caller on, to where it is called.
// It reports whether it has added any.
func (e *edges) passOn(s *callgraph.Site) (added bool) {
	callee := s.Callees()[0].Body
	for i, arg := range s.Instr.Common().Args {
		ways := e.called[parameter{callee, i}]
		if len(ways) == 0 {
			continue
		}
		p, mode, ok := e.parameter(arg, s.Mode)
		if !ok || !e.onlyStatic(p.fn) || p.fn == callee || e.inLoop(s) {
			continue
		}
		for _, w := range ways {
			if len(w.through) >= maxThrough || slices.Contains(w.through, s) {
				continue
			}
			longer := way{append([]*callgraph.Site{s}, w.through...), together(mode, w.mode)}
			if !slices.ContainsFunc(e.called[p], func(o way) bool { return slices.Equal(o.through, longer.through) }) {
				e.called[p] = append(e.called[p], longer)
				added = true
			}
		}
	}
	return added
}

// inLoop reports whether a call is made in a loop of the program.
func (e *edges) inLoop(s *callgraph.Site) bool {
	b := s.Instr.Block()
	return e.own(b.Parent()) && control.Leads(b, b)
}

// together returns the mode of a call that is made in a call.
func together(a, b callgraph.Mode) callgraph.Mode {
	switch {
	case a == callgraph.Go || b == callgraph.Go:
		return callgraph.Go
	case a == callgraph.Defer || b == callgraph.Defer:
		return callgraph.Defer
	}
	return callgraph.Call
}

// onlyStatic reports whether a function is called by name only.
func (e *edges) onlyStatic(fn *ssa.Function) bool {
	n := e.graph.Of(fn)
	return n != nil && len(n.Callers()) > 0 &&
		!slices.ContainsFunc(n.Callers(), func(s *callgraph.Site) bool { return s.Instr == nil || !s.Static() })
}

// parameter returns the parameter that a value is, with the mode in which a call is made by the
// function of the parameter that is made in a mode where the value is.
func (e *edges) parameter(v ssa.Value, mode callgraph.Mode) (parameter, callgraph.Mode, bool) {
	switch v := v.(type) {
	case *ssa.Parameter:
		return parameter{v.Parent(), slices.Index(v.Parent().Params, v)}, mode, true
	case *ssa.UnOp:
		if v.Op != token.MUL {
			break
		}
		switch x := v.X.(type) {
		case *ssa.Alloc:
			return e.stored(x, mode)
		case *ssa.FreeVar:
			if a, c := e.bound(x); c != nil {
				if a, ok := a.(*ssa.Alloc); ok {
					return e.stored(a, together(mode, e.modeOf(c)))
				}
			}
		}
	case *ssa.FreeVar:
		if b, c := e.bound(v); c != nil {
			if p, ok := b.(*ssa.Parameter); ok {
				return parameter{p.Parent(), slices.Index(p.Parent().Params, p)}, together(mode, e.modeOf(c)), true
			}
		}
	}
	return parameter{}, 0, false
}

// stored returns the parameter that is in a variable, if nothing else is stored there.
func (e *edges) stored(a *ssa.Alloc, mode callgraph.Mode) (parameter, callgraph.Mode, bool) {
	var p *ssa.Parameter
	for _, ref := range *a.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			q, ok := ref.Val.(*ssa.Parameter)
			if ref.Addr != ssa.Value(a) || !ok || p != nil {
				return parameter{}, 0, false
			}
			p = q
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.MakeClosure:
			fn := ref.Fn.(*ssa.Function)
			for i, b := range ref.Bindings {
				if b == ssa.Value(a) && writes(fn.FreeVars[i]) {
					return parameter{}, 0, false
				}
			}
		default:
			return parameter{}, 0, false
		}
	}
	if p == nil {
		return parameter{}, 0, false
	}
	return parameter{p.Parent(), slices.Index(p.Parent().Params, p)}, mode, true
}

// writes reports whether a captured variable may be written, or its address go anywhere.
func writes(v *ssa.FreeVar) bool {
	return slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
		switch ref.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			return false
		}
		return true
	})
}

// bound returns what is bound to a captured variable, and the closure, if there is one only.
func (e *edges) bound(v *ssa.FreeVar) (ssa.Value, *ssa.MakeClosure) {
	list := e.closures[v.Parent()]
	if len(list) != 1 {
		return nil, nil
	}
	return list[0].Bindings[slices.Index(v.Parent().FreeVars, v)], list[0]
}

// modeOf returns how a closure is called.
func (e *edges) modeOf(c *ssa.MakeClosure) callgraph.Mode {
	mode := callgraph.Call
	for _, ref := range *c.Referrers() {
		switch ref.(type) {
		case *ssa.Go:
			return callgraph.Go
		case *ssa.Defer:
			mode = callgraph.Defer
		}
	}
	return mode
}

// addEdges adds the calls of a site.
func (e *edges) addEdges(s *callgraph.Site) {
	add := func(x Edge) {
		e.from[s] = append(e.from[s], x)
		e.to[x.Callee.ID] = append(e.to[x.Callee.ID], x)
	}
	if _, ok := e.given[s]; !ok {
		for _, c := range s.Callees() {
			add(Edge{Site: s, Callee: c, Mode: s.Mode})
		}
	}
	if s.Instr == nil || !s.Static() {
		return
	}
	callee := s.Callees()[0].Body
	for i, arg := range s.Instr.Common().Args {
		ways := e.called[parameter{callee, i}]
		if len(ways) == 0 {
			continue
		}
		var passed []*callgraph.Node
		switch a := arg.(type) {
		case *ssa.MakeClosure:
			passed = []*callgraph.Node{e.graph.Of(a.Fn.(*ssa.Function))}
		case *ssa.Function:
			passed = []*callgraph.Node{e.graph.Of(a)}
		case *ssa.Const:
			continue // nil
		default:
			if p, _, ok := e.parameter(arg, s.Mode); ok && e.onlyStatic(p.fn) && !e.inLoop(s) {
				continue // passed on
			}
			for _, w := range ways { // it may be any of those that are called there
				passed = append(passed, w.through[len(w.through)-1].Callees()...)
			}
		}
		for _, c := range passed {
			if c == nil {
				continue
			}
			for _, w := range ways {
				add(Edge{Site: s, Callee: c, Mode: together(s.Mode, w.mode), Through: w.through})
			}
		}
	}
}
