package engine

import (
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/con2colic"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
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
	mixSampling       = random.Uniform
	mixRandomShare    = 0.1
	mixCon2colicShare = 0.5
)

// phases returns the strategies that a configuration asks for.
func phases(cfg Config) []phase {
	randomRuns := func(sampling random.Sampling, runs int) func(*worker) (strategy.Strategy, error) {
		return func(w *worker) (strategy.Strategy, error) {
			return random.New(random.Options{Sampling: sampling, Seed: cfg.Seed, Runs: runs, Seeds: w.seeds, MaxLen: cfg.MaxLen}), nil
		}
	}
	byDegree := func(*worker) (strategy.Strategy, error) {
		return con2colic.New(con2colic.Options{K: cfg.MaxDegree, Seed: cfg.Seed, UnsatCore: true, Duplicates: true, Priority: true}), nil
	}
	all := func(w *worker) (strategy.Strategy, error) {
		return hyperconcolic.New(hyperconcolic.Options{Names: w.machine.Names, EagerTimers: cfg.EagerTimers}), nil
	}
	if sampling, ok := random.ByName(cfg.Strategy); ok {
		return []phase{{start: randomRuns(sampling, 0), until: 1}}
	}
	switch cfg.Strategy {
	case "con2colic":
		return []phase{{start: byDegree, until: 1}}
	case "hyperconcolic":
		return []phase{{start: all, until: 1, proves: true}}
	}
	return []phase{
		{start: randomRuns(mixSampling, mixRandomRuns), until: mixRandomShare},
		{start: byDegree, until: mixCon2colicShare},
		{start: all, until: 1, proves: true},
	}
}
