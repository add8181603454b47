package concurrent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
)

// Bounds of what is compared.
const (
	maxStates = 100_000
	maxRuns   = 20_000
)

// Kinds are the kinds of programs that are compared, by what they have beside the statements
// that all have.
var Kinds = []struct {
	Name   string
	Config oracle.Config
}{
	{"concurrent", oracle.Config{}},
	{"time", oracle.Config{Time: true, Clock: true, Parks: true}},
	{"stall", oracle.Config{Time: true, Clock: true, Parks: true, Stall: 2*oracle.Unit - 1}},
	{"bubbles", oracle.Config{Time: true, Clock: true, Parks: true, Bubble: true}},
	{"maps", oracle.Config{Maps: true}},
	{"nodes", oracle.Config{Nodes: true}},
	{"initialisers", oracle.Config{Init: true}},
	{"copies", oracle.Config{Copies: true}},
}

// Compare compares what the exhaustive search finds in the programs of some seeds with what
// the enumerator says. A program that is different is reduced if shrink is set.
func Compare(ctx context.Context, seeds []uint64, cfg oracle.Config, shrink bool) (*suite.Results, error) {
	r := &suite.Results{Programs: len(seeds)}
	var programs []*oracle.Program
	for _, seed := range seeds {
		cfg.Mode = oracle.Mode(seed % 2)
		programs = append(programs, oracle.Generate(seed, cfg))
	}
	different, err := compare(ctx, programs, r)
	if err != nil {
		return nil, err
	}
	for i, p := range programs {
		what := different[i]
		for what != "" && shrink {
			less := p.Smaller()
			different, err := compare(ctx, less, &suite.Results{})
			if err != nil {
				return nil, err
			}
			at := slices.IndexFunc(different, func(what string) bool { return what != "" })
			if at < 0 {
				break
			}
			p, what = less[at], different[at]
		}
		if what != "" {
			r.Differences = append(r.Differences, suite.Difference{Seed: p.Seed, What: what, Source: oracle.Describe(p)})
		}
	}
	return r, nil
}

// compare says how each of some programs is different, "" if it is not.
func compare(ctx context.Context, programs []*oracle.Program, r *suite.Results) (different []string, err error) {
	different = make([]string, len(programs))
	var small []*oracle.Program
	var results []*oracle.Result
	var index []int
	for i, p := range programs {
		want, err := oracle.Enumerate(p, maxStates)
		if errors.Is(err, oracle.ErrTooLarge) {
			r.Leave(err.Error())
			continue
		}
		if err != nil {
			return nil, err
		}
		small, results, index = append(small, p), append(results, want), append(index, i)
	}
	dir, err := os.MkdirTemp("", "concurrent")
	if err != nil {
		return nil, fmt.Errorf("making a suite: %w", err)
	}
	defer os.RemoveAll(dir)
	s, err := Load(ctx, dir, small)
	if err != nil {
		return nil, err
	}
	for i, want := range results {
		p, err := s.Player(ctx, i)
		if err != nil {
			return nil, err
		}
		f, err := p.Search(ctx, hyperconcolic.New(hyperconcolic.Options{Names: p.Machine.Names, Symmetry: true, AddsCommute: true}), maxRuns)
		if errors.Is(err, ErrTooManyRuns) {
			r.Leave(ErrTooManyRuns.Error())
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%w\n%s", err, oracle.Describe(small[i]))
		}
		r.Runs += f.Runs
		if different[index[i]] = f.Difference(want); different[index[i]] == "" {
			r.Compared++
		}
	}
	return different, nil
}
