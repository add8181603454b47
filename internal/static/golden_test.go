package static_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// TestGolden compares what is said of the functions of a program with golden files: the locks held, what is shared, the
// loops, and the definitions that reads may see.
func TestGolden(t *testing.T) {
	const file = "testdata/account.go"
	p, err := vmtest.LoadPrograms([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	pkg := p.Packages[file].SSA
	a := analyse(t, p.Code, pkg, []*ssa.Function{pkg.Func("main")})
	locks, err := a.Locks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	shared, err := a.Shared(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	loops, err := a.Loops(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	definitions, err := a.Definitions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		name  string
		print func(w io.Writer, n *callgraph.Node) (int64, error)
	}{
		{"locks", locks.Print},
		{"shared", shared.Print},
		{"loops", func(w io.Writer, n *callgraph.Node) (int64, error) { return loops.Print(w, a.Control(n.Body)) }},
		{"definitions", definitions.Print},
	} {
		var out strings.Builder
		for _, n := range a.Calls().Nodes {
			if n.Body != nil && strings.HasPrefix(n.Name, pkg.Pkg.Path()) || strings.HasPrefix(n.Name, "main.") {
				if _, err := part.print(&out, n); err != nil {
					t.Fatal(err)
				}
			}
		}
		codetest.CompareGolden(t, fmt.Sprintf("testdata/account.%s.golden", part.name), out.String())
	}
	checkDistances(t, a, pkg)
}
