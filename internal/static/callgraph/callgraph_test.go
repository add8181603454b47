package callgraph_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// TestGolden compares the calls of a program, but for those of the standard library.
func TestGolden(t *testing.T) {
	g := build(t, "testdata/calls.go")
	var out strings.Builder
	own := func(n *callgraph.Node) bool {
		return n.Func != nil && strings.HasPrefix(n.Func.String(), "command-line-arguments.") || strings.Contains(n.Name, "main.")
	}
	if _, err := g.Print(&out, own); err != nil {
		t.Fatal(err)
	}
	codetest.CompareGolden(t, "testdata/calls.golden", out.String())
	for _, name := range []string{"main.unused", "main.never.area"} {
		for _, n := range g.Nodes {
			if n.Name == name {
				t.Errorf("%s is in the graph", name)
			}
		}
	}
}

func build(t *testing.T, file string) *callgraph.Graph {
	t.Helper()
	r, err := load.Load(t.Context(), load.Config{Patterns: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	pkg := r.Packages[0].SSA
	g, err := callgraph.Build(t.Context(), callgraph.Config{
		Code:  compile.NewProgram(r.Prog, r.Sizes, nil, nil),
		Roots: []*ssa.Function{pkg.Func("init"), pkg.Func("main")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Sanity(); err != nil {
		t.Fatal(err)
	}
	return g
}

// TestNarrow leaves calls out.
func TestNarrow(t *testing.T) {
	g := build(t, "testdata/calls.go")
	narrow := g.Narrow(func(_ *callgraph.Site, callee *callgraph.Node) bool { return callee.Name != "main.(*circle).area" })
	if err := narrow.Sanity(); err != nil {
		t.Fatal(err)
	}
	has := make(map[string]bool)
	for _, n := range narrow.Nodes {
		has[n.Name] = true
	}
	if has["main.(*circle).area"] || !has["main.square.area"] || len(narrow.Nodes) >= len(g.Nodes) {
		t.Errorf("%d functions of %d are left: %v", len(narrow.Nodes), len(g.Nodes), has)
	}
}
