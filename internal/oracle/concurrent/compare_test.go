package concurrent

import (
	"testing"

	"github.com/everyway-go/everyway/internal/sample"
)

// TestCompare compares what the exhaustive search finds with what the enumerator says, for
// programs of each kind.
func TestCompare(t *testing.T) {
	for _, k := range Kinds {
		t.Run(k.Name, func(t *testing.T) {
			var seeds []uint64
			for seed := range sample.Of(120, 60, 10) {
				seeds = append(seeds, uint64(seed))
			}
			r, err := Compare(t.Context(), seeds, k.Config, false)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range r.Differences {
				t.Errorf("%s\n%s", d.What, d.Source)
			}
			t.Logf("%d of %d programs compared, %d runs", r.Compared, r.Programs, r.Runs)
			if r.Compared < r.Programs/2 {
				t.Errorf("only %d of %d programs were compared: %v", r.Compared, r.Programs, r.Left)
			}
		})
	}
}
