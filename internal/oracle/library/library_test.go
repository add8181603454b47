package library

import (
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
)

// TestAPI checks that every exported function has a program or a reason why it has none.
func TestAPI(t *testing.T) {
	api, err := NewAPI()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range api.Functions {
		if why := api.Missing[f]; why != "" {
			t.Errorf("%s has no program, which would need %s, and no reason to be left out", f, why)
		}
	}
	for f := range omitted {
		if api.Omitted[f] == "" {
			t.Errorf("%s is left out, but there is no such function", f)
		}
	}
	for _, list := range []map[string][]string{arguments, particular} {
		for key := range list {
			if !api.used[key] {
				t.Errorf("no function has a use for the arguments %s", key)
			}
		}
	}
	t.Logf("%d functions, %d of them left out, %d programs", len(api.Functions), len(api.Omitted), len(api.Programs))
}

// TestLibrary compares programs with native runs.
func TestLibrary(t *testing.T) {
	api, err := NewAPI()
	if err != nil {
		t.Fatal(err)
	}
	programs := sample.From(api.Programs, 150, 25)
	c, err := NewChecker(t.Context(), t.TempDir(), programs, Options{Bytes: 1, Runs: 100, Inputs: 300, Merge: run.MergeLibrary, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	inputs := 0
	for i, p := range programs {
		r, err := c.Check(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		inputs += r.Inputs
		if len(r.Differences) > 0 {
			t.Errorf("%s:\n\t%s", p, strings.Join(r.Differences, "\n\t"))
		}
	}
	t.Logf("%d programs, %d inputs", len(programs), inputs)
}

// TestCompare checks that the comparison notices what it is for.
func TestCompare(t *testing.T) {
	a := expr.NewArena()
	x := a.Var("v0", 8)
	small := a.Ult(x, a.Const(10, 8))
	next := a.Add(a.ZExt(x, 64), a.Const(1, 64))
	below := path{conditions: []expr.ID{small}, result: []word{{sym: next}}}
	above := path{conditions: []expr.ID{a.Not(small)}, result: []word{{value: 7}}}
	other := above
	other.decisions = []run.Decision{{Kind: run.Value, Alt: 1}}
	slots := []slot{{"v0", &allBytes}}
	for _, c := range []struct {
		name        string
		paths       []path
		input, want uint64
		differences int
	}{
		{"the result follows from the input", []path{below, above}, 3, 4, 0},
		{"the result is that of the path", []path{below, above}, 200, 7, 0},
		{"another result natively", []path{below, above}, 3, 5, 1},
		{"no path", []path{below}, 200, 7, 1},
		{"two paths", []path{below, above, above}, 200, 7, 1},
		{"two paths under two schedules", []path{below, above, other}, 200, 7, 0},
	} {
		f := &paths{arena: a, runs: c.paths, finished: true}
		if got := f.compare(slots, []uint64{c.input}, []uint64{c.want}, true); len(got) != c.differences {
			t.Errorf("%s: %q, want %d", c.name, got, c.differences)
		}
	}
}
