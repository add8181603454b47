package pointsto_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// solve analyses the program of this test.
func solve(t *testing.T) *pointsto.Result {
	t.Helper()
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
	result, err := pointsto.Solve(t.Context(), g, prog, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Sanity(); err != nil {
		t.Error(err)
	}
	return result
}

// TestGolden compares what the values in the functions of a program may point to.
func TestGolden(t *testing.T) {
	result := solve(t)
	var out strings.Builder
	for _, n := range result.Reached() {
		if strings.HasPrefix(n.Name, "main.") {
			if _, err := result.Print(&out, n); err != nil {
				t.Fatal(err)
			}
		}
	}
	codetest.CompareGolden(t, "testdata/pointers.golden", out.String())
}

// TestPanicValues checks that the values with which the machine panics point to something: what their methods do with
// their receivers must not seem to be done with nothing.
func TestPanicValues(t *testing.T) {
	result := solve(t)
	const name = "runtime.(*TypeAssertionError).Error"
	for _, n := range result.Reached() {
		if n.Name != name {
			continue
		}
		if labels := result.Of(n.Body.Params[0]); len(labels) == 0 {
			t.Errorf("the receiver of %s points to nothing", name)
		}
		return
	}
	t.Errorf("%s is not reached", name)
}
