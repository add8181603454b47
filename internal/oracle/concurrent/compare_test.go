package concurrent

import (
	"testing"

	"github.com/everyway-go/everyway/internal/sample"
)

// TestCompare compares what the exhaustive searches find with what the enumerator says, for
// programs of each kind.
func TestCompare(t *testing.T) {
	for _, search := range []struct {
		name string
		Search
		programs int // of each kind
	}{
		{"reduced", Reduced, sample.Size(80, 50, 10)},
		{"stateful", Stateful, sample.Size(80, 50, 10)},
	} {
		for _, k := range Kinds {
			if search.Merges && k.Config.Nodes {
				continue // what can be collected has no fingerprints: that takes long
			}
			t.Run(search.name+"/"+k.Name, func(t *testing.T) {
				var seeds []uint64
				for seed := range search.programs {
					seeds = append(seeds, uint64(seed))
				}
				r, err := Compare(t.Context(), seeds, k.Config, search.Search, false)
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
}
