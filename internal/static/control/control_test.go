package control_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static/control"
)

// TestGolden compares the graphs of the functions in testdata. The only calls that do not return
// there are those of os.Exit.
func TestGolden(t *testing.T) {
	returns := func(call ssa.CallInstruction) bool {
		fn := call.Common().StaticCallee()
		return fn == nil || fn.String() != "os.Exit"
	}
	codetest.Golden(t, "testdata", func(_ *code.Program, f *code.Func) string {
		var out strings.Builder
		for _, panics := range []bool{false, true} {
			g := control.New(f.Body, control.Options{Returns: returns, Panics: panics})
			if err := g.Sanity(); err != nil {
				t.Error(err)
			}
			if panics {
				out.WriteString("with panics, ")
			}
			if _, err := g.WriteTo(&out); err != nil {
				t.Error(err)
			}
		}
		return out.String()
	})
}

// TestSanity checks the graphs of the functions of a part of the standard library.
func TestSanity(t *testing.T) {
	r, err := load.Load(t.Context(), load.Config{Patterns: []string{"fmt", "strconv", "encoding/json", "sync", "text/template/parse"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range r.Packages {
		for _, fn := range codetest.Functions(r, pkg) {
			if fn.Blocks == nil {
				continue
			}
			for _, panics := range []bool{false, true} {
				g := control.New(fn, control.Options{Panics: panics})
				if err := g.Sanity(); err != nil {
					t.Error(err)
				}
				checkDependences(t, g)
			}
		}
	}
}

// checkDependences compares control dependence with its definition: a node depends on a way out of a
// branch if it post-dominates the successor, or is it, and is not another node that post-dominates the branch.
func checkDependences(t *testing.T, g *control.Graph) {
	t.Helper()
	if len(g.Nodes) > 60 {
		return // quadratic
	}
	for _, n := range g.Nodes {
		got := make(map[control.Dependence]bool)
		for _, d := range g.Dependences(n) {
			got[d] = true
		}
		for _, a := range g.Nodes {
			if len(a.Succs) < 2 || a == g.Start {
				continue
			}
			for i, s := range a.Succs {
				want := n != g.Exit && g.PostDominates(n, s) && (n == a || !g.PostDominates(n, a))
				if d := (control.Dependence{Branch: a, Succ: i}); got[d] != want {
					t.Errorf("%s: node %d depends on side %d of %d: %t, want %t", g.Fn, n.ID, i, a.ID, got[d], want)
				}
			}
		}
	}
}
