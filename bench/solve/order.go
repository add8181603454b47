package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/solve"
	solveorder "github.com/everyway-go/everyway/internal/solve/order"
)

// orderQueries is how many pairs of a trace are asked for the other way round.
const orderQueries = 100

// orderPatience is how long another solver may take for a trace.
const orderPatience = time.Minute

// region is a critical section: its first and its last event.
type region struct{ acquire, release int }

// trace is a recorded execution of some goroutines with locks. Its events are
// numbered in their order.
type trace struct {
	events     int
	goroutines [][]int    // the events of each
	locks      [][]region // the critical sections of each
	pairs      [][2]int   // accesses of different goroutines near one another
}

// newTrace makes a trace of about n events: critical sections of four events,
// with a lock for every ten sections.
func newTrace(n int) *trace {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	t := &trace{goroutines: make([][]int, 5), locks: make([][]region, max(n/40, 2))}
	owner := []int{}
	for t.events+4 <= n {
		g := r.IntN(len(t.goroutines))
		at := t.events
		for i := range 4 {
			t.goroutines[g] = append(t.goroutines[g], at+i)
			owner = append(owner, g)
		}
		l := r.IntN(len(t.locks))
		t.locks[l] = append(t.locks[l], region{at, at + 3})
		t.events += 4
	}
	for len(t.pairs) < orderQueries {
		i := r.IntN(t.events - 1)
		j := min(i+1+r.IntN(60), t.events-1)
		if owner[i] != owner[j] {
			t.pairs = append(t.pairs, [2]int{i, j})
		}
	}
	return t
}

// own answers whether each pair can be the other way round.
func (t *trace) own() []solve.Result {
	o := solveorder.NewOrder(t.events)
	for _, events := range t.goroutines {
		for i := 1; i < len(events); i++ {
			o.Fix(events[i-1], events[i])
		}
	}
	for _, regions := range t.locks {
		for j, second := range regions {
			for _, first := range regions[:j] {
				o.Add(o.Before(first.release, second.acquire), o.Before(second.release, first.acquire))
			}
		}
	}
	answers := make([]solve.Result, len(t.pairs))
	for i, p := range t.pairs {
		answers[i] = o.Check(o.Before(p[1], p[0]))
	}
	return answers
}

// script writes the same for a solver of difference logic.
func (t *trace) script() string {
	var b strings.Builder
	b.WriteString("(set-logic QF_IDL)\n")
	for i := range t.events {
		fmt.Fprintf(&b, "(declare-const e%d Int)\n", i)
	}
	for _, events := range t.goroutines {
		for i := 1; i < len(events); i++ {
			fmt.Fprintf(&b, "(assert (< e%d e%d))\n", events[i-1], events[i])
		}
	}
	for _, regions := range t.locks {
		for j, second := range regions {
			for _, first := range regions[:j] {
				fmt.Fprintf(&b, "(assert (or (< e%d e%d) (< e%d e%d)))\n", first.release, second.acquire, second.release, first.acquire)
			}
		}
	}
	for _, p := range t.pairs {
		fmt.Fprintf(&b, "(push 1)\n(assert (< e%d e%d))\n(check-sat)\n(pop 1)\n", p[1], p[0])
	}
	return b.String()
}

// order prints how long traces of growing length take.
func order(ctx context.Context, out io.Writer) error {
	z3, missing := exec.LookPath("z3")
	rows := table.New(out, "events", "a pair", "an event", "z3, a pair", "z3 over everyway")
	for _, n := range []int{50, 150, 500, 1500, 5000} {
		t := newTrace(n)
		start := time.Now()
		answers := t.own()
		took := time.Since(start) / orderQueries
		cells := []any{n, table.Short(took), table.Short(took * orderQueries / time.Duration(n))}
		if missing != nil {
			rows.Row(append(cells, "-", "-")...)
			continue
		}
		limited, cancel := context.WithTimeout(ctx, orderPatience)
		theirs, other, err := t.z3(limited, z3)
		cancel()
		if limited.Err() == context.DeadlineExceeded {
			rows.Row(append(cells, "> "+table.Short(orderPatience/orderQueries), fmt.Sprintf("> %.0fx", float64(orderPatience/orderQueries)/float64(took)))...)
			continue
		}
		if err != nil {
			return err
		}
		for i, a := range theirs {
			if a != answers[i] {
				return fmt.Errorf("%d events, pair %v: %v, and z3 says %v", n, t.pairs[i], answers[i], a)
			}
		}
		rows.Row(append(cells, table.Short(other/orderQueries), fmt.Sprintf("%.0fx", float64(other/orderQueries)/float64(took)))...)
	}
	return rows.Flush()
}

// z3 asks z3, and returns the time without that of starting the process.
func (t *trace) z3(ctx context.Context, path string) ([]solve.Result, time.Duration, error) {
	run := func(script string) ([]byte, time.Duration, error) {
		cmd := exec.CommandContext(ctx, path, "-in")
		cmd.Stdin = strings.NewReader(script)
		start := time.Now()
		said, err := cmd.Output()
		return said, time.Since(start), err
	}
	_, idle, err := run("")
	if err != nil {
		return nil, 0, fmt.Errorf("running z3: %w", err)
	}
	said, took, err := run(t.script())
	if err != nil {
		return nil, 0, fmt.Errorf("running z3: %w", err)
	}
	var answers []solve.Result
	for line := range bytes.Lines(said) {
		switch string(bytes.TrimSpace(line)) {
		case "sat":
			answers = append(answers, solve.Sat)
		case "unsat":
			answers = append(answers, solve.Unsat)
		default:
			return nil, 0, fmt.Errorf("z3 says %s", line)
		}
	}
	if len(answers) != len(t.pairs) {
		return nil, 0, fmt.Errorf("z3 gives %d answers to %d questions", len(answers), len(t.pairs))
	}
	return answers, took - idle, nil
}
