package concurrent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/kinds"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
)

// Bounds of what is compared: the states of a program, and the runs of a search of it.
const (
	maxStates = 100_000
	maxRuns   = 20_000
)

// Bounds for programs with Config.Closes or Config.Family, of which some have very many orders.
const (
	maxClosingStates = 10_000
	maxClosingRuns   = 3_000
)

// A Search is an exhaustive search.
type Search struct {
	// Begin begins a search of a program by a machine with these names.
	Begin func(p *oracle.Program, names *run.Names) strategy.Strategy
	// Leaves returns what the search of a program leaves out.
	Leaves func(p *oracle.Program) []string
	// Merges says that the search does not go on from a state that it knows, whatever the
	// program has shown before.
	Merges bool
}

// Reduced makes no runs that differ only by symmetry or in the order of Adds.
var Reduced = Search{
	Leaves: func(*oracle.Program) []string { return []string{"adds", "symmetry", "logs"} },
	Begin: func(_ *oracle.Program, names *run.Names) strategy.Strategy {
		return hyperconcolic.New(hyperconcolic.Options{Names: names, Symmetry: true, AddsCommute: true, Visible: run.Visible{HideLogs: true}})
	},
}

// bounds bound what is compared.
type bounds struct{ states, runs int }

// Compare compares what a search finds in the programs of some seeds with what the enumerator
// says. A program that is different is reduced if shrink is set.
func Compare(ctx context.Context, seeds []uint64, cfg kinds.Config, search Search, shrink bool) (*suite.Results, error) {
	r, b := &suite.Results{Programs: len(seeds)}, bounds{maxStates, maxRuns}
	if cfg.Closes || cfg.Family != kinds.NoFamily {
		b = bounds{maxClosingStates, maxClosingRuns}
	}
	var programs []*oracle.Program
	for _, seed := range seeds {
		cfg.Mode = oracle.Mode(seed % 2)
		programs = append(programs, kinds.Generate(seed, cfg))
	}
	different, err := compare(ctx, programs, search, b, r)
	if err != nil {
		return nil, err
	}
	for i, p := range programs {
		what := different[i]
		for what != "" && shrink {
			less := p.Smaller()
			different, err := compare(ctx, less, search, b, &suite.Results{})
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
func compare(ctx context.Context, programs []*oracle.Program, search Search, b bounds, r *suite.Results) (different []string, err error) {
	different = make([]string, len(programs))
	var small []*oracle.Program
	var results []*oracle.Result
	var index []int
	for i, p := range programs {
		want, err := oracle.Enumerate(p, b.states)
		if errors.Is(err, oracle.ErrTooLarge) {
			r.Leave(err.Error())
			continue
		}
		if err != nil {
			return nil, err
		}
		small, results, index = append(small, p), append(results, want), append(index, i)
	}
	if len(small) == 0 {
		return different, nil
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
		f, err := p.Search(ctx, search.Begin(small[i], p.Machine.Names), b.runs)
		if errors.Is(err, ErrTooManyRuns) {
			r.Leave(ErrTooManyRuns.Error())
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%w\n%s", err, oracle.Describe(small[i]))
		}
		r.Runs += f.Runs
		if !f.Status.Exhausted && (small[i].Waits() || small[i].Elements) { // it may go round for ever, and symbolic elements may be given up
			r.Leave("the search is not exhausted")
			continue
		}
		what := f.difference(small[i], want, search.Merges)
		if what != "" && f.Cut { // a ticker of a goroutine that goes on when the target has returned
			r.Leave("time ends soon after the target has returned")
			continue
		}
		if different[index[i]] = what; what == "" {
			r.Compared++
			r.Without(search.Leaves(small[i]))
		}
	}
	return different, nil
}

// difference is Difference, and says which branches were not taken that can be.
func (f *Found) difference(p *oracle.Program, want *oracle.Result, merges bool) string {
	what := f.Difference(want, merges)
	if p.Copies > 0 {
		return what // copies have statements in common
	}
	p.Each(func(_ int, s *oracle.Stmt) {
		if what != "" || s.Op != oracle.If {
			return
		}
		for _, then := range []bool{true, false} {
			b := oracle.Branch{Stmt: s.ID, Then: then}
			side := s.Then
			if !then {
				side = s.Else
			}
			if _, ok := want.Degree[b]; ok && !f.Covered[b] && len(side) > 0 {
				what = fmt.Sprintf("branch %v was not taken", b)
			}
		}
	})
	return what
}
