package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/cover"
)

// small are inputs with which programs are run very often: those of their epochs are the same as with others.
var small = map[string]string{
	"blackscholes": "n=64", "swaptions": "number=8 simulations=4", "fft": "half=3 back=1", "lu": "blocks=5 block=2", "radix": "n=200 digits=2",
}

// orders runs programs n times each on processors that are busy, and compares what they record with their sets.
func (m *measurement) orders(ctx context.Context, names *regexp.Regexp, n int) error {
	out, err := table.NewRows(os.Stdout, "     program", "workers", "  runs", "epochs of a run", "operations of a run", "different orders", "time", "result")
	if err != nil {
		return err
	}
	stop := load()
	defer stop()
	return each(names, m.workers, func(r *row, workers int, tag string) error {
		cells, err := m.compare(ctx, r, workers, tag, n)
		if err != nil {
			return err
		}
		return out.Row(append([]any{r.label(), workers}, cells...)...)
	})
}

// load keeps the processors busy, with two goroutines for each, until stop is called.
func load() (stop func()) {
	var stopped atomic.Bool
	for range 2 * runtime.NumCPU() {
		go func() {
			for !stopped.Load() {
			}
		}()
	}
	return func() { stopped.Store(true) }
}

// compare runs a program n times, and compares its orders with its set.
func (m *measurement) compare(ctx context.Context, r *row, workers int, tag string, n int) ([]any, error) {
	s, err := m.subject(ctx, r, workers, tag, 10, 100)
	if err != nil {
		return nil, err
	}
	want, _, _, err := execute(ctx, s.plain, small[r.name], "", s.args)
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	seen := make(map[string]bool)
	epochs, operations := 0, 0
	for range n {
		got, _, _, err := execute(ctx, s.kept, small[r.name], s.log, s.args)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(got, want) {
			return nil, fmt.Errorf("the outputs differ:\n%s\n%s", want, got)
		}
		text, err := os.ReadFile(s.log)
		if err != nil {
			return nil, err
		}
		seen[string(text)] = true
		if epochs, operations, err = follows(s.set, text); err != nil {
			return nil, fmt.Errorf("%w in\n%s", err, text)
		}
	}
	return []any{n, epochs, operations, len(seen), table.Short(time.Since(begun)), "each is one of a schedule of the set"}, nil
}

// follows returns an error if what a run has recorded is not from the beginning of a set to its end
// by its schedules, each in an order that it allows: an operation is after all that it waits for.
// It returns how many epochs and operations there were.
func follows(set *cover.Set, text []byte) (epochs, operations int, err error) {
	next := 0
	var of *cover.Schedule
	finish := func(order []string) error {
		if of == nil {
			return errors.New("an order of no epoch")
		}
		if err := allows(of, order); err != nil {
			return err
		}
		operations += len(order)
		next = of.End.Epoch
		if of.End.Kind != cover.NewEpoch {
			next = -1
		}
		of = nil
		return nil
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if order, ok := strings.CutPrefix(lines.Text(), "order "); ok {
			if err := finish(strings.Fields(order)); err != nil {
				return epochs, operations, fmt.Errorf("epoch %d of the run: %w", epochs-1, err)
			}
			continue
		}
		if of != nil {
			if err := finish(nil); err != nil {
				return epochs, operations, fmt.Errorf("epoch %d of the run: %w", epochs-1, err)
			}
		}
		var epoch, schedule, terms int
		if _, err := fmt.Sscanf(lines.Text(), "epoch %d schedule %d terms %d", &epoch, &schedule, &terms); err != nil {
			return epochs, operations, fmt.Errorf("%q: %w", lines.Text(), err)
		}
		if epoch != next || epoch >= len(set.Epochs) || schedule >= len(set.Epochs[epoch].Schedules) {
			return epochs, operations, fmt.Errorf("epoch %d, and not %d, with schedule %d", epoch, next, schedule)
		}
		epochs++
		of = set.Epochs[epoch].Schedules[schedule]
	}
	if of != nil {
		if err := finish(nil); err != nil {
			return epochs, operations, err
		}
	}
	if next != -1 {
		return epochs, operations, errors.New("the run does not come to the end of a schedule with which the program ends")
	}
	return epochs, operations, lines.Err()
}

// allows returns an error if an order is none of a schedule.
func allows(sc *cover.Schedule, order []string) error {
	names := make([]string, len(sc.Nodes))
	count := make(map[int]int)
	for i, n := range sc.Nodes {
		names[i] = fmt.Sprintf("%d.%d", n.Goroutine, count[n.Goroutine])
		count[n.Goroutine]++
	}
	at := make(map[string]int, len(order))
	for i, name := range order {
		if _, twice := at[name]; twice {
			return fmt.Errorf("%s was done twice", name)
		}
		at[name] = i
	}
	if len(order) != len(names) {
		return fmt.Errorf("%d operations were done of %d", len(order), len(names))
	}
	last := make(map[int]int) // by goroutine, the place of what it has done last, from 1
	for i, n := range sc.Nodes {
		place, ok := at[names[i]]
		if !ok {
			return fmt.Errorf("%s was not done", names[i])
		}
		if place+1 < last[n.Goroutine] {
			return fmt.Errorf("%s was done before what its goroutine does before", names[i])
		}
		last[n.Goroutine] = place + 1
		for _, a := range n.After {
			if at[names[a]] > place {
				return fmt.Errorf("%s was done before %s", names[i], names[a])
			}
		}
	}
	return nil
}
