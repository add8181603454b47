package lockset

import (
	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// A pass is a call, with what is held when it is made.
type pass struct {
	site *callgraph.Site
	at   state
}

// inherits returns which acquisitions may be in force when a function is called, and under which paths it knows their locks: -1 if callers
// pass them in different ways, or not at all. Of the calls, only those count that pointers allow, so that these are fewer than the states
// have, which make no use of that.
//
// It is the least solution of equations, one for the function and one for each that may call it, directly or not. A solution for all of
// these is one for each, so that it is kept for the next question.
func (r *Result) inherits(n *callgraph.Node) map[int]int32 {
	if of, ok := r.inherited[n]; ok {
		return of
	}
	passes, work := r.passesTo(n)
	queued := make(map[*callgraph.Node]bool)
	callees := make(map[*callgraph.Node][]*callgraph.Node)
	for _, c := range work {
		r.inherited[c], queued[c] = make(map[int]int32), true
		for _, p := range passes[c] {
			callees[p.site.Caller] = append(callees[p.site.Caller], c)
		}
	}
	for len(work) > 0 {
		c := work[0]
		work, queued[c] = work[1:], false
		changed := false
		for i := range passes[c] {
			if r.pass(&passes[c][i], c) {
				changed = true
			}
		}
		if !changed {
			continue
		}
		for _, callee := range callees[c] {
			if !queued[callee] {
				work, queued[callee] = append(work, callee), true
			}
		}
	}
	return r.inherited[n]
}

// passesTo returns the calls of a function and of those that may call it, directly or not, with something held: of all those of which it is
// not yet known what they inherit.
func (r *Result) passesTo(n *callgraph.Node) (passes map[*callgraph.Node][]pass, nodes []*callgraph.Node) {
	passes = make(map[*callgraph.Node][]pass)
	nodes = []*callgraph.Node{n}
	seen := map[*callgraph.Node]bool{n: true}
	for i := 0; i < len(nodes); i++ {
		c := nodes[i]
		if r.funcs[c.ID].entry.may.Count() == 0 {
			continue
		}
		for _, s := range c.Callers() {
			if s.Instr == nil || s.Mode == callgraph.Go || s.Caller.Body == nil || !r.pointers.MayCall(s, c) {
				continue
			}
			p := pass{site: s}
			if s.Mode == callgraph.Call {
				p.at = r.before(s.Instr)
			} else {
				p.at = r.recovered(s.Caller, r.funcs[s.Caller.ID].entry)
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

// pass adds to what a function inherits what it does from a call of it, and reports whether that changes it.
func (r *Result) pass(p *pass, n *callgraph.Node) bool {
	of, callers := r.inherited[n], r.inherited[p.site.Caller]
	entry, gained := r.funcs[p.site.Caller.ID].entry.may, r.funcs[p.site.Caller.ID].gained
	changed := false
	for i := range p.at.may.All() {
		if by := r.acquisitions[i].site.Caller; by != p.site.Caller {
			if _, inherited := callers[i]; !inherited && (entry.Has(i) && !gained.Has(i) || r.library(by.Func)) {
				continue
			}
		}
		path := int32(-1)
		if p.site.Mode == callgraph.Call {
			path = r.nameIn(p.site.Caller, &p.at, i, callers)
		}
		if path >= 0 {
			if q, ok := down(r.paths.list[path], p.site, n); ok {
				path = r.paths.number(q)
			} else {
				path = -1
			}
		}
		before, ok := of[i]
		if ok && before != path {
			path = -1
		}
		if !ok || before != path {
			of[i], changed = path, true
		}
	}
	return changed
}
