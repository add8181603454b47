package vm_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/vm"
)

// The functions in testdata/merge have the outcomes and the numbers of paths that
// their comments list.
func TestMerge(t *testing.T) {
	p := loadFuncs(t, "merge")
	for _, name := range p.names {
		t.Run(name, func(t *testing.T) {
			r := p.runner(t, name)
			r.AddInputs(p.pkg.Pkg.Path())
			var counts [2]int
			want := slices.Sorted(slices.Values(p.want[name]))
			for i, merge := range []vm.Merging{vm.MergeNone, vm.MergeAll} {
				got, paths := map[string]bool{}, map[string]bool{}
				r.everyInput(t, vm.Plan{Merge: merge}, func(trace *vm.Trace, out string) {
					got[out] = true
					var path strings.Builder
					for _, c := range trace.Path {
						fmt.Fprintln(&path, r.Arena.String(c.Cond))
					}
					paths[path.String()] = true
				})
				counts[i] = len(paths)
				if have := slices.Sorted(maps.Keys(got)); !slices.Equal(have, want) {
					t.Errorf("merging %v, outcomes %q, want %q", merge, have, want)
				}
			}
			if got, want := fmt.Sprint(counts[0], " ", counts[1]), p.notes(name, "paths:"); !slices.Equal([]string{got}, want) {
				t.Errorf("%s paths, want %s", got, want)
			}
		})
	}
}
