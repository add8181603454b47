package vm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// TestCorrespondences tests that the correspondences of a run are those that the comments
// of the functions in testdata/concurrent/inputs list, and that there are none if the
// plan does not ask for them.
func TestCorrespondences(t *testing.T) {
	p := loadFuncs(t, "concurrent/inputs")
	p.eachNoted(t, "corresponds:", 3, func(t *testing.T, r *runner, _ string, want []string) {
		trace, _ := r.run(t, &run.Plan{InputToState: true}, run.NonPreemptive{})
		var got []string
		for _, w := range trace.Correspondences {
			var have []string
			for _, x := range w.Have {
				if x == expr.None {
					have = append(have, "_")
				} else {
					have = append(have, r.Arena.String(x))
				}
			}
			got = append(got, fmt.Sprintf("%s wants %q", strings.Join(have, " "), w.Want))
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
		}
		conditions := len(trace.Path)
		trace, _ = r.run(t, &run.Plan{}, run.NonPreemptive{})
		if len(trace.Correspondences) > 0 || len(trace.Path) != conditions {
			t.Errorf("without InputToState there are %d correspondences, and %d conditions instead of %d", len(trace.Correspondences), len(trace.Path), conditions)
		}
	})
}
