package edges

import (
	"testing"

	"github.com/everyway-go/everyway/internal/sample"
)

// TestCompare compares what the searches find.
func TestCompare(t *testing.T) {
	var seeds []uint64
	for seed := range sample.Of(300, 60, 12) {
		seeds = append(seeds, uint64(seed))
	}
	// A Signal before which its goroutine does something may come before somebody waits.
	// A send that panics is also one that a close could come before, unless additions commute.
	seeds = append(seeds, 12409, 12439, 7700190)
	r, c, err := compareSeeds(t.Context(), seeds)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Differences {
		t.Errorf("seed %d: %s\n%s", d.Seed, d.What, d.Source)
	}
	t.Logf("%d of %d programs compared, %d with a race, %d in every order, %d runs; the others: %v", r.Compared, r.Programs, c.racy, c.orders, r.Runs, r.Left)
	if c.racy < r.Compared/10 || c.racy > r.Compared*9/10 {
		t.Errorf("%d of %d programs have a race", c.racy, r.Compared)
	}
	if r.Compared < r.Programs*3/4 {
		t.Errorf("only %d of %d programs were compared", r.Compared, r.Programs)
	}
}
