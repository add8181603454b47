package vm_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
)

// The exhaustive search finds the outcomes that all interleavings of the functions
// in testdata/concurrent have, and no others. After a race it makes more visible, so
// functions with races are left out. What others do before a panic ends the
// run is no outcome of its own: the search lets them go on.
func TestSearched(t *testing.T) {
	for _, dir := range []string{"channels", "locks", "time", "bubbles"} {
		t.Run(dir, func(t *testing.T) {
			p := loadFuncs(t, "concurrent/"+dir)
			for _, name := range p.some() {
				t.Run(name, func(t *testing.T) {
					r := p.runner(t, name)
					got, runs := r.search(t, hyperconcolic.New(hyperconcolic.Options{Names: r.Names}))
					var want []string
					for _, out := range p.want[name] {
						if strings.Contains(out, "data race") {
							t.Skip("it has a race")
						}
						if !strings.HasPrefix(out, "panic") {
							want = append(want, out)
						}
					}
					for out := range got {
						if strings.HasPrefix(out, "panic") {
							delete(got, out)
						}
					}
					slices.Sort(want)
					if have := slices.Sorted(maps.Keys(got)); !slices.Equal(have, want) {
						t.Errorf("in %d runs\ngot\n\t%s\nwant\n\t%s", runs, strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
					}
					t.Log(runs, "runs")
				})
			}
		})
	}
}
