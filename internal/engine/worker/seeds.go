package worker

import (
	"context"
	"math"
	"strings"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
)

// FindSeeds collects the inputs that a fuzz target begins with: those that a run
// of it adds, then those of its corpus.
func (w *Worker) FindSeeds(ctx context.Context) error {
	if w.target.Kind != load.TargetFuzz {
		return nil
	}
	t, err := w.Run(ctx, &run.Plan{}, run.NonPreemptive{})
	if err != nil {
		return err
	}
	w.seeds = t.Seeds
	params := program.Parameters(w.target)
	if params == nil {
		return nil
	}
	corpus, err := readCorpus(w.target.Package.Dir, w.target.Name, params)
	w.seeds = append(w.seeds, corpus...)
	return err
}

// LongestSeed returns the length of the longest string or slice in the seeds.
func (w *Worker) LongestSeed() int {
	longest := uint64(0)
	for _, seed := range w.seeds {
		for name, n := range seed {
			if strings.HasPrefix(name, "len(") {
				longest = max(longest, n)
			}
		}
	}
	return int(min(longest, math.MaxInt32))
}
