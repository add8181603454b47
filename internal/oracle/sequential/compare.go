package sequential

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/run"
)

// Bounds of the search of a program.
const (
	maxPaths = 400
	maxRuns  = 3000
	budget   = 20 * time.Second
)

// Compare compares the programs of some seeds. A program that is different is reduced
// if shrink is set.
func Compare(ctx context.Context, seeds []uint64, shrink bool) (*suite.Results, error) {
	var programs []*Program
	for _, seed := range seeds {
		programs = append(programs, Generate(seed))
	}
	r := &suite.Results{Programs: len(programs)}
	different, err := compare(ctx, programs, r)
	if err != nil {
		return nil, err
	}
	for i, p := range programs {
		if different[i] == nil {
			continue
		}
		what := different[i]
		if shrink {
			p, err = shrunk(p, func(some []*Program) (int, error) {
				different, err := compare(ctx, some, &suite.Results{})
				if err != nil {
					return 0, err
				}
				for i := range some {
					if different[i] != nil {
						what = different[i]
						return i, nil
					}
				}
				return -1, nil
			})
			if err != nil {
				return nil, err
			}
		}
		r.Differences = append(r.Differences, suite.Difference{Seed: p.Seed, What: what.Error(), Source: p.Source()})
	}
	return r, nil
}

// compare returns the difference of each program, nil where there is none.
func compare(ctx context.Context, programs []*Program, r *suite.Results) (different []error, err error) {
	dir, err := os.MkdirTemp("", "sequential")
	if err != nil {
		return nil, fmt.Errorf("making a suite: %w", err)
	}
	defer os.RemoveAll(dir)
	c, err := newChecker(ctx, dir, programs)
	if err != nil {
		return nil, err
	}
	different = make([]error, len(programs))
	for i, p := range programs {
		merge := []run.Merging{run.MergeNone, run.MergeLibrary, run.MergeAll}[p.Seed%3]
		n, err := c.paths(ctx, i, maxPaths, merge)
		r.Runs += n
		if err == nil {
			n, err = c.verdict(ctx, i, search.Config{OutDir: dir, Runs: maxRuns, Budget: budget})
			r.Runs += n
		}
		switch err := err.(type) {
		case nil:
			r.Compared++
		case *givenUpError:
			r.Leave(err.what)
		case *differenceError:
			different[i] = err
		default:
			if !errors.Is(err, errTooLarge) {
				return nil, err
			}
			r.Leave(err.Error())
		}
	}
	return different, nil
}
