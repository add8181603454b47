package warning

import (
	"slices"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/parallel"
)

// prepare finds which functions the program comes to, which of them run in goroutines that others
// have started, and which start some. The goroutine of a test does not count, nor does that of a
// subtest, for which Run waits, unless there are parallel ones.
func (f *Finder) prepare() {
	if f.started != nil {
		return
	}
	f.live = f.reached()
	isParallel := f.comesTo("testing.(*T).Parallel")
	f.started, f.spawns = make(map[*callgraph.Node]bool), make(map[*callgraph.Node]bool)
	var started, spawns []*callgraph.Node
	for _, n := range f.Calls.Nodes {
		if waits, unlessParallel := parallel.Waits(n); !f.live[n] || waits && !(unlessParallel && isParallel) {
			continue
		}
		for _, s := range n.Sites {
			if s.Mode == callgraph.Go {
				started = append(started, s.Callees()...)
				spawns = append(spawns, n)
			}
		}
	}
	f.close(f.started, started, func(n *callgraph.Node) (list []*callgraph.Node) {
		for _, s := range n.Sites {
			list = append(list, s.Callees()...)
		}
		return list
	})
	f.close(f.spawns, spawns, func(n *callgraph.Node) (list []*callgraph.Node) {
		for _, s := range n.Callers() {
			list = append(list, s.Caller)
		}
		return list
	})
}

// close adds functions to a set, and all that next leads to of what the program comes to.
func (f *Finder) close(set map[*callgraph.Node]bool, work []*callgraph.Node, next func(*callgraph.Node) []*callgraph.Node) {
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if f.live[n] && !set[n] {
			set[n] = true
			work = append(work, next(n)...)
		}
	}
}

// comesTo reports whether the program comes to a function with one of some names.
func (f *Finder) comesTo(names ...string) bool {
	for n := range f.live {
		if slices.Contains(names, n.Name) {
			return true
		}
	}
	return false
}

// asks has, for functions that write function values in the machine, what the program has to call
// so that they write some which call functions of the program. Package reflect leads to them in
// every program, and os sets finalizers that call nothing else. Others are in force when they are
// called.
var asks = map[string][]string{
	"reflect.methodBound": {"reflect.Value.Method", "reflect.Value.MethodByName"},
}

// reached returns the functions that the program comes to. The call graph leads from function
// values that the machine has written to all methods and function values that reflection might
// call, and so from everywhere to everything. They are only followed if the program comes, without
// them, to what makes the machine write such a value, or with others for which that holds.
func (f *Finder) reached() map[*callgraph.Node]bool {
	f.live = map[*callgraph.Node]bool{f.Calls.Machine: true}
	shut := make(map[*callgraph.Node]bool)
	follow := func(work []*callgraph.Node) {
		for len(work) > 0 {
			n := work[len(work)-1]
			work = work[:len(work)-1]
			if n.Func == nil && n != f.Calls.Machine && !f.writes(n) {
				shut[n] = true
				continue
			}
			for _, s := range n.Sites {
				for _, c := range s.Callees() {
					if !f.live[c] {
						f.live[c] = true
						work = append(work, c)
					}
				}
			}
		}
	}
	follow([]*callgraph.Node{f.Calls.Machine})
	for again := true; again; {
		again = false
		for _, n := range f.Calls.Nodes {
			if shut[n] && f.writes(n) {
				delete(shut, n)
				follow([]*callgraph.Node{n})
				again = true
			}
		}
	}
	return f.live
}

// writes reports whether the program comes to what makes the machine write the function values of a node.
func (f *Finder) writes(n *callgraph.Node) bool {
	by := n.Name[:len(n.Name)-len("()")]
	if by == "runtime.nextFinalizer" {
		return f.setsFinalizer()
	}
	if names := asks[by]; names != nil {
		return f.comesTo(names...)
	}
	return f.comesTo(by)
}

// setsFinalizer reports whether the functions to look at set finalizers.
func (f *Finder) setsFinalizer() bool {
	for _, n := range f.Own {
		for _, s := range n.Sites {
			if f.live[n] && slices.ContainsFunc(s.Callees(), func(c *callgraph.Node) bool { return c.Name == "runtime.SetFinalizer" }) {
				return true
			}
		}
	}
	return false
}
