// Guided measures whether the guided search would pay as a part of the default mix: each target is
// searched by the mix alone and, in the same budget, by the mix with guided searches besides, for
// what static analysis warns of (-reach race, deadlock and panic) and for blocks of statements that
// the mix has not covered. The table has, for the examples, the tests of Go's race detector that
// have a race, the kernels of Go's goroutine leak profile, and the tests of modules, how many bugs
// were found and how many blocks of the code under test were covered. Each row is printed as soon
// as it is known: of two searches of each of 60 targets, a row of a set takes four minutes of
// processor time and more.
//
//	go run ./bench/guided [-budget 2s] [-sets regexp] [-modules 20] [-targets 3]
//
// Budgets are time of the processors. A bug is a kind of finding and a line; blocks are those of
// the packages under test without their tests, so that programs that are tests have none.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/everyway-go/everyway/bench/internal/modules"
	"github.com/everyway-go/everyway/bench/internal/programs"
	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
)

// options are those of the command line.
type options struct {
	budget  time.Duration
	sets    string
	list    string
	modules int
	targets int
}

func main() {
	var o options
	flag.DurationVar(&o.budget, "budget", 2*time.Second, "processor `time` for each of the two searches of a target")
	flag.StringVar(&o.sets, "sets", ".", "only sets whose names match the `regexp`: examples, found, race, leaks, modules")
	flag.StringVar(&o.list, "list", "bench/modules/modules.txt", "the `file` with the modules")
	flag.IntVar(&o.modules, "modules", 20, "`number` of modules")
	flag.IntVar(&o.targets, "targets", 3, "at most so many targets of a module, and so many times 20 of another set, spread over all")
	flag.Parse()
	table.Main(o.run)
}

func (o *options) run(ctx context.Context) error {
	match, err := regexp.Compile(o.sets)
	if err != nil {
		return fmt.Errorf("-sets: %w", err)
	}
	work, err := os.MkdirTemp("", "guided")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	t, err := table.NewRows(os.Stdout, columns...)
	if err != nil {
		return err
	}
	for _, s := range programs.Sets() {
		if !match.MatchString(s.Name) {
			continue
		}
		dir, err := s.Dir(filepath.Join(work, s.Name))
		if err != nil {
			return fmt.Errorf("set %s: %w", s.Name, err)
		}
		var all tally
		c := &comparison{budget: o.budget, work: work, stall: s.Stall}
		if err := o.compare(ctx, c, &all, dir, s.Patterns, s.Run, 20*o.targets); err != nil {
			return fmt.Errorf("set %s: %w", s.Name, err)
		}
		if err := all.row(t, s.Name); err != nil {
			return err
		}
	}
	if match.MatchString("modules") {
		if err := o.compareModules(ctx, t, work); err != nil {
			return err
		}
	}
	return nil
}

// compareModules compares searches of tests of modules, and prints a row for each, and for all of them.
func (o *options) compareModules(ctx context.Context, t *table.Rows, work string) error {
	text, err := os.ReadFile(o.list)
	if err != nil {
		return fmt.Errorf("-list: %w", err)
	}
	list, err := modules.Parse(string(text))
	if err != nil {
		return fmt.Errorf("-list: %w", err)
	}
	var all tally
	compared := 0
	for _, m := range list {
		if compared == o.modules {
			break
		}
		dir := filepath.Join(work, "module")
		why, err := m.Fetch(ctx, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", m, err)
		}
		if why != "" {
			fmt.Fprintf(os.Stderr, "%s: left out: %s\n", m, why)
			continue
		}
		var one tally
		if err := o.compare(ctx, &comparison{budget: o.budget, work: work}, &one, dir, []string{"./..."}, "^Test", o.targets); err != nil {
			if ctx.Err() != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "%s: left out: %v\n", m, err)
			continue
		}
		compared++
		all.add(&one)
		if err := one.row(t, m.String()); err != nil {
			return err
		}
	}
	return all.row(t, fmt.Sprintf("%d modules", compared))
}

// compare compares searches of targets of packages, n of them at most.
func (o *options) compare(ctx context.Context, c *comparison, all *tally, dir string, patterns []string, run string, n int) error {
	cfg, err := program.LoadConfig(ctx, dir, patterns, nil, true)
	if err != nil {
		return err
	}
	cfg.Blocks = true
	if c.prog, err = program.LoadPartial(ctx, cfg); err != nil {
		return err
	}
	match, err := regexp.Compile(run)
	if err != nil {
		return err
	}
	var targets []*load.Target
	list := c.prog.Targets()
	for i := range list {
		if list[i].Kind != load.TargetBenchmark && match.MatchString(list[i].Name) {
			targets = append(targets, &list[i])
		}
	}
	for _, target := range spread(targets, n) {
		if err := c.compare(ctx, all, target); err != nil {
			if ctx.Err() != nil {
				return fmt.Errorf("%s: %w", target.Name, err)
			}
			fmt.Fprintf(os.Stderr, "%s: left out: %v\n", target.Name, err)
		}
	}
	return nil
}

// spread returns n elements of a list, at equal distances.
func spread[E any](list []E, n int) []E {
	if n >= len(list) {
		return list
	}
	var some []E
	for i := range n {
		some = append(some, list[i*len(list)/n])
	}
	return some
}
