package maporder_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/code/maporder"
	"github.com/everyway-go/everyway/internal/load"
)

// TestOf asks for the order of each loop in testdata/loops.go. The name of its function begins
// with the answer.
func TestOf(t *testing.T) {
	r, err := load.Load(t.Context(), load.Config{Patterns: []string{"testdata/loops.go"}})
	if err != nil {
		t.Fatal(err)
	}
	p := compile.NewProgram(r.Prog, r.Sizes, nil, nil)
	orders := map[string]maporder.Order{"matters": maporder.Matters, "shared": maporder.Shared, "result": maporder.Result, "never": maporder.Never}
	n := 0
	for _, fn := range codetest.Functions(r, r.Packages[0]) {
		for prefix, want := range orders {
			if !strings.HasPrefix(fn.Name(), prefix) || fn.Parent() != nil {
				continue
			}
			over := loopIn(fn)
			if over == nil {
				t.Errorf("%s has no loop", fn.Name())
				continue
			}
			n++
			if got := maporder.Of(over, p.Body); got != want {
				t.Errorf("%s: %d, want %d", fn.Name(), got, want)
			}
		}
	}
	if n < 100 {
		t.Errorf("%d loops", n)
	}
}

// loopIn returns the first loop over a map in a function, nil if there is none.
func loopIn(fn *ssa.Function) *ssa.Range {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if over, ok := in.(*ssa.Range); ok {
				return over
			}
		}
	}
	return nil
}
