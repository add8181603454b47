// Search lets the hyperconcolic search run programs whose executions have been counted, and
// programs for which there is a model for Spin, and prints how many executions it makes and how
// fast, beside what the stateful search, with all that it leaves out by default, and other tools
// take.
//
//	go run ./bench/search          # a minute or two
//	go run ./bench/search -large   # all rows, up to 756,756 executions
//
// Times are those of the processors, garbage collection included. Nidhugg's
// figures are published ones, for stack_ok and circular_buffer_ok of SCTBench. Spin
// is run if it is installed, with gcc, as
//
//	spin -a -DN=n model.pml && gcc -O2 -o pan pan.c && ./pan -m100000 -w20
//
// and the time is that of pan alone. Spin keeps the states that it has visited: it
// counts states where a search without a memory counts executions. An ellipsis
// marks a search that was not completed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/cputime"
	"github.com/everyway-go/everyway/internal/oracle/counts"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/strategy/stateful"
)

var (
	large  = flag.Bool("large", false, "search the largest programs too")
	budget = flag.Duration("budget", time.Minute, "`time` for a program")
)

// largest is how many executions a program has at most that is searched without -large.
const largest = 10000

func main() {
	flag.Parse()
	table.Main(measure)
}

func measure(ctx context.Context) error {
	suite, err := counts.Load(ctx, "internal/oracle/counts/testdata")
	if err != nil {
		return err
	}
	b := &bench{suite: suite}
	b.table = table.New(os.Stdout, "program", "n", "executions", "known", "redundant", "blocked", "time", "a second", "stateful: runs", "time", "other tool", "executions", "states", "time", "a second", "time over ours", "over stateful")
	if err := b.counted(ctx); err != nil {
		return err
	}
	if err := b.published(ctx); err != nil {
		return err
	}
	installed, err := b.spin(ctx)
	if err != nil {
		return err
	}
	if err := b.table.Flush(); err != nil {
		return err
	}
	if !installed {
		fmt.Println("Spin is not installed (apt-get install spin gcc): its rows are left out.")
	}
	return nil
}

// A bench prints the rows of the table.
type bench struct {
	suite *counts.Suite
	table *table.Table
}

// An other is what another tool does with a program; zero figures are not known.
type other struct {
	tool               string
	executions, states int
	time               time.Duration
}

// measure searches a program, for limit runs at most, and prints its row. Known is
// the number of its executions, 0 when it is not known.
func (b *bench) measure(ctx context.Context, name string, n, known, limit int, o other) error {
	m, err := b.suite.Machine(ctx, name, n)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, *budget)
	defer cancel()
	start := cputime.Now()
	c, err := counts.Search(ctx, m, hyperconcolic.New(hyperconcolic.Options{Names: m.Names}), limit)
	elapsed := cputime.Now() - start
	executions := fmt.Sprint(c.Executions)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		executions += "…"
		o.time = 0 // nothing to compare
	case err != nil:
		return fmt.Errorf("searching %s(%d): %w", name, n, err)
	case !c.Status.Finished:
		executions += "…"
	case known > 0 && c.Executions != known:
		return fmt.Errorf("%s(%d) has %d executions, %d are known", name, n, c.Executions, known)
	}
	runs, remembering, err := b.remember(ctx, name, n)
	if err != nil {
		return err
	}
	cells := []any{
		name, n, executions, figure(known), c.Status.Redundant, c.Status.Blocked,
		elapsed.Round(time.Millisecond), perSecond(c.Executions, elapsed), runs, remembering.Round(time.Millisecond),
	}
	if o.tool != "" {
		cells = append(cells, o.tool, figure(o.executions), figure(o.states), "", perSecond(o.executions+o.states, o.time), "", "")
		if o.time > 0 {
			cells[13] = o.time
			cells[15] = fmt.Sprintf("%.2f", o.time.Seconds()/elapsed.Seconds())
			cells[16] = fmt.Sprintf("%.2f", o.time.Seconds()/remembering.Seconds())
		}
	}
	b.table.Row(cells...)
	return nil
}

// remember lets the stateful search run a program. It returns the number of its runs, and its time.
func (b *bench) remember(ctx context.Context, name string, n int) (runs string, elapsed time.Duration, err error) {
	m, err := b.suite.Machine(ctx, name, n)
	if err != nil {
		return "", 0, err
	}
	s, err := stateful.Info.New(strategy.Config{Names: m.Names, AddsCommute: true, Forget: true, Compare: true, Rename: true, Unread: true, Alike: true, Ahead: true})
	if err != nil {
		return "", 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, *budget)
	defer cancel()
	start := cputime.Now()
	c, err := counts.Search(ctx, m, s, math.MaxInt)
	elapsed = cputime.Now() - start
	runs = fmt.Sprint(c.Status.Candidates)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return runs + "…", elapsed, nil
	case err != nil:
		return "", 0, fmt.Errorf("searching the states of %s(%d): %w", name, n, err)
	}
	return runs, elapsed, nil
}

func figure(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func perSecond(n int, t time.Duration) string {
	if n == 0 || t <= 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", float64(n)/t.Seconds())
}

// counted measures the programs whose executions are known, the largest
// parameter of each that is not too large.
func (b *bench) counted(ctx context.Context) error {
	for _, p := range counts.Table() {
		last := -1
		for i, r := range p.Rows {
			if r.Executions <= largest || *large {
				last = i
			}
		}
		if last < 0 {
			continue
		}
		r := p.Rows[last]
		if err := b.measure(ctx, p.Name, r.N, r.Executions, math.MaxInt, other{}); err != nil {
			return err
		}
	}
	return nil
}

// published measures programs of which there are published figures, and the
// kernel of 30 steps.
func (b *bench) published(ctx context.Context) error {
	for _, r := range []struct {
		name            string
		n, known, limit int
		other
	}{
		{"circular", 7, 3432, math.MaxInt, other{tool: "Nidhugg", executions: 3432, time: 650 * time.Millisecond}},
		{"stack", 10, 184756, math.MaxInt, other{tool: "Nidhugg", executions: 184756, time: 29 * time.Second}},
		{"kernel", 5, 756756, 100000, other{tool: "asked for", executions: 100000, time: time.Second}},
	} {
		if err := b.measure(ctx, r.name, r.n, r.known, r.limit, r.other); err != nil {
			return err
		}
	}
	return nil
}
