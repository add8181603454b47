package search

import (
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/verdict"
)

// TestCollects searches a program of which some runs collect garbage. The exhaustive search begins
// again when it meets the first of them, in whatever task and phase that is: it makes the same runs
// with any number of workers, and in a mix no fewer than alone.
func TestCollects(t *testing.T) {
	prog, err := program.Load(t.Context(), ".", []string{"./testdata/collects"}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	target := &prog.Targets()[0]
	runs := map[string]int{}
	for _, strategy := range []string{"hyperconcolic", "mix"} {
		for workers := 1; workers <= 2; workers++ {
			cfg := Config{Strategy: strategy, Workers: workers, Budget: time.Hour, OutDir: t.TempDir()}
			r, err := Target(t.Context(), prog, target, cfg, verdict.Quiet{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != verdict.Holds {
				t.Errorf("%s, %d workers: %s %v, want holds", strategy, workers, r.Verdict, r.Open)
			}
			if workers > 1 && r.Runs != runs[strategy] {
				t.Errorf("%s: %d runs with %d workers, %d with one", strategy, r.Runs, workers, runs[strategy])
			}
			runs[strategy] = r.Runs
		}
	}
	t.Log(runs)
	if runs["mix"] < runs["hyperconcolic"] {
		t.Errorf("%d runs in a mix, %d in the exhaustive search alone", runs["mix"], runs["hyperconcolic"])
	}
}
