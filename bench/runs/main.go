// Runs times the runs of a search: what one costs, with everything that belongs to it,
// beside native ways to hand control over at every step; what a switch from one goroutine
// to another costs; and what is gained by going back to where a run parts with the one
// before instead of making it again from the start.
//
//	go run ./bench/runs
//
// Times are those of the processors, garbage collection included; of several
// measurements the least counts.
package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/cputime"
	"github.com/everyway-go/everyway/internal/oracle/counts"
)

const programs = "bench/runs/testdata"

func main() { table.Main(measure) }

func measure(ctx context.Context) error {
	suite, err := counts.Load(ctx, programs)
	if err != nil {
		return err
	}
	b := &bench{suite}
	for _, print := range []func(context.Context) error{b.kernels, b.switches, b.depths} {
		if err := print(ctx); err != nil {
			return err
		}
		fmt.Println()
	}
	return nil
}

// A bench prints tables about the programs of a suite.
type bench struct {
	suite *counts.Suite
}

// repeats is how often something is timed.
const repeats = 5

// once returns the time that do takes.
func once(do func() error) (time.Duration, error) {
	start := cputime.Now()
	err := do()
	return cputime.Now() - start, err
}

// least returns the least time that do takes.
func least(do func() error) (time.Duration, error) {
	best := time.Duration(math.MaxInt64)
	for range repeats {
		t, err := once(do)
		if err != nil {
			return 0, err
		}
		best = min(best, t)
	}
	return best, nil
}

// each returns the time of one of n things in ns.
func each(t time.Duration, n int) float64 { return float64(t.Nanoseconds()) / float64(n) }
