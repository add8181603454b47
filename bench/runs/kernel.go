package main

import (
	"context"
	"fmt"
	"iter"
	"math"
	"os"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/oracle/counts"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/internal/vm"
)

// The kernel has 3 goroutines that take a lock 5 times each: 31 steps, with the
// ends of the goroutines.
const (
	goroutines = 3
	rounds     = 5
	batch      = 20000
)

// kernels prints what a run of the kernel costs.
func (b *bench) kernels(ctx context.Context) error {
	rows := table.New(os.Stdout, "a run of 3 goroutines in 30 steps", "µs a run", "runs a second", "ns a step", "over the search")
	var base float64
	show := func(name string, ns float64) {
		if base == 0 {
			base = ns
		}
		rows.Row(name, fmt.Sprintf("%.2f", ns/1e3), fmt.Sprintf("%.0f", 1e9/ns), fmt.Sprintf("%.0f", ns/(2*goroutines*rounds)), fmt.Sprintf("%.2f", ns/base))
	}
	for _, c := range []struct {
		name      string
		fromStart bool
	}{{"search, depth first", false}, {"the same, each run from the start", true}} {
		ns, err := b.search(ctx, "kernel", rounds, batch, c.fromStart)
		if err != nil {
			return err
		}
		show(c.name, ns)
	}
	ns, err := engineRun(ctx)
	if err != nil {
		return err
	}
	show("a test, searched by the engine", ns)
	for _, native := range []struct {
		name  string
		start func(body func(step func())) (next func() bool)
	}{{"native: coroutines of iter.Pull", coroutine}, {"native: goroutines and channels", handOver}} {
		t, err := least(func() error {
			for range batch {
				runNatively(native.start)
			}
			return nil
		})
		if err != nil {
			return err
		}
		show(native.name, each(t, batch))
	}
	return rows.Flush()
}

// search returns the time in ns of a run in a search of a program, which has more
// executions than it makes, or is done again until it has made as many runs.
func (b *bench) search(ctx context.Context, name string, n, runs int, fromStart bool) (float64, error) {
	m, err := b.suite.Machine(ctx, name, n)
	if err != nil {
		return 0, err
	}
	m.FromStart = fromStart
	st := newSearch(m)
	explore := func(runs int) (made int, err error) {
		for made < runs {
			c, err := counts.Search(ctx, m, st, runs-made)
			if err != nil {
				return made, fmt.Errorf("searching %s(%d): %w", name, n, err)
			}
			if c.Status.Finished {
				st = newSearch(m)
			}
			made += c.Executions
		}
		return made, nil
	}
	if _, err := explore(runs / 10); err != nil { // what is made once: memory, tables
		return 0, err
	}
	best := math.Inf(1)
	for range repeats {
		made := 0
		t, err := once(func() (err error) { made, err = explore(runs); return err })
		if err != nil {
			return 0, err
		}
		best = min(best, each(t, made))
	}
	return best, nil
}

func newSearch(m *vm.Machine) strategy.Strategy {
	return hyperconcolic.New(hyperconcolic.Options{Names: m.Names})
}

// engineRun returns the time in ns of a run that the engine makes: the difference
// between a long search and a short one, for each run more.
func engineRun(ctx context.Context) (float64, error) {
	prog, err := program.Load(ctx, ".", []string{"./" + programs}, nil, true)
	if err != nil {
		return 0, err
	}
	targets := prog.Targets()
	if len(targets) != 1 {
		return 0, fmt.Errorf("%d targets in %s", len(targets), programs)
	}
	dir, err := os.MkdirTemp("", "bench-runs")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	timed := func(runs int) (time.Duration, error) {
		return least(func() error {
			_, err := search.Target(ctx, prog, &targets[0], search.Config{
				Strategy: "hyperconcolic", Order: "depth", Workers: 1, Runs: runs, Budget: time.Hour,
				OutDir: dir, NoCorpus: true,
			}, verdict.Quiet{})
			return err
		})
	}
	short, err := timed(batch)
	if err != nil {
		return 0, err
	}
	long, err := timed(3 * batch)
	if err != nil {
		return 0, err
	}
	return each(long-short, 2*batch), nil
}

// runNatively makes a run of the kernel's steps, the goroutines taking turns, with
// nothing recorded or checked. start starts a goroutine, which calls step before each
// step; next has it go on, and is false at its end.
func runNatively(start func(body func(step func())) (next func() bool)) {
	var next [goroutines]func() bool
	x, locked := 0, false
	for i := range next {
		next[i] = start(func(step func()) {
			for range rounds {
				step()
				locked = true
				x++
				step()
				locked = false
			}
		})
	}
	for left := goroutines; left > 0; {
		for i := range next {
			if next[i] == nil {
				continue
			}
			more := next[i]()
			if more && locked {
				more = next[i]()
			}
			if !more {
				next[i] = nil
				left--
			}
		}
	}
}

// coroutine starts a goroutine as a coroutine of package iter.
func coroutine(body func(step func())) func() bool {
	next, _ := iter.Pull(func(yield func(struct{}) bool) {
		body(func() { yield(struct{}{}) })
	})
	return func() bool {
		_, ok := next()
		return ok
	}
}

// handOver starts a goroutine that hands control over by channels.
func handOver(body func(step func())) func() bool {
	asks, grants := make(chan bool), make(chan bool)
	go func() {
		<-grants
		body(func() {
			asks <- true
			<-grants
		})
		close(asks)
	}()
	return func() bool {
		grants <- true
		return <-asks
	}
}
