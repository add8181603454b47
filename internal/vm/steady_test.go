package vm_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
)

// How tables are read at a symbolic index is what the comments of the functions in
// testdata/concurrent/inputs say, in every interleaving. That what is read is right is
// shown by TestInputs.
func TestTables(t *testing.T) {
	p := loadFuncs(t, "concurrent/inputs")
	p.eachNoted(t, "reads:", 8, func(t *testing.T, r *runner, _ string, want []string) {
		got := map[string]bool{}
		visit := func(trace *run.Trace, _ string) {
			how := "an element of any index"
			if slices.ContainsFunc(trace.Path, func(c run.Condition) bool { return c.Kind == run.Concretized }) {
				how = "an element of one index"
			}
			for _, u := range trace.GivenUp {
				how += ", given up: " + u.What
			}
			got[how] = true
		}
		r.everyRun(t, run.Plan{Input: run.Input{"x": 3}}, 1000, visit)
		slices.Sort(want)
		if have := slices.Sorted(maps.Keys(got)); !slices.Equal(have, want) {
			t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
		}
	})
}
