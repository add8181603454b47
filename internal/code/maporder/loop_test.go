package maporder_test

import (
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/code/maporder"
	"github.com/everyway-go/everyway/internal/load"
)

// TestOf asks for the order of each loop in testdata/loops.go. The name of its function begins
// with the answer.
func TestOf(t *testing.T) {
	p, functions := functionsOf(t, "testdata/loops.go")
	orders := map[string]maporder.Order{"matters": maporder.Matters, "shared": maporder.Shared, "result": maporder.Result, "never": maporder.Never}
	n := 0
	for _, fn := range functions {
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

// functionsOf returns a program of a file, and the functions of that.
func functionsOf(t *testing.T, file string) (*code.Program, []*ssa.Function) {
	t.Helper()
	r, err := load.Load(t.Context(), load.Config{Patterns: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	return compile.NewProgram(r.Prog, r.Sizes, nil, nil), codetest.Functions(r, r.Packages[0])
}

// TestCommutes asks whether calls commute of what each function in testdata/calls.go has called. The name of the
// function says it.
func TestCommutes(t *testing.T) {
	p, functions := functionsOf(t, "testdata/calls.go")
	over := types.NewMap(types.Typ[types.String], types.Typ[types.Int])
	n := 0
	for _, fn := range functions {
		want := strings.HasPrefix(fn.Name(), "commutes")
		if !want && !strings.HasPrefix(fn.Name(), "depends") || fn.Parent() != nil {
			continue
		}
		n++
		if got := maporder.Commutes(fn.AnonFuncs[0], 0, over, true, p.Body); got != want {
			t.Errorf("%s: %v", fn.Name(), got)
		}
	}
	if n < 25 {
		t.Errorf("%d functions", n)
	}
}

// TestFloats asks the same of functions that are called with the entries of a map[any]any, which
// may be the one that they write to, with and without floating-point numbers in its keys.
func TestFloats(t *testing.T) {
	p, functions := functionsOf(t, "testdata/calls.go")
	anything := types.Universe.Lookup("any").Type()
	over := types.NewMap(anything, anything)
	type answer struct{ with, without bool }
	want := map[string]answer{
		"floatsOwn":      {false, true}, // an entry that is made for a NaN may be visited
		"floatsSame":     {false, false},
		"floatsAsserted": {true, true},
	}
	for _, fn := range functions {
		want, ok := want[fn.Name()]
		if !ok {
			continue
		}
		called := fn.AnonFuncs[0]
		got := answer{maporder.Commutes(called, 0, over, true, p.Body), maporder.Commutes(called, 0, over, false, p.Body)}
		if got != want {
			t.Errorf("%s: %+v, want %+v", fn.Name(), got, want)
		}
	}
}

// TestVisitOf asks whether the loops of functions in testdata/calls.go do nothing but call a function. The name of the
// function says it, with the argument that is the key.
func TestVisitOf(t *testing.T) {
	p, functions := functionsOf(t, "testdata/calls.go")
	n := 0
	for _, fn := range functions {
		number, want := strings.CutPrefix(fn.Name(), "visit")
		if !want && !strings.HasPrefix(fn.Name(), "other") || fn.Parent() != nil {
			continue
		}
		n++
		key := strings.IndexByte("01", number[0])
		visit, got := maporder.VisitOf(loopIn(fn), p.Body)
		if got != want || got && (visit.Key != key || visit.Func != fn.Params[1]) {
			t.Errorf("%s: %v, %+v", fn.Name(), got, visit)
		}
	}
	if n < 10 {
		t.Errorf("%d functions", n)
	}
}
