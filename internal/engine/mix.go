package engine

import (
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/con2colic"
	"github.com/everyway-go/everyway/internal/strategy/exhaustive"
	"github.com/everyway-go/everyway/internal/strategy/random"
)

// A phase is a strategy's part in a search.
type phase struct {
	start  func(*worker) (strategy.Strategy, error)
	until  float64 // share of the budget at which the next phase begins
	proves bool    // a finished search of this strategy proves that the target holds
}

// The mix: a few random runs find what is easy and cost next to nothing;
// con2colic finds what needs few interferences, however many interleavings
// there are; the exhaustive search is what can end in holds.
const (
	mixRandomRuns     = 16
	mixRandomShare    = 0.1
	mixCon2colicShare = 0.5
)

// phases returns the strategies that a configuration asks for.
func phases(cfg Config) []phase {
	randomRuns := func(runs int) func(*worker) (strategy.Strategy, error) {
		return func(w *worker) (strategy.Strategy, error) {
			return random.New(random.Options{Seed: cfg.Seed, Runs: runs, Seeds: w.seeds}), nil
		}
	}
	byDegree := func(*worker) (strategy.Strategy, error) {
		return con2colic.New(con2colic.Options{K: cfg.MaxDegree, Seed: cfg.Seed, UnsatCore: true, Duplicates: true, Priority: true}), nil
	}
	all := func(*worker) (strategy.Strategy, error) {
		return exhaustive.New(exhaustive.Options{}), nil
	}
	switch cfg.Strategy {
	case "random":
		return []phase{{start: randomRuns(0), until: 1}}
	case "con2colic":
		return []phase{{start: byDegree, until: 1}}
	case "exhaustive":
		return []phase{{start: all, until: 1, proves: true}}
	}
	return []phase{
		{start: randomRuns(mixRandomRuns), until: mixRandomShare},
		{start: byDegree, until: mixCon2colicShare},
		{start: all, until: 1, proves: true},
	}
}
