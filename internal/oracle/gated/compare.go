package gated

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/strategy/stateful"
	"github.com/everyway-go/everyway/internal/verdict"
)

// Bounds of the search of a program.
const (
	maxRuns = 20000
	budget  = 30 * time.Second
)

// Compare compares the verdicts of the two searches on the programs of some seeds.
func Compare(ctx context.Context, seeds []uint64) (*suite.Results, error) {
	r, _, err := compare(ctx, seeds)
	return r, err
}

// compare is Compare. It also returns how many programs fail.
func compare(ctx context.Context, seeds []uint64) (r *suite.Results, fail int, err error) {
	dir, err := os.MkdirTemp("", "gated")
	if err != nil {
		return nil, 0, fmt.Errorf("making a suite: %w", err)
	}
	defer os.RemoveAll(dir)
	var b strings.Builder
	b.WriteString("package gated\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n\t\"testing\"\n\t\"time\"\n)\n" + prelude)
	var programs []*Program
	for i, seed := range seeds {
		p := Generate(seed)
		programs = append(programs, p)
		b.WriteString("\n" + p.Source(fmt.Sprint("FuzzP", i)))
	}
	if err := suite.Write(dir, "gated", map[string]string{"gated_test.go": b.String()}); err != nil {
		return nil, 0, err
	}
	s, err := suite.Load(ctx, dir)
	if err != nil {
		return nil, 0, err
	}
	r = &suite.Results{Programs: len(programs)}
	for i, p := range programs {
		t, err := s.Target(fmt.Sprint("FuzzP", i))
		if err != nil {
			return nil, 0, err
		}
		judge := func(name string, reductions search.Reductions) (*verdict.Result, error) {
			cfg := search.Config{Strategy: name, Reductions: &reductions, Runs: maxRuns, Budget: budget, Workers: 1, NoCorpus: true, OutDir: dir}
			return search.Target(ctx, s.Program, t, cfg, verdict.Quiet{})
		}
		states, err := judge(stateful.Info.Name, search.AllReductions)
		if err != nil {
			return nil, 0, fmt.Errorf("searching the program of seed %d: %w", p.Seed, err)
		}
		known := search.AllReductions
		known.Knowledge = false
		knowing, err := judge(stateful.Info.Name, known)
		if err != nil {
			return nil, 0, fmt.Errorf("searching the program of seed %d: %w", p.Seed, err)
		}
		classes, err := judge(hyperconcolic.Info.Name, search.Reductions{})
		if err != nil {
			return nil, 0, fmt.Errorf("searching the program of seed %d: %w", p.Seed, err)
		}
		switch {
		case states.Verdict == verdict.Open || knowing.Verdict == verdict.Open || classes.Verdict == verdict.Open:
			r.Leave(strings.Join(slices.Concat(states.Open, knowing.Open, classes.Open), "; "))
		case states.Verdict != classes.Verdict || knowing.Verdict != classes.Verdict:
			what := fmt.Sprintf("the verdict by states is %s, by states with what is known %s, and by classes %s", states.Verdict, knowing.Verdict, classes.Verdict)
			r.Differences = append(r.Differences, suite.Difference{Seed: p.Seed, What: what, Source: p.Source("Fuzz")})
		default:
			r.Compared++
			if classes.Verdict == verdict.Fails {
				fail++
			}
		}
		r.Runs += states.Runs + knowing.Runs + classes.Runs
	}
	return r, fail, nil
}
