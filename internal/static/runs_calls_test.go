package static_test

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/vm/meter"
)

// checkStack checks that the calls that have led to a stack are in the graph, and in the one that is narrowed by
// what pointers may point to.
func (c *comparison) checkStack(frames []run.SiteID) {
	r, err := c.a.PointsTo(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	for _, g := range []*callgraph.Graph{c.a.Calls(), r.Calls()} {
		for i, site := range frames {
			callee := c.m.Funcs[site.Func].Func
			if i+1 == len(frames) {
				if g.OfCode(callee) == nil && callee.SSA != nil { // a builtin function can begin a goroutine: it calls nothing
					c.errorf("%s runs, and is not in the graph", callee.Name)
				}
				continue
			}
			c.calls++
			if !c.deferred(g, frames, i+1, callee) {
				c.checkCall(g, frames[i+1], callee)
			}
		}
	}
}

// deferred reports whether one of the frames from a number on may have deferred a call of callee:
// if the innermost one panics, it is what calls it. Of a deep stack, outer frames are not known:
// any function may be one of them.
func (c *comparison) deferred(g *callgraph.Graph, frames []run.SiteID, from int, callee *code.Func) bool {
	to := g.OfCode(callee)
	defers := func(n *callgraph.Node) bool {
		return n != nil && slices.ContainsFunc(g.Deferred(n), func(s *callgraph.Site) bool { return slices.Contains(s.Callees(), to) })
	}
	if len(frames) == meter.MaxDepth && slices.ContainsFunc(g.Nodes, defers) {
		return true
	}
	for _, f := range frames[from:] {
		if of := c.m.Funcs[f.Func]; slices.Contains(of.Builtins, callee) || defers(g.OfCode(of.Func)) {
			return true
		}
	}
	return false
}

// checkCall checks that a call that a run has made is in the graph.
func (c *comparison) checkCall(g *callgraph.Graph, site run.SiteID, callee *code.Func) {
	caller := c.m.Funcs[site.Func].Func
	if slices.Contains(caller.Builtins, callee) || callee.SSA == nil || caller.Body == nil && caller.SSA == callee.SSA {
		return // a builtin function, nil, or a method that a wrapper of the machine's has given its receiver
	}
	from, to := g.OfCode(caller), g.OfCode(callee)
	if from == nil || to == nil {
		c.errorf("%s calls %s: not both are in the graph", caller.Name, callee.Name)
		return
	}
	sites := from.Sites
	instr, at := c.instr(site)
	call, isCall := instr.(ssa.CallInstruction)
	if isCall && from.SiteOf(call) != nil {
		sites = []*callgraph.Site{from.SiteOf(call)}
	} else { // it may panic, and what prints the value of a panic is called by the machine
		sites = append(sites[:len(sites):len(sites)], g.Machine.Sites...)
	}
	for _, s := range sites {
		if slices.Contains(s.Callees(), to) {
			return
		}
	}
	c.errorf("%s calls %s at %v: no such call (narrowed: %t)", at, callee.Name, instr, g != c.a.Calls())
}
