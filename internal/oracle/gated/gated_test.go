package gated

import (
	"testing"

	"github.com/everyway-go/everyway/internal/sample"
)

// TestCompare compares the verdicts of the two searches.
func TestCompare(t *testing.T) {
	var seeds []uint64
	for seed := range sample.Of(300, 100, 20) {
		seeds = append(seeds, uint64(seed))
	}
	// What a read at an index that depends on inputs looks at depends on who knows of the writes to all elements.
	seeds = append(seeds, 7300072)
	r, fail, err := compare(t.Context(), seeds)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Differences {
		t.Errorf("%s\n%s", d.What, d.Source)
	}
	t.Logf("%d of %d programs compared, %d runs; the others: %v", r.Compared, r.Programs, r.Runs, r.Left)
	if fail < r.Compared/10 || fail > r.Compared*9/10 {
		t.Errorf("%d of %d programs have a race", fail, r.Compared)
	}
	if r.Compared < r.Programs*3/4 {
		t.Errorf("only %d of %d programs were compared", r.Compared, r.Programs)
	}
}
