package pointsto_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden compares what the values in the functions of a program may point to.
func TestGolden(t *testing.T) {
	r, err := golib.Load(t.Context(), load.Config{Patterns: []string{"testdata/pointers.go"}})
	if err != nil {
		t.Fatal(err)
	}
	pkg := r.Packages[0].SSA
	prog := compile.NewProgram(r.Prog, r.Sizes, nil, nil)
	g, err := callgraph.Build(t.Context(), callgraph.Config{Code: prog, Roots: []*ssa.Function{pkg.Func("init"), pkg.Func("main")}})
	if err != nil {
		t.Fatal(err)
	}
	result, err := pointsto.Solve(t.Context(), g, prog)
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Sanity(); err != nil {
		t.Error(err)
	}
	var out strings.Builder
	for _, n := range result.Reached() {
		if strings.HasPrefix(n.Name, "main.") {
			if _, err := result.Print(&out, n); err != nil {
				t.Fatal(err)
			}
		}
	}
	const golden = "testdata/pointers.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("differs from %s (rewrite it with -update):\n%s", golden, out.String())
	}
}
