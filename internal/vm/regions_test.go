package vm_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
)

// The functions in testdata/merge have the outcomes and the numbers of paths that
// their comments list: an exhaustive search makes one run for each path.
func TestMerge(t *testing.T) {
	p := loadFuncs(t, "merge")
	for _, name := range p.names {
		t.Run(name, func(t *testing.T) {
			r := p.runner(t, name)
			r.AddInputs(p.pkg.Pkg.Path())
			want := slices.Sorted(slices.Values(p.want[name]))
			var paths []any
			for _, merge := range []run.Merging{run.MergeNone, run.MergeAll} {
				got, runs := r.search(t, hyperconcolic.New(hyperconcolic.Options{Names: r.Names, Merge: merge}))
				if have := slices.Sorted(maps.Keys(got)); !slices.Equal(have, want) {
					t.Errorf("merging %v: outcomes %q, want %q", merge, have, want)
				}
				paths = append(paths, runs)
			}
			if got, want := fmt.Sprintln(paths...), p.notes(name, "paths:"); len(want) != 1 || got != want[0]+"\n" {
				t.Errorf("%s paths, want %s", got, want)
			}
		})
	}
}
