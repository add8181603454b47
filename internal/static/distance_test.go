package static_test

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/distance"
)

// checkDistances compares whether there is a way from a function to an instruction, as the distances
// say, with a search through the call graph: the first instructions of functions are reached from whatever calls them.
func checkDistances(t *testing.T, a *static.Analysis, pkg *ssa.Package) {
	t.Helper()
	g := a.Calls()
	for _, n := range g.Nodes {
		if n.Body == nil || n.Func.Pkg != pkg {
			continue
		}
		above := map[*callgraph.Node]bool{n: true}
		work := []*callgraph.Node{n}
		for len(work) > 0 {
			m := work[0]
			work = work[1:]
			for _, s := range m.Callers() {
				if !above[s.Caller] {
					above[s.Caller] = true
					work = append(work, s.Caller)
				}
			}
		}
		m := a.Distances().To(n.Body.Blocks[0].Instrs[0])
		for _, from := range g.Nodes {
			if d := m.Entry(from); d < distance.Never && !above[from] {
				t.Errorf("%s is %d from %s, which does not lead there", n.Name, d, from.Name)
			}
		}
		if m.Entry(n) != 0 {
			t.Errorf("%s is %d from its entry", n.Name, m.Entry(n))
		}
	}
	main := g.Of(pkg.Func("main"))
	for _, test := range []struct {
		fn      string
		reached bool
	}{{"transfer", true}, {"count", true}, {"main", true}} {
		m := a.Distances().To(g.Of(pkg.Func(test.fn)).Body.Blocks[0].Instrs[0])
		if got := m.Entry(main) < distance.Never; got != test.reached {
			t.Errorf("%s is reached from main: %t, want %t", test.fn, got, test.reached)
		}
		// From where main returns, only through what it defers, which is nothing.
		last := main.Body.Blocks[len(main.Body.Blocks)-1]
		if d := m.Stack([]ssa.Instruction{last.Instrs[len(last.Instrs)-1]}); d < distance.Never {
			t.Errorf("%s is %d from the end of main", test.fn, d)
		}
	}
}
