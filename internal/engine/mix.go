package engine

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/con2colic"
	"github.com/everyway-go/everyway/internal/strategy/generational"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/strategy/random"
)

// A phase is a strategy's part in a search.
type phase struct {
	start  func(*worker) (strategy.Strategy, error)
	runs   int     // after which the next phase begins; 0 for no bound
	until  float64 // share of the budget at which it begins in any case
	proves bool    // a finished search of this strategy proves that the target holds
}

// The mix. Random runs find some bugs first and the exhaustive search, which begins
// with few preemptions, others: the two take turns for some hundred runs, each
// turn twice as long as the one before and those of the exhaustive search four times
// as long as the others, so that neither waits long for the other. Then con2colic
// has its time: it finds what needs few interferences, however many interleavings
// there are. The rest goes to the exhaustive search, which is what can end in holds.
const (
	mixTurns             = 3
	mixFirstTurn         = 16 // random runs
	mixSampling          = random.Uniform
	mixTurnsShare        = 0.2
	mixGenerationalShare = 0.5
	mixCon2colicShare    = 0.65
)

// phases returns the strategies that a configuration asks for.
func phases(cfg Config) []phase {
	randomRuns := func(sampling random.Sampling, seed uint64, runs int) func(*worker) (strategy.Strategy, error) {
		return func(w *worker) (strategy.Strategy, error) {
			return random.New(random.Options{Sampling: sampling, Seed: seed, Runs: runs, Seeds: w.seeds, MaxLen: w.cfg.MaxLen}), nil
		}
	}
	byDegree := func(*worker) (strategy.Strategy, error) {
		return con2colic.New(con2colic.Options{K: cfg.MaxDegree, Seed: cfg.Seed, UnsatCore: true, Duplicates: true, Priority: true, Solver: cfg.Solver}), nil
	}
	byInput := func(w *worker) (strategy.Strategy, error) {
		return generational.New(generational.Options{Seeds: w.seeds, MaxLen: w.cfg.MaxLen, Solver: cfg.Solver}), nil
	}
	order, _ := hyperconcolic.OrderByName(cfg.Order)
	all := func(w *worker) (strategy.Strategy, error) {
		return hyperconcolic.New(hyperconcolic.Options{Names: w.machine.Names, EagerTimers: cfg.EagerTimers, Merge: run.MergeLibrary, Order: order, Solver: cfg.Solver}), nil
	}
	if sampling, ok := random.ByName(cfg.Strategy); ok {
		return []phase{{start: randomRuns(sampling, cfg.Seed, 0), until: 1}}
	}
	switch cfg.Strategy {
	case "generational":
		return []phase{{start: byInput, until: 1}}
	case "con2colic":
		return []phase{{start: byDegree, until: 1}}
	case "hyperconcolic":
		return []phase{{start: all, until: 1, proves: true}}
	}
	var mix []phase
	for turn := range mixTurns {
		runs := mixFirstTurn << turn
		until := mixTurnsShare * float64(turn+1) / mixTurns
		mix = append(mix,
			phase{start: randomRuns(mixSampling, cfg.Seed+uint64(turn), runs), until: until},
			phase{start: all, runs: 4 * runs, until: until, proves: true})
	}
	return append(mix,
		phase{start: byInput, until: mixGenerationalShare},
		phase{start: byDegree, until: mixCon2colicShare},
		phase{start: all, until: 1, proves: true})
}
