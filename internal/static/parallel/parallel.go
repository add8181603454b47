package parallel

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
)

// A Result says which functions of a target may run at once.
type Result struct {
	roots []root
	given []*callgraph.Node         // what the first root calls besides
	of    map[*callgraph.Node][]int // the roots in whose goroutines a function may run
}

// A root is a function with which goroutines begin.
type root struct {
	node    *callgraph.Node
	several bool // there may be several of its goroutines
}

// Of returns the result for the target that begins with a function. Given are functions that are called in its goroutine by other means than
// calls, such as that which a fuzz test passes to F.Fuzz.
func Of(g *callgraph.Graph, begin *ssa.Function, given ...*ssa.Function) *Result {
	r := &Result{of: make(map[*callgraph.Node][]int)}
	for _, fn := range given {
		if n := g.Of(fn); n != nil {
			r.given = append(r.given, n)
		}
	}
	n := g.Of(begin)
	if n == nil {
		return r
	}
	parallel := slices.ContainsFunc(g.Nodes, func(n *callgraph.Node) bool { return n.Name == "testing.(*T).Parallel" })
	number := map[*callgraph.Node]int{n: 0}
	r.roots = []root{{node: n}}
	for i := 0; i < len(r.roots); i++ {
		calls, starts, again := r.follow(i, parallel)
		for _, c := range calls {
			r.of[c] = append(r.of[c], i)
		}
		for _, s := range starts {
			for _, c := range s.Callees() {
				k, known := number[c]
				if !known {
					k = len(r.roots)
					number[c] = k
					r.roots = append(r.roots, root{node: c})
				}
				if known || again || r.roots[i].several || s.Caller != r.roots[i].node || control.Leads(s.Instr.Block(), s.Instr.Block()) {
					r.setSeveral(k)
				}
			}
		}
	}
	r.spread(parallel)
	return r
}

func (r *Result) setSeveral(i int) { r.roots[i].several = true }

// spread has what goroutines start of which there are several be several.
func (r *Result) spread(parallel bool) {
	number := make(map[*callgraph.Node]int)
	for i := range r.roots {
		number[r.roots[i].node] = i
	}
	for again := true; again; {
		again = false
		for i := range r.roots {
			if !r.roots[i].several {
				continue
			}
			_, starts, _ := r.follow(i, parallel)
			for _, s := range starts {
				for _, c := range s.Callees() {
					if k := number[c]; !r.roots[k].several {
						r.setSeveral(k)
						again = true
					}
				}
			}
		}
	}
}

// follow returns the functions that run in the goroutine that begins with a root, this one first, and the go statements that they
// execute. Again says that it may be called there once more.
func (r *Result) follow(i int, parallel bool) (calls []*callgraph.Node, starts []*callgraph.Site, again bool) {
	begin := r.roots[i].node
	calls = []*callgraph.Node{begin}
	if i == 0 {
		calls = append(calls, r.given...)
	}
	seen := make(map[*callgraph.Node]bool)
	for _, n := range calls {
		seen[n] = true
	}
	for i := 0; i < len(calls); i++ {
		n := calls[i]
		if n.Func == nil {
			continue // the machine has written it: it leads to all that reflection may call
		}
		waits, unlessParallel := Waits(n)
		for _, s := range n.Sites {
			if s.Mode == callgraph.Go && !(waits && !(unlessParallel && parallel)) {
				starts = append(starts, s)
				continue
			}
			for _, c := range s.Callees() {
				again = again || c == begin
				if !seen[c] {
					seen[c] = true
					calls = append(calls, c)
				}
			}
		}
	}
	return calls, starts, again
}

// Waits reports whether a function of package testing waits for the goroutines that it starts, and whether it does only for tests that
// are not parallel.
func Waits(n *callgraph.Node) (waits, unlessParallel bool) {
	switch n.Name {
	case "testing.runTests", "testing.runFuzzTests", "testing.RunTests", "testing.(*F).Fuzz", "testing.(*F).call", "testing.(*B).Run", "testing.testingSynctestTest":
		return true, false
	case "testing.(*T).Run", "testing.everywayParallel":
		return true, true
	}
	return false, false
}

// Reaches reports whether a function may run at all.
func (r *Result) Reaches(n *callgraph.Node) bool { return len(r.of[n]) > 0 }

// AtOnce reports whether functions may run at the same time, each in a goroutine of its own. A function that is named several times
// runs as often.
func (r *Result) AtOnce(functions ...*callgraph.Node) bool {
	return r.assign(functions, make(map[int]bool))
}

// assign finds a root for each function; one that is taken is used only if it is that of several goroutines.
func (r *Result) assign(functions []*callgraph.Node, taken map[int]bool) bool {
	if len(functions) == 0 {
		return true
	}
	for _, i := range r.of[functions[0]] {
		if taken[i] && !r.roots[i].several {
			continue
		}
		was := taken[i]
		taken[i] = true
		ok := r.assign(functions[1:], taken)
		taken[i] = was
		if ok {
			return true
		}
	}
	return false
}
