package worker

import (
	"cmp"
	"context"
	"math"
	"strings"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
)

// FindSeeds collects the inputs that a fuzz target begins with: those that a run
// of it adds, then those of its corpus. The values of strings and slices are at most
// maxLen long or, if that is zero, half as long again as the longest seed, within bounds;
// FindSeeds sets and returns that length. Longer seeds are run as they are.
func (w *Worker) FindSeeds(ctx context.Context, maxLen int) (int, error) {
	if w.target.Kind != load.TargetFuzz {
		w.SetMaxLen(cmp.Or(maxLen, DefaultMaxLen))
		return w.cfg.MaxLen, nil
	}
	t, err := w.Run(ctx, &run.Plan{}, run.NonPreemptive{})
	if err != nil {
		return 0, err
	}
	if maxLen == 0 {
		longest := longestIn(t.Seeds)
		for _, e := range w.cfg.Corpus {
			for _, v := range e.Values {
				longest = max(longest, len(v.Text))
			}
		}
		maxLen = min(max(DefaultMaxLen, min(longest, MaxSeedLen)*3/2), MaxSeedLen)
	}
	if maxLen != w.cfg.MaxLen { // which seeds are too long follows from it
		w.SetMaxLen(maxLen)
		if t, err = w.Run(ctx, &run.Plan{}, run.NonPreemptive{}); err != nil {
			return 0, err
		}
	}
	w.seeds = t.Seeds
	for i := range w.cfg.Corpus {
		if e := &w.cfg.Corpus[i]; len(e.Values) == len(t.Params) {
			w.seeds = append(w.seeds, seedOf(e, t.Params, maxLen))
		}
	}
	return maxLen, nil
}

// RunSeeds makes the run in which a fuzz target is called for one seed after the other, as
// by go test: what one call leaves in package variables is there in the next. If it shows a
// finding and one of the seeds does so by itself, the result is the run of that seed. There
// is no run if there are less than two seeds.
func (w *Worker) RunSeeds(ctx context.Context, stats *Stats) (*run.Plan, *run.Trace, error) {
	if len(w.seeds) < 2 {
		return nil, nil, nil
	}
	// If the first run shows a finding, each seed is run by itself until one does, too. If
	// none does, the finding is that of all in turn.
	all := run.InTurn(w.seeds)
	inputs := append([]run.Input{all}, w.seeds...)
	for i, input := range append(inputs, all) {
		plan := &run.Plan{Input: input}
		trace, err := w.profiledRun(ctx, plan, run.NonPreemptive{})
		if err != nil {
			return nil, nil, err
		}
		if i == 0 {
			w.Count(trace, true, stats)
		}
		if failed := len(w.Findings(trace)) > 0; failed != (i == 0) {
			return plan, trace, nil
		}
	}
	return nil, nil, nil
}

// MaxSeedLen is the length of the longest string or slice that is drawn because seeds are
// that long.
const MaxSeedLen = 64

// longestIn returns the length of the longest string or slice in inputs.
func longestIn(inputs []run.Input) int {
	longest := uint64(0)
	for _, in := range inputs {
		for name, n := range in {
			if strings.HasPrefix(name, "len(") {
				longest = max(longest, n)
			}
		}
	}
	return int(min(longest, math.MaxInt32))
}
