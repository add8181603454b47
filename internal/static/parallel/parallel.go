package parallel

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
)

// An Analysis knows what goroutines do that begin with the functions of a call graph. Targets have
// most of these in common.
type Analysis struct {
	graph      *callgraph.Graph
	parallel   bool // tests may be parallel
	goroutines map[*callgraph.Node]*goroutine
}

// A goroutine is what one does that begins with a function.
type goroutine struct {
	runs   bitset.Set        // the functions that may run in it, by Node.ID
	starts []*callgraph.Site // the go statements that it may execute
	again  bool              // the function with which it begins may be called in it once more
}

// A Result says which functions of a target may run at once.
type Result struct {
	roots []root
}

// A root is a function with which goroutines begin.
type root struct {
	*goroutine
	node    *callgraph.Node
	several bool // there may be several of its goroutines
}

// New returns the analysis of a graph.
func New(g *callgraph.Graph) *Analysis {
	return &Analysis{
		graph:      g,
		parallel:   slices.ContainsFunc(g.Nodes, func(n *callgraph.Node) bool { return n.Name == "testing.(*T).Parallel" }),
		goroutines: make(map[*callgraph.Node]*goroutine),
	}
}

// Of returns the result for the target that begins with a function. Given are functions that are
// called in its goroutine by other means than calls, such as that which a fuzz test passes to
// F.Fuzz.
func (a *Analysis) Of(begin *ssa.Function, given ...*ssa.Function) *Result {
	r := new(Result)
	n := a.graph.Of(begin)
	if n == nil {
		return r
	}
	calls := []*callgraph.Node{n}
	for _, fn := range given {
		if n := a.graph.Of(fn); n != nil {
			calls = append(calls, n)
		}
	}
	number := map[*callgraph.Node]int{n: 0}
	r.roots = []root{{node: n, goroutine: a.follow(calls)}}
	for i := 0; i < len(r.roots); i++ {
		for _, s := range r.roots[i].starts {
			for _, c := range s.Callees() {
				k, known := number[c]
				if !known {
					k = len(r.roots)
					number[c] = k
					r.roots = append(r.roots, root{node: c, goroutine: a.goroutine(c)})
				}
				if from := &r.roots[i]; known || from.again || from.several || s.Caller != from.node ||
					control.Leads(s.Instr.Block(), s.Instr.Block()) {
					r.roots[k].several = true
				}
			}
		}
	}
	r.spread(number)
	return r
}

// spread has what goroutines start of which there are several be several.
func (r *Result) spread(number map[*callgraph.Node]int) {
	var list []int
	for i := range r.roots {
		if r.roots[i].several {
			list = append(list, i)
		}
	}
	for i := 0; i < len(list); i++ {
		for _, s := range r.roots[list[i]].starts {
			for _, c := range s.Callees() {
				if k := number[c]; !r.roots[k].several {
					r.roots[k].several = true
					list = append(list, k)
				}
			}
		}
	}
}

// goroutine returns what a goroutine does that begins with a function.
func (a *Analysis) goroutine(n *callgraph.Node) *goroutine {
	of := a.goroutines[n]
	if of == nil {
		of = a.follow([]*callgraph.Node{n})
		a.goroutines[n] = of
	}
	return of
}

// follow returns what a goroutine does that calls the given functions, of which it begins with the first.
func (a *Analysis) follow(calls []*callgraph.Node) *goroutine {
	of := &goroutine{runs: bitset.New(len(a.graph.Nodes))}
	begin := calls[0]
	for _, n := range calls {
		of.runs.Add(n.ID)
	}
	for i := 0; i < len(calls); i++ {
		n := calls[i]
		if n.Func == nil {
			continue // the machine has written it: it leads to all that reflection may call
		}
		waits, unlessParallel := Waits(n)
		for _, s := range n.Sites {
			if s.Mode == callgraph.Go && !(waits && !(unlessParallel && a.parallel)) {
				of.starts = append(of.starts, s)
				continue
			}
			for _, c := range s.Callees() {
				of.again = of.again || c == begin
				if !of.runs.Has(c.ID) {
					of.runs.Add(c.ID)
					calls = append(calls, c)
				}
			}
		}
	}
	return of
}

// Waits reports whether a function of package testing waits for the goroutines that it starts, and
// whether it does only for tests that are not parallel.
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
func (r *Result) Reaches(n *callgraph.Node) bool {
	return slices.ContainsFunc(r.roots, func(of root) bool { return of.runs.Has(n.ID) })
}

// AtOnce reports whether functions may run at the same time, each in a goroutine of its own. A
// function that is named several times runs as often.
func (r *Result) AtOnce(functions ...*callgraph.Node) bool {
	return r.assign(functions, make(map[int]bool))
}

// assign finds a root for each function; one that is taken is used only if it is that of several goroutines.
func (r *Result) assign(functions []*callgraph.Node, taken map[int]bool) bool {
	if len(functions) == 0 {
		return true
	}
	for i := range r.roots {
		if of := &r.roots[i]; !of.runs.Has(functions[0].ID) || taken[i] && !of.several {
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
