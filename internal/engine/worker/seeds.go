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
