package main

import (
	"context"
	"fmt"
	"path"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/clock"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/reach"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/strategy/guided"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A tally sums up what two searches of targets have shown: the mix alone, and with guided searches.
type tally struct {
	targets int
	bugs    [2]int
	only    [2]int // bugs that the other one has not found
	blocks  [2]int
	took    [2]time.Duration
}

// columns are those of the table.
var columns = []string{
	"                                     ", "targets", "bugs: mix", "with guided", "only mix", "only guided", "blocks: mix", "with guided", "seconds: mix", "with guided",
}

// add adds what searches of other targets have shown.
func (a *tally) add(b *tally) {
	a.targets += b.targets
	for i := range a.bugs {
		a.bugs[i] += b.bugs[i]
		a.only[i] += b.only[i]
		a.blocks[i] += b.blocks[i]
		a.took[i] += b.took[i]
	}
}

// row prints a row of the table.
func (a *tally) row(t *table.Rows, name string) error {
	return t.Row(name, a.targets, a.bugs[0], a.bugs[1], a.only[0], a.only[1], a.blocks[0], a.blocks[1], table.Short(a.took[0]), table.Short(a.took[1]))
}

// A comparison is one of searches of the targets of a program.
type comparison struct {
	prog   *program.Program
	budget time.Duration
	stall  time.Duration
	work   string
	clock  *clock.Clock // of the search under way
}

// An outcome is what searches of a target have shown together.
type outcome struct {
	verdict.Quiet
	bugs   map[string]bool
	blocks map[int]bool
}

func newOutcome() *outcome { return &outcome{bugs: make(map[string]bool), blocks: make(map[int]bool)} }

// Found implements verdict.Observer.
func (o *outcome) Found(_ *verdict.Result, f *verdict.Counterexample) {
	if kind := f.Run.Finding.Kind; kind != string(check.Reached) {
		o.bugs[kind+" "+line(f.Run.Finding)] = true
	}
}

// line returns the lines of a finding.
func line(f *schedule.Finding) string {
	text := ""
	for one := range f.All() {
		text += path.Base(one.Pos) + " "
	}
	return text
}

// compare searches a target by the mix, and by the mix with guided searches.
func (c *comparison) compare(ctx context.Context, all *tally, target *load.Target) error {
	searches := []func(context.Context, *load.Target, *outcome) error{c.alone, c.withGuided}
	outcomes := []*outcome{newOutcome(), newOutcome()}
	for i, search := range searches {
		c.clock = clock.Processor(1)
		began := c.clock.Now()
		if err := search(ctx, target, outcomes[i]); err != nil {
			return err
		}
		all.took[i] += c.clock.Since(began)
	}
	all.targets++
	for i, o := range outcomes {
		all.bugs[i] += len(o.bugs)
		all.blocks[i] += len(o.blocks)
		for b := range o.bugs {
			if !outcomes[1-i].bugs[b] {
				all.only[i]++
			}
		}
	}
	return nil
}

// alone searches with the mix.
func (c *comparison) alone(ctx context.Context, target *load.Target, o *outcome) error {
	_, err := c.search(ctx, target, o, search.DefaultStrategy, c.budget, nil)
	return err
}

// The shares of the budget that searches with guided ones have: the mix comes first, then those for
// what static analysis warns of, and then those for blocks that are not covered, of which each may
// take a part of what is left.
const (
	mixShare      = 0.5
	suspectsShare = 0.75
	blockShare    = 4
)

// withGuided searches with the mix, and where that does not come to its end with guided searches.
func (c *comparison) withGuided(ctx context.Context, target *load.Target, o *outcome) error {
	began := c.clock.Now()
	left := func(share float64) time.Duration {
		return time.Duration(share*float64(c.budget)) - c.clock.Since(began)
	}
	r, err := c.search(ctx, target, o, search.DefaultStrategy, left(mixShare), nil)
	if err != nil || r.Verdict == verdict.Holds {
		return err
	}
	kinds := []reach.Kind{reach.Race, reach.Deadlock, reach.Panic}
	for i, kind := range kinds {
		share := left(suspectsShare) / time.Duration(len(kinds)-i)
		if share <= 0 {
			break
		}
		if _, err := c.search(ctx, target, o, guided.Info.Name, share, &search.Reach{Kind: kind}); err != nil {
			return err
		}
	}
	for i := range c.prog.Blocks {
		share := left(1) / blockShare
		if share < time.Millisecond {
			break
		}
		if o.blocks[i] {
			continue
		}
		b := &c.prog.Blocks[i]
		limited, cancel := c.clock.WithTimeout(ctx, share)
		goal, err := reach.New(limited, c.prog, target, []place.Spec{{Text: b.File, File: path.Base(b.File), Line: b.Start.Line}})
		cancel()
		if err != nil || goal.Unreachable != "" {
			continue // there was no time for it, no instruction begins in the line, or the target does not lead there
		}
		of := &search.Reach{}
		of.Add(target, goal)
		if _, err := c.search(ctx, target, o, guided.Info.Name, left(1)/blockShare, of); err != nil {
			return err
		}
	}
	return nil
}

// search makes a search, and adds what it shows.
func (c *comparison) search(ctx context.Context, target *load.Target, o *outcome, strategy string, budget time.Duration, of *search.Reach) (*verdict.Result, error) {
	if budget < time.Millisecond {
		budget = time.Millisecond
	}
	cfg := search.Config{
		Strategy: strategy, Budget: budget, Clock: c.clock, Workers: 1, Seed: 1, All: true, NoCorpus: true, OutDir: c.work, Reach: of,
	}
	cfg.Stall = max(c.stall, search.DefaultStall)
	r, err := search.Target(ctx, c.prog, target, cfg, o)
	if err != nil {
		return nil, fmt.Errorf("searching with %s: %w", strategy, err)
	}
	for _, b := range r.Blocks {
		o.blocks[b] = true
	}
	return r, nil
}
