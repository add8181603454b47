package main

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/run"
)

// batch is how many small runs are timed together.
const batch = 5000

// handovers prints what a run of testdata/locked costs when another program decides
// who takes each step: in the machine, with the race check and the way back to the
// start, and natively, without, where control is handed over to coroutines or between
// goroutines.
func handovers(ctx context.Context) error {
	m, err := boot(ctx, "locked", false)
	if err != nil {
		return err
	}
	counter := &stepCounter{Scheduler: run.Random(1)}
	runs := 0
	ours, err := median(func() (time.Duration, error) {
		start := time.Now()
		for range batch {
			t, err := m.Run(ctx, &run.Plan{}, counter)
			if err != nil {
				return 0, err
			}
			if t.Outcome != run.Finished {
				return 0, fmt.Errorf("a run ended with %v: %s", t.Outcome, t.Message)
			}
			runs++
		}
		return time.Since(start), nil
	})
	if err != nil {
		return err
	}
	steps := counter.steps / runs
	rows := table.New(os.Stdout, fmt.Sprintf("a run of 3 goroutines in %d steps", steps), "time", "each step", "over everyway")
	row := func(name string, t time.Duration) {
		rows.Row(name, t/batch, t/batch/time.Duration(steps), fmt.Sprintf("%.1fx", t.Seconds()/ours.Seconds()))
	}
	row("everyway", ours)
	for _, native := range []struct {
		name  string
		start func(body func(step func(operation))) (next func() (operation, bool))
	}{{"iter.Pull", startCoroutine}, {"channels", startGoroutine}} {
		t, err := median(func() (time.Duration, error) {
			start := time.Now()
			r := rand.New(rand.NewPCG(1, 2))
			for range batch {
				s := &state{}
				if n := s.run(r, native.start); n != steps || s.x != 9 || s.n != 9 {
					return 0, fmt.Errorf("%s: %d steps", native.name, n)
				}
			}
			return time.Since(start), nil
		})
		if err != nil {
			return err
		}
		row(native.name, t)
	}
	return rows.Flush()
}

// A stepCounter counts the steps that another scheduler chooses.
type stepCounter struct {
	run.Scheduler
	steps int
}

func (c *stepCounter) Stepping(*run.Transition, *run.Trace) bool {
	c.steps++
	return true
}

// An operation is what a goroutine is about to do.
type operation uint8

const (
	other operation = iota // possible at any time
	lock
	wait
)

// state is what the goroutines of testdata/locked share.
type state struct {
	locked  bool
	waiting int
	x, n    int
	able    []int // whose operations are possible
}

// possible reports whether an operation can be done now.
func (s *state) possible(o operation) bool {
	return !(o == lock && s.locked || o == wait && s.waiting > 0)
}

// run makes a run, in which r decides which goroutine takes each step, and returns the
// number of steps. start starts a goroutine, which calls step before each step; next has
// it do the step and go on to where it calls step again. It is false at the end.
func (s *state) run(r *rand.Rand, start func(body func(step func(operation))) (next func() (operation, bool))) int {
	s.waiting = 2
	work := func(step func(operation)) {
		for range 3 {
			step(lock)
			s.locked = true
			s.x++
			step(other)
			s.locked = false
			step(other)
			s.n++
		}
	}
	worker := func(step func(operation)) {
		work(step)
		step(other)
		s.waiting--
	}
	bodies := [...]func(step func(operation)){
		func(step func(operation)) {
			step(other)
			work(step)
			step(wait)
			step(other)
		},
		worker, worker,
	}
	var next [len(bodies)]func() (operation, bool)
	var pending [len(bodies)]operation
	var live [len(bodies)]bool
	for i, body := range bodies {
		next[i] = start(body)
		pending[i], live[i] = next[i]()
	}
	for steps := 0; ; steps++ {
		s.able = s.able[:0]
		for i := range bodies {
			if live[i] && s.possible(pending[i]) {
				s.able = append(s.able, i)
			}
		}
		if len(s.able) == 0 {
			return steps
		}
		i := s.able[r.IntN(len(s.able))]
		pending[i], live[i] = next[i]()
	}
}

// startCoroutine starts a goroutine as a coroutine of package iter.
func startCoroutine(body func(step func(operation))) func() (operation, bool) {
	next, _ := iter.Pull(func(yield func(operation) bool) {
		body(func(o operation) { yield(o) })
	})
	return next
}

// startGoroutine starts a goroutine that hands control over by channels.
func startGoroutine(body func(step func(operation))) func() (operation, bool) {
	asks, grants := make(chan operation), make(chan bool)
	go func() {
		<-grants
		body(func(o operation) {
			asks <- o
			<-grants
		})
		close(asks)
	}()
	return func() (operation, bool) {
		grants <- true
		o, ok := <-asks
		return o, ok
	}
}
