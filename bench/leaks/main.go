// Leaks looks for the leaks in the kernels of the test of Go's goroutine leak profile, in
// GOROOT/src/runtime/testdata/testgoroutineleakprofile. What leaks in each of them is read from
// GOROOT/src/runtime/goroutineleakprofile_test.go, which marks some as flaky: natively they do not show in each run.
//
//	go run ./bench/leaks                  # all, the table of docs/truth.md
//	go run ./bench/leaks -run Cockroach   # some kernels
//	go run ./bench/leaks -clock world   # with budgets of time on the clock, not of processor time
//
// Each kernel is a target of two searches with default flags and of one with -all, which goes on
// after the first finding. The table has how many kernels leak at the places that are expected, how
// many of these places are found, and how many others; and in how many kernels both searches have
// found the same. A kernel does three times what it does natively 10 times or more often to meet a
// schedule that leaks. What is missed is listed; the exit code is 1 if a leak that is not flaky is,
// or one is found at another place.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/goroot"
)

// options are those of the command line.
type options struct {
	match   string // regular expression of tests
	budget  time.Duration
	workers string
	clock   string
}

func main() {
	var o options
	flag.StringVar(&o.match, "run", ".", "only kernels that match the `regexp`")
	flag.DurationVar(&o.budget, "budget", 10*time.Second, "`time` to search a kernel")
	flag.StringVar(&o.workers, "workers", "1", "`number` of runs made at the same time")
	flag.StringVar(&o.clock, "clock", "processor", "what measures the budget: world or, so that other work on the computer does not count, processor")
	flag.Parse()
	table.Main(command.With(o.run))
}

func (o *options) run(ctx context.Context, everyway command.Everyway, work string) error {
	dir := filepath.Join(work, "leaks")
	if err := goroot.LeakTests(dir); err != nil {
		return fmt.Errorf("the kernels of the leak profile: %w", err)
	}
	kernels, err := goroot.LeakKernels()
	if err != nil {
		return fmt.Errorf("the test of the leak profile: %w", err)
	}
	search := func(flags ...string) (map[string]*kernelResult, error) {
		// A search begins with the run files of the one before: this one is to know none.
		out, err := os.MkdirTemp(work, "out-")
		if err != nil {
			return nil, err
		}
		args := append([]string{"-count=1", "-o", out, "-budget", o.budget.String(), "-clock", o.clock, "-workers", o.workers, "-run", o.match}, flags...)
		targets, trouble, err := everyway.Test(ctx, dir, 24*time.Hour, append(args, "./...")...)
		if err == nil && len(targets) == 0 {
			err = errors.New("nothing was searched: " + trouble)
		}
		results := map[string]*kernelResult{}
		for i := range targets {
			for k := range kernels {
				if targets[i].Name == "Test"+kernels[k].Name {
					results[kernels[k].Name] = judge(&kernels[k], &targets[i])
				}
			}
		}
		return results, err
	}
	var searches [3]map[string]*kernelResult
	for i, flags := range [][]string{nil, nil, {"-all"}} {
		if searches[i], err = search(flags...); err != nil {
			return err
		}
	}
	t := table.New(os.Stdout, "kernels", "", "leak", "found, first finding", "places", "first finding", "-all", "other places", "other findings", "the same twice", "longest")
	var notes bytes.Buffer
	wrong := 0
	for _, flaky := range []bool{false, true} {
		var s summary
		for i := range kernels {
			k := &kernels[i]
			first, second, all := searches[0][k.Name], searches[1][k.Name], searches[2][k.Name]
			if k.Flaky != flaky || first == nil || second == nil || all == nil {
				continue
			}
			s.add(k, first, second, all)
			for _, note := range all.notes(k) {
				fmt.Fprintf(&notes, "%s: %s\n", k.Name, note)
			}
			if !reflect.DeepEqual(first.found, second.found) {
				fmt.Fprintf(&notes, "%s: two searches have found different things\n", k.Name)
			}
			wrong += len(all.others) + len(first.others)
			if !flaky {
				wrong += len(k.Leaks) - all.places()
			}
		}
		name := "not flaky"
		if flaky {
			name = "flaky"
		}
		t.Row(name, s.kernels, s.leak, s.leakFound, s.places, s.first, s.all, s.others, s.findings, s.same, table.Short(s.longest))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Printf("\n%s", &notes)
	if wrong > 0 {
		return fmt.Errorf("%d wrong", wrong)
	}
	return nil
}

// A kernelResult is what a search of a kernel has found.
type kernelResult struct {
	seen     []bool   // by the index of what is expected
	others   []string // leaks at other places
	findings []string // that are no leaks
	found    []string // all of it, at which places
	verdict  string
	until    time.Duration // what the search took
}

// judge compares what was found in a kernel with what is expected.
func judge(k *goroot.LeakKernel, t *command.Target) *kernelResult {
	r := &kernelResult{
		seen: make([]bool, len(k.Leaks)), until: time.Duration(t.Seconds * float64(time.Second)),
		verdict: fmt.Sprintf("%s after %d runs", t.Totals.Verdict, t.Totals.Runs),
	}
	if len(t.Totals.Open) > 0 {
		r.verdict += ": " + strings.Join(t.Totals.Open, "; ")
	}
	for _, f := range t.Findings {
		if f.Kind != string(check.Leak) {
			r.findings = append(r.findings, f.Kind+" at "+f.Pos)
			continue
		}
		for _, g := range append([]command.Finding{f}, f.Others...) {
			_, waitsFor, _ := strings.Cut(g.Message, ": ")
			function := strings.TrimPrefix(g.Stack[len(g.Stack)-1].Func, "main.")
			r.found = append(r.found, g.Goroutine+" "+g.Pos)
			if i := k.Expects(function, waitsFor); i >= 0 {
				r.seen[i] = true
			} else if other := function + " [" + waitsFor + "]"; !slices.Contains(r.others, other) {
				r.others = append(r.others, other)
			}
		}
	}
	return r
}

// places returns how many of the places that are expected were found.
func (r *kernelResult) places() int {
	n := 0
	for _, seen := range r.seen {
		if seen {
			n++
		}
	}
	return n
}

// notes lists what was missed, and what was not expected.
func (r *kernelResult) notes(k *goroot.LeakKernel) (notes []string) {
	for i, seen := range r.seen {
		if !seen {
			notes = append(notes, fmt.Sprintf("missed: %v (%s)", k.Leaks[i], r.verdict))
		}
	}
	for _, other := range r.others {
		notes = append(notes, "not expected: "+other)
	}
	for _, other := range r.findings {
		notes = append(notes, "also "+other)
	}
	return notes
}

// A summary is of some kernels.
type summary struct {
	kernels, leak, leakFound   int
	places, first, all, others int
	findings                   int // kernels with findings that are no leaks
	same                       int
	longest                    time.Duration
}

func (s *summary) add(k *goroot.LeakKernel, first, second, all *kernelResult) {
	s.kernels++
	if len(k.Leaks) > 0 {
		s.leak++
	}
	if first.places() > 0 {
		s.leakFound++
	}
	s.places += len(k.Leaks)
	s.first += first.places()
	s.all += all.places()
	s.others += len(all.others)
	if len(all.findings) > 0 {
		s.findings++
	}
	if slices.Equal(first.found, second.found) {
		s.same++
	}
	s.longest = cmp.Or(max(s.longest, first.until, second.until), 0)
}
