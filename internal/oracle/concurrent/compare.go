package concurrent

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
)

// Bounds of what is compared.
const (
	maxStates = 50_000
	maxRuns   = 20_000
)

// Compare compares what the exhaustive search finds in the programs of some seeds with what
// the enumerator says.
func Compare(ctx context.Context, seeds []uint64, cfg oracle.Config) (*suite.Results, error) {
	r := &suite.Results{Programs: len(seeds)}
	var programs []*oracle.Program
	var results []*oracle.Result
	for _, seed := range seeds {
		cfg.Mode = oracle.Mode(seed % 2)
		p := oracle.Generate(seed, cfg)
		want, err := oracle.Enumerate(p, maxStates)
		if errors.Is(err, oracle.ErrTooLarge) {
			r.Leave(err.Error())
			continue
		}
		if err != nil {
			return nil, err
		}
		programs, results = append(programs, p), append(results, want)
	}
	dir, err := os.MkdirTemp("", "concurrent")
	if err != nil {
		return nil, fmt.Errorf("making a suite: %w", err)
	}
	defer os.RemoveAll(dir)
	s, err := Load(ctx, dir, programs)
	if err != nil {
		return nil, err
	}
	for i, want := range results {
		p, err := s.Player(ctx, i)
		if err != nil {
			return nil, err
		}
		f, err := p.Search(ctx, hyperconcolic.New(hyperconcolic.Options{Names: p.Machine.Names}), maxRuns)
		if errors.Is(err, ErrTooManyRuns) {
			r.Leave(err.Error())
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%w\n%s", err, oracle.Describe(programs[i]))
		}
		r.Runs += f.Runs
		if what := f.Difference(want); what != "" {
			r.Differences = append(r.Differences, suite.Difference{Seed: programs[i].Seed, What: what, Source: oracle.Describe(programs[i])})
		} else {
			r.Compared++
		}
	}
	return r, nil
}
