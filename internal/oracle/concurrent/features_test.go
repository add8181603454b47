package concurrent

import (
	"testing"

	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/sample"
)

// features are what programs can have beside the statements that all have.
var features = []struct {
	name string
	oracle.Config
}{
	{"time", oracle.Config{Time: true, Clock: true, Parks: true}},
	{"stall", oracle.Config{Time: true, Parks: true, Stall: 2*oracle.Unit - 1}},
	{"maps", oracle.Config{Maps: true}},
	{"initialisers", oracle.Config{Init: true}},
}

// TestFeatures compares what the exhaustive search finds with what the enumerator says, for
// programs with more in them.
func TestFeatures(t *testing.T) {
	for _, f := range features {
		t.Run(f.name, func(t *testing.T) {
			var seeds []uint64
			for seed := range sample.Of(300, 60, 10) {
				seeds = append(seeds, uint64(seed))
			}
			r, err := Compare(t.Context(), seeds, f.Config, false)
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
