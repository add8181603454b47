package vm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
)

// TestSymmetric runs the functions of testdata/concurrent/symmetry in every interleaving and
// checks that no other goroutines are ever taken for symmetric than their comments say, and those
// in the first run.
func TestSymmetric(t *testing.T) {
	p := loadFuncs(t, "concurrent/symmetry")
	p.eachNoted(t, "symmetric:", 14, func(t *testing.T, r *runner, name string, notes []string) {
		want := strings.Fields(notes[0])
		if notes[0] == "none" {
			want = nil
		}
		first := true
		r.everyRun(t, run.Plan{Symmetry: true}, 20000, func(trace *run.Trace, _ string) {
			var got []string
			for _, s := range trace.Symmetric {
				got = append(got, r.Names.String(s.Goroutine)+"="+r.Names.String(s.Earlier))
			}
			for _, s := range got {
				if !slices.Contains(want, s) {
					t.Fatalf("%s in a run", s)
				}
			}
			if first && len(got) < len(want) {
				t.Errorf("%v, want %v", got, want)
			}
			first = false
		})
	})
}
