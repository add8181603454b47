// Workers searches tests whose goroutines do the same, with and without what the exhaustive searches leave out, by the
// exhaustive strategy and by the default one.
//
//	go run ./bench/workers                # a few minutes
//	go run ./bench/workers -run Count     # some of the tests
//
// The tests are in testdata: n goroutines that count under a lock, n workers that take n jobs from
// a channel with a buffer (queue) or without one (feed), n goroutines that share two places in a
// channel (semaphore), and n functions of an errgroup with a limit of two (group). For each
// strategy there are the runs with -reduce none, those with -reduce all, the second over the first,
// and the processor time of both. An ellipsis marks a search that did not end within -budget: with
// a tilde it is the estimate of all its runs, from which the factor is. Where all orders of n
// goroutines that are alike are one, a search needs 1/n! of the runs.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/cputime"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/verdict"
)

var (
	only   = flag.String("run", "", "`regexp` of the tests, all if empty")
	budget = flag.Duration("budget", 10*time.Second, "`time` for a search")
)

// strategies are those that search each test.
var strategies = []string{"hyperconcolic", search.DefaultStrategy}

func main() {
	flag.Parse()
	table.Main(measure)
}

func measure(ctx context.Context) error {
	chosen, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	dir, err := os.MkdirTemp("", "workers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	prog, err := program.Load(ctx, ".", []string{"./bench/workers/testdata"}, nil, true)
	if err != nil {
		return err
	}
	targets, err := prog.Select(program.Selection{})
	if err != nil {
		return err
	}
	columns := []string{"test", "n", "1/n!"}
	for _, name := range strategies {
		columns = append(columns, name+": none", "all", "factor", "time: none", "all")
	}
	b := &bench{program: prog, dir: dir, table: table.New(os.Stdout, columns...)}
	for i := range targets {
		if !chosen.MatchString(targets[i].Name) {
			continue
		}
		if err := b.row(ctx, &targets[i]); err != nil {
			return err
		}
	}
	return b.table.Flush()
}

// A bench prints the rows of the table.
type bench struct {
	program *program.Program
	dir     string // for what searches write
	table   *table.Table
}

// row searches a target and prints its row. The name of the target ends with the number of its goroutines.
func (b *bench) row(ctx context.Context, target *load.Target) error {
	name := strings.TrimRight(target.Name, "0123456789")
	n, err := strconv.Atoi(target.Name[len(name):])
	if err != nil {
		return fmt.Errorf("%s does not say of how many goroutines it is: %w", target.Name, err)
	}
	orders := 1.0
	for i := range n {
		orders *= float64(i + 1)
	}
	cells := []any{strings.TrimPrefix(name, "Test"), n, fmt.Sprintf("%.2g", 1/orders)}
	for _, strategy := range strategies {
		none, err := b.search(ctx, target, strategy, search.Reductions{})
		if err != nil {
			return err
		}
		all, err := b.search(ctx, target, strategy, search.AllReductions)
		if err != nil {
			return err
		}
		factor := ""
		if all.ended {
			factor = none.under(all.runs)
		}
		cells = append(cells, none, all, factor, none.time.Round(time.Millisecond), all.time.Round(time.Millisecond))
	}
	b.table.Row(cells...)
	return nil
}

// A searched is how a search ended.
type searched struct {
	runs     int
	ended    bool
	estimate int // of all runs if it has not ended; 0 if there is none
	time     time.Duration
}

func (s searched) String() string {
	switch {
	case s.ended:
		return strconv.Itoa(s.runs)
	case s.estimate > 0:
		return fmt.Sprintf("~%.2g…", float64(s.estimate))
	}
	return strconv.Itoa(s.runs) + "…"
}

// under returns the share of the runs of s that so many runs are.
func (s searched) under(runs int) string {
	switch {
	case s.ended:
		return fmt.Sprintf("%.2g", float64(runs)/float64(s.runs))
	case s.estimate > 0:
		return fmt.Sprintf("~%.1g", float64(runs)/float64(s.estimate))
	}
	return fmt.Sprintf("≤ %.2g", float64(runs)/float64(s.runs))
}

// search searches a target by the strategy of a name.
func (b *bench) search(ctx context.Context, target *load.Target, strategy string, reductions search.Reductions) (searched, error) {
	cfg := search.Config{Strategy: strategy, Reductions: &reductions, Budget: *budget, Workers: 1, Estimate: true, NoCorpus: true, OutDir: b.dir}
	start := cputime.Now()
	r, err := search.Target(ctx, b.program, target, cfg, verdict.Quiet{})
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return searched{}, fmt.Errorf("searching %s: %w", target.Name, err)
	}
	if r.Verdict == verdict.Fails {
		return searched{}, fmt.Errorf("%s fails", target.Name)
	}
	return searched{runs: r.Runs, ended: r.Verdict == verdict.Holds, estimate: r.Estimate, time: cputime.Now() - start}, nil
}
