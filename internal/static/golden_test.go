package static_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/cache"
	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/static"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// TestNarrowed takes the narrowed call graph from the cache.
func TestNarrowed(t *testing.T) {
	const file = "pointsto/testdata/pointers.go"
	p, err := vmtest.LoadPrograms([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	pkg := p.Packages[file].SSA
	kept := cache.Open(disk.Dir{System: disk.Host{}, Path: t.TempDir()})
	ended, end := context.WithCancel(t.Context())
	end()
	var graphs []string
	for _, test := range []struct {
		name string
		key  string
		ctx  context.Context
		err  error
	}{
		{"first", "a", t.Context(), nil},
		{"again", "a", ended, nil}, // pointers are not analysed
		{"another program", "b", ended, context.Canceled},
	} {
		cfg := config(p.Code, pkg, []*ssa.Function{pkg.Func("main")})
		h := cache.NewHash("test")
		h.Text(test.key)
		cfg.Key, cfg.Cache = h.Sum(), kept
		a, err := static.New(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		g, err := a.Narrowed(test.ctx)
		if !errors.Is(err, test.err) {
			t.Fatalf("%s: %v, want %v", test.name, err, test.err)
		}
		if err == nil {
			var out strings.Builder
			if _, err := g.WriteTo(&out); err != nil {
				t.Fatal(err)
			}
			graphs = append(graphs, out.String())
			if left, all := callees(g), callees(a.Calls()); left >= all {
				t.Errorf("%s: %d callees of %d are left", test.name, left, all)
			}
		}
	}
	if graphs[0] != graphs[1] {
		t.Error("the graph from the cache is another one")
	}
}

// callees counts the callees of all sites.
func callees(g *callgraph.Graph) (count int) {
	for _, n := range g.Nodes {
		for _, s := range n.Sites {
			count += len(s.Callees())
		}
	}
	return count
}

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
