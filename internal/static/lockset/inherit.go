package lockset

import (
	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// A pass is a call of a function, with what is held when it is made.
type pass struct {
	site   *callgraph.Site
	callee *callgraph.Node
	at     state
	own    bitset.Set // acquisitions that are in force although the caller has inherited none
}

// inherits returns which acquisitions may be in force when a function is called, and under which
// paths it knows their locks: -1 if callers pass them in different ways, or not at all. Of the
// calls, only those count that pointers allow, so that these are fewer than the states have, which
// make no use of that.
//
// It is the least solution of equations, one for the function and one for each that may call it,
// directly or not. A solution for all of these is one for each, so that it is kept for the next
// question.
func (r *Result) inherits(n *callgraph.Node) map[int]int32 {
	if of, ok := r.inherited[n]; ok {
		return of
	}
	passes, nodes := r.passesTo(n)
	made := make(map[*callgraph.Node][]*pass) // by who makes the call
	for _, c := range nodes {
		r.inherited[c] = make(map[int]int32)
		for i := range passes[c] {
			p := &passes[c][i]
			made[p.site.Caller] = append(made[p.site.Caller], p)
		}
	}
	// What a function inherits of an acquisition depends on what its callers do of the same.
	type change struct {
		of *callgraph.Node
		i  int
	}
	var work []change
	pass := func(p *pass, i int) {
		if r.pass(p, i) {
			work = append(work, change{p.callee, i})
		}
	}
	for _, c := range nodes {
		for k := range passes[c] {
			p := &passes[c][k]
			for i := range p.at.may.All() {
				pass(p, i)
			}
		}
	}
	for len(work) > 0 {
		c := work[0]
		work = work[1:]
		for _, p := range made[c.of] {
			if p.at.may.Has(c.i) {
				pass(p, c.i)
			}
		}
	}
	return r.inherited[n]
}

// passesTo returns the calls of a function and of those that may call it, directly or not, with
// something held: of all those of which it is not yet known what they inherit.
func (r *Result) passesTo(n *callgraph.Node) (passes map[*callgraph.Node][]pass, nodes []*callgraph.Node) {
	passes = make(map[*callgraph.Node][]pass)
	nodes = []*callgraph.Node{n}
	seen := map[*callgraph.Node]bool{n: true}
	alone := make(map[*callgraph.Node][]state) // of callers that have inherited nothing, as of run
	for i := 0; i < len(nodes); i++ {
		c := nodes[i]
		if r.funcs[c.ID].entry.may.Count() == 0 {
			continue
		}
		for _, s := range c.Callers() {
			if s.Instr == nil || s.Mode == callgraph.Go || s.Caller.Body == nil || !r.pointers.MayCall(s, c) {
				continue
			}
			p := pass{site: s, callee: c}
			f := &r.funcs[s.Caller.ID]
			switch {
			case s.Mode != callgraph.Call:
				p.at, p.own = r.recovered(s.Caller, f.entry), f.gained
			case f.states == nil:
				p.at = r.before(s.Instr)
			default:
				p.at = r.before(s.Instr)
				into := state{must: f.entry.must, reached: true}
				states, known := alone[s.Caller]
				if !known {
					_, states = r.run(s.Caller, into, nil)
					alone[s.Caller] = states
				}
				p.own = r.beforeIn(s.Caller, into, states, s.Instr).may
			}
			passes[c] = append(passes[c], p)
			if !seen[s.Caller] && r.inherited[s.Caller] == nil {
				seen[s.Caller] = true
				nodes = append(nodes, s.Caller)
			}
		}
	}
	return passes, nodes
}

// pass adds to what a function inherits of an acquisition what it does from a call of it, and
// reports whether that changes it.
func (r *Result) pass(p *pass, i int) bool {
	of, callers := r.inherited[p.callee], r.inherited[p.site.Caller]
	before, known := of[i]
	if known && before < 0 {
		return false // it stays so
	}
	if _, inherited := callers[i]; !inherited &&
		(!p.own.Has(i) || r.acquisitions[i].site.Caller != p.site.Caller && r.library(r.acquisitions[i].site.Caller.Func)) {
		return false
	}
	path := int32(-1)
	if p.site.Mode == callgraph.Call {
		path = r.nameIn(p.site.Caller, &p.at, i, callers)
	}
	if path >= 0 {
		if q, ok := down(r.paths.list[path], p.site, p.callee); ok {
			path = r.paths.number(q)
		} else {
			path = -1
		}
	}
	if known && before != path {
		path = -1
	}
	of[i] = path
	return !known || before != path
}
