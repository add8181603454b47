// Random compares the ways to draw schedules and inputs at random that
// -strategy random, pct and pos stand for.
//
//	go run ./bench/random
//
// The first table counts the ends that runs of the generated programs of
// internal/oracle come to: the failures, and what each goroutine has seen. It
// shows how many different ones each strategy has met after some runs, of those
// that any has met. The second shows how many runs it takes to the first failure
// in the examples and in the programs of bench/con2colic: the median over seeds,
// and the per cent of searches that found one in 16 and in 500 runs.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/random"
)

// samplings are the columns of the tables.
var samplings = []random.Sampling{random.Walks, random.Priorities, random.PartialOrders, random.Uniform}

func main() {
	programs := flag.Int("programs", 100, "generated `programs` of the first table")
	seeds := flag.Int("seeds", 20, "`searches` of each program of the second table")
	flag.Parse()
	ctx := context.Background()
	if err := generated(ctx, *programs); err != nil {
		fail(err)
	}
	fmt.Println()
	if err := failing(ctx, *seeds); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "random:", err)
	os.Exit(1)
}

// generated prints the first table.
func generated(ctx context.Context, programs int) error {
	s, err := loadGenerated(ctx, programs)
	if err != nil {
		return err
	}
	checkpoints := []int{fewRuns, 64, 256}
	met := make([][]int, len(samplings)) // by sampling and checkpoint
	all := 0
	for i := range s.targets {
		t, err := s.start(ctx, i)
		if err != nil {
			return err
		}
		union := map[string]bool{}
		for k, sampling := range samplings {
			met[k] = append(met[k], make([]int, len(checkpoints)-len(met[k]))...)
			ends := map[string]bool{}
			n := 0
			err := t.search(ctx, random.New(random.Options{Sampling: sampling, Seed: 1, Runs: checkpoints[len(checkpoints)-1]}), func(trace *run.Trace) bool {
				end := t.end(trace)
				ends[end], union[end] = true, true
				n++
				if c := slices.Index(checkpoints, n); c >= 0 {
					met[k][c] += len(ends)
				}
				return true
			})
			if err != nil {
				return err
			}
		}
		all += len(union)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "ends of %d programs\t", len(s.targets))
	for _, n := range checkpoints {
		fmt.Fprintf(w, "%d runs\t", n)
	}
	fmt.Fprintln(w)
	for k, sampling := range samplings {
		fmt.Fprintf(w, "%v\t", sampling)
		for _, n := range met[k] {
			fmt.Fprintf(w, "%d (%d%%)\t", n, 100*n/all)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// The second table has the share of searches that find the bug in a few runs, as
// many as the default mix begins with, and in many, when they are given up.
const (
	fewRuns = 16
	maxRuns = 500
)

// failing prints the second table.
func failing(ctx context.Context, seeds int) error {
	s, err := loadFailing(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "runs to a failure\t")
	for _, sampling := range samplings {
		fmt.Fprintf(w, "%v\t%d\t%d\t", sampling, fewRuns, maxRuns)
	}
	fmt.Fprintln(w)
	for i := range s.targets {
		t, err := s.start(ctx, i)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t", t.name())
		for _, sampling := range samplings {
			var runs []int
			for seed := range seeds {
				n, err := t.toFailure(ctx, random.New(random.Options{Sampling: sampling, Seed: uint64(seed), Runs: maxRuns, MaxLen: t.machine.MaxLen, Seeds: t.seeds}))
				if err != nil {
					return err
				}
				runs = append(runs, n)
			}
			slices.Sort(runs)
			soon, found := 0, 0
			for _, n := range runs {
				if n <= fewRuns {
					soon++
				}
				if n <= maxRuns {
					found++
				}
			}
			median := fmt.Sprint(runs[len(runs)/2])
			if runs[len(runs)/2] > maxRuns {
				median = "-"
			}
			fmt.Fprintf(w, "%s\t%d\t%d\t", median, 100*soon/seeds, 100*found/seeds)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// toFailure returns how many runs a search takes to the first finding, one more
// than maxRuns when there is none.
func (t *target) toFailure(ctx context.Context, st strategy.Strategy) (int, error) {
	n, failed := 0, false
	err := t.search(ctx, st, func(trace *run.Trace) bool {
		n++
		failed = t.fails(trace)
		return !failed
	})
	if !failed {
		n = maxRuns + 1
	}
	return n, err
}
