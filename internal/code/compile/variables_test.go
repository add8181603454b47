package compile_test

import (
	"context"
	"reflect"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/load"
)

// TestNamesChangeNothing compiles functions of the standard library with the names of their variables and
// without: the code has to be the same, so that runs are.
func TestNamesChangeNothing(t *testing.T) {
	r := standard(t)
	named, err := load.Load(context.Background(), load.Config{Patterns: []string{"fmt", "strings", "sort", "encoding/json", "sync", "unicode/utf8"}, Names: true})
	if err != nil {
		t.Fatal(err)
	}
	p := compile.NewProgram(r.Prog, r.Sizes, nil, nil)
	q := compile.NewProgram(named.Prog, named.Sizes, nil, nil)
	q.References = code.NewReferences()
	functions, assignments, nowhere := 0, 0, 0
	for i, pkg := range r.Packages {
		want := make(map[string]*ssa.Function)
		for _, fn := range codetest.Functions(r, pkg) {
			want[fn.String()] = fn
		}
		for _, fn := range codetest.Functions(named, named.Packages[i]) {
			w := want[fn.String()]
			if w == nil {
				t.Errorf("%s exists only with names", fn)
				continue
			}
			delete(want, fn.String())
			f, g := p.Func(w), q.Func(fn)
			// Types and callees have numbers of their own in each function, in the order of the code.
			if f.Regs != g.Regs || !reflect.DeepEqual(f.Code, g.Code) {
				t.Errorf("%s differs with names:\n%v\n%v", fn, f, g)
			}
			if err := code.Sanity(g); err != nil {
				t.Error(err)
			}
			functions++
			if g.Intrinsic {
				continue
			}
			if g.Variables == nil {
				t.Errorf("%s has no variables", fn)
				continue
			}
			for _, a := range g.Variables.Assignments {
				if a.Off < 0 {
					continue
				}
				assignments++
				if a.Kind == code.Nowhere {
					nowhere++
				}
			}
		}
		for name := range want {
			t.Errorf("%s exists only without names", name)
		}
	}
	t.Logf("%d functions, %d assignments, of which %d have no place", functions, assignments, nowhere)
	if assignments < 10*nowhere {
		t.Errorf("%d of %d assignments have no place", nowhere, assignments)
	}
}
