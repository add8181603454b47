// Verdicts generates programs, and compares what everyway says of them with what is right.
//
//	go run ./bench/verdicts                              # a few programs of each kind
//	go run ./bench/verdicts -kind sequential -n 5000     # more of one kind
//	go run ./bench/verdicts -stateful -total 5000        # so many of all kinds together
//	go run ./bench/verdicts -stateful -drawn -n 200      # with reductions that are drawn for each program
//	go run ./bench/verdicts -stateful -drawn -interrupt  # the same, broken off and resumed again and again
//
// With -stateful, a second table says how many programs were compared with each of what the search
// leaves out, and with each two.
//
// The kinds are the rows of the table that it prints, of which the last one is their sum:
//
//   - sequential programs on small integers, strings, slices and maps, with inputs of one or two
//     bytes: all inputs are run natively (package internal/oracle/sequential);
//   - concurrent: concurrent programs with small inputs, against brute force (package
//     internal/oracle);
//   - time: the same with sleepers, timers and readings of the clock;
//   - stall: the same, where time may run ahead of goroutines that could run;
//   - bubbles: those of time, in a bubble of testing/synctest, with calls of synctest.Wait;
//   - maps: the same with loops over maps that change meanwhile;
//   - nodes: the same with objects that have finalizers, cleanups and weak pointers, and are
//     collected;
//   - initialisers: the same, of which an initialiser of the package does the first part;
//   - copies: concurrent programs whose goroutines are the same;
//   - counters, counters of copies: the same with atomic variables, to which goroutines often add
//     without looking at the sum;
//   - meetings, meetings of copies, meetings of copies and others: up to five goroutines, copies,
//     or copies beside others, that communicate a few times each, nearly always on channels without
//     a buffer;
//   - closes: goroutines that wait, in selects with channels in common, until somebody closes a
//     channel, often as contexts are closed, and variables and channels that are reset before that;
//   - leaders: goroutines of which the first one adds to a wait group, and the others wait until
//     it, or somebody that it has told, is done;
//   - polls: goroutines that look whether a timer has fired, after they have waited as long as it takes, or nearly;
//   - locks, locks of copies: goroutines that contend for a few locks, try to lock them, and wait
//     for condition variables and for what a sync.Once does;
//   - selects, selects of copies, selects in bubbles: goroutines at selects with channels in
//     common, to which others come, or which they close;
//   - timeouts: the same with a timer in each select, and others that come when it is due;
//   - overwrites: goroutines that write to plain variables under a lock, most of which are
//     overwritten before anybody reads them;
//   - recoveries: goroutines that panic, recover and go on, exit, and are in calls that are
//     deferred and in functions of a sync.Once meanwhile;
//   - spins: loops that wait for an atomic variable, a lock or a channel, some of them for ever;
//   - elements: elements of an array at indices that depend on inputs, or on what others have done;
//   - bits, bits of copies: operations of atomic variables, which decide what is done next;
//   - readers: a read-write mutex, for reading and writing, which is often tried;
//   - lengths: the number of values in channels, which decides what is done with them;
//   - groups: a wait group that is used again, while others may wait for it;
//   - alarms: calls of time.AfterFunc, whose timers are stopped and reset;
//   - tables, tables with deletions: a sync.Map, whose entries may be deleted and stored again;
//   - contexts, contexts of copies, contexts with timers, contexts in bubbles: trees of contexts
//     that several goroutines cancel, wait for, ask why they are cancelled, and make children of
//     meanwhile, and functions that are called when a context is cancelled, or withdrawn;
//   - tickers, tickers in bubbles, tickers with stall: those of selects with tickers, which are stopped and reset;
//   - once functions: functions of sync.OnceFunc and sync.OnceValue, which may panic or exit;
//   - subtests: parallel subtests, and what is cleaned up after them;
//   - buffers: conditions with two condition variables of one lock;
//   - replies, replies of copies: channels that goroutines send to others, which reply on them;
//   - pointers, pointers of copies: atomic pointers to cells that are linked and taken away, as in
//     a stack without locks;
//   - exits: goroutines that exit, or recover from a panic, while they hold a lock or do what a sync.Once does;
//   - loads, loads of copies: loads of atomic variables, most of them ordered by a lock or a
//     channel with what changes these;
//   - sums, sums of copies: additions to atomic variables whose results nobody reads, and what depends on the sums;
//   - one timer, one timer in bubbles, one timer with stall: timeouts with one timer for all, which is stopped, too;
//   - conditions, conditions with timers: loops that wait for a condition variable, and others that
//     signal it, often after a time;
//   - logs, logs of copies: goroutines that write to the log of the test, also when it may be done;
//   - fields, copies with fields: the same with plain variables that are fields of one struct;
//   - conflict: one reader and one writer, which synchronise in some way: whether there is a race
//     follows from how the program was made (package internal/oracle/conflict);
//   - gated: programs whose races depend on who did something first, searched with states that are
//     remembered and, without reductions, by classes of orders (package internal/oracle/gated);
//   - edges: programs that come to the same memory in several ways, which differ in who knows of
//     which access: what they do, by states that are remembered, by classes of orders and, if they
//     are small, in every order (package internal/oracle/edges);
//   - detector: the programs of conflict under Go's race detector, which must find no race where there
//     is none. It needs cgo.
//
// Program number i of a kind is the one of seed -seed + i. A program that is different is
// reduced to a smaller one, and printed. The exit code is 1 if there is one.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/cputime"
	"github.com/everyway-go/everyway/internal/oracle/concurrent"
	"github.com/everyway-go/everyway/internal/oracle/conflict"
	"github.com/everyway-go/everyway/internal/oracle/edges"
	"github.com/everyway-go/everyway/internal/oracle/gated"
	"github.com/everyway-go/everyway/internal/oracle/kinds"
	"github.com/everyway-go/everyway/internal/oracle/sequential"
	"github.com/everyway-go/everyway/internal/oracle/suite"
)

var (
	only   = flag.String("kind", "", "the kind of programs, all if empty")
	count  = flag.Int("n", 50, "`number` of programs of each kind")
	total  = flag.Int("total", 0, "`number` of programs of all kinds together, as many of each, instead of -n")
	seed   = flag.Uint64("seed", 0, "seed of the first program")
	states = flag.Bool("stateful", false, "search concurrent programs with the stateful strategy")
	reduce = flag.String("reduce", strings.Join(concurrent.Words, ","), "with -stateful, a `list` of what it leaves out")
	drawn  = flag.Bool("drawn", false, "draw for each program what the search leaves out, instead of -reduce: often one word, two, or all")
	breaks = flag.Bool("interrupt", false, "with -stateful, break the search off and resume it, again and again")
	shrink = flag.Bool("shrink", true, "reduce programs that are different")
	limit  = flag.Duration("time", 0, "`duration` after which no further programs of a kind are begun; 0 for no limit")
)

// A kind is a kind of programs.
type kind struct {
	name string
	// compare compares the programs of some seeds.
	compare func(ctx context.Context, seeds []uint64) (*suite.Results, error)
}

// rows returns all kinds, in the order of the table.
func rows() []kind {
	list := []kind{{"sequential", func(ctx context.Context, seeds []uint64) (*suite.Results, error) {
		return sequential.Compare(ctx, seeds, true)
	}}}
	for _, k := range kinds.All {
		list = append(list, kind{k.Name, func(ctx context.Context, seeds []uint64) (*suite.Results, error) {
			search, err := chosenSearch()
			if err != nil {
				return nil, err
			}
			return concurrent.Compare(ctx, seeds, k.Config, search, *shrink)
		}})
	}
	return append(list,
		kind{"conflict", conflict.Compare},
		kind{"gated", gated.Compare},
		kind{"edges", edges.Compare},
		kind{"detector", func(ctx context.Context, seeds []uint64) (*suite.Results, error) {
			return conflict.Native(ctx, seeds, 20)
		}},
	)
}

// chosenSearch returns the search of concurrent programs that the flags say.
func chosenSearch() (concurrent.Search, error) {
	with := concurrent.Stateful
	if *breaks {
		with = concurrent.Interrupted
	}
	switch {
	case *drawn && *states:
		return concurrent.Drawn(with), nil
	case *drawn:
		return concurrent.DrawnByClasses(), nil
	case *states:
		options, err := concurrent.ParseOptions(*reduce)
		return with(options), err
	}
	return concurrent.Reduced, nil
}

// batch is how many programs are compiled and loaded at once.
const batch = 50

func main() {
	flag.Parse()
	table.Main(measure)
}

func measure(ctx context.Context) error {
	chosen := rows()
	if *only != "" {
		chosen = slices.DeleteFunc(chosen, func(k kind) bool { return k.name != *only })
		if len(chosen) == 0 {
			return fmt.Errorf("no kind %q", *only)
		}
	}
	t := table.New(os.Stdout, "kind", "seeds", "programs", "compared", "different", "runs", "time")
	n := *count
	if *total > 0 {
		n = (*total + len(chosen) - 1) / len(chosen)
	}
	all := &suite.Results{}
	begun := cputime.Now()
	for _, k := range chosen {
		start := cputime.Now()
		r, err := compare(ctx, k, n)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		all.Add(r)
		seeds := fmt.Sprintf("%d to %d", *seed, *seed+uint64(r.Programs)-1)
		t.Row(k.name, seeds, r.Programs, r.Compared, len(r.Differences), r.Runs, (cputime.Now() - start).Round(time.Second))
		for _, reason := range slices.Sorted(maps.Keys(r.Left)) {
			fmt.Printf("%s: %d programs were not compared to the end: %s\n", k.name, r.Left[reason], reason)
		}
	}
	if len(chosen) > 1 {
		t.Row("all", "", all.Programs, all.Compared, len(all.Differences), all.Runs, (cputime.Now() - begun).Round(time.Second))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(all.Reductions) > 0 && *states {
		if err := printReductions(all); err != nil {
			return err
		}
	}
	if len(all.Differences) > 0 {
		return errors.New("there are differences")
	}
	return nil
}

// printReductions prints how many programs were compared with each thing that searches leave out, and with each two.
func printReductions(all *suite.Results) error {
	fmt.Printf("\nPrograms that were compared with both left out:\n")
	t := table.New(os.Stdout, append([]string{""}, concurrent.Words...)...)
	for i, one := range concurrent.Words {
		cells := []any{one}
		for k, other := range concurrent.Words {
			if k < i {
				cells = append(cells, "")
				continue
			}
			cells = append(cells, all.Both(one, other))
		}
		t.Row(cells...)
	}
	return t.Flush()
}

// compare compares n programs of a kind, and prints the differences as they come.
func compare(ctx context.Context, k kind, n int) (*suite.Results, error) {
	all := &suite.Results{}
	start := time.Now()
	for all.Programs < n && (*limit == 0 || time.Since(start) < *limit) {
		var seeds []uint64
		for i := range min(batch, n-all.Programs) {
			seeds = append(seeds, *seed+uint64(all.Programs+i))
		}
		r, err := k.compare(ctx, seeds)
		if err != nil {
			return nil, err
		}
		for _, d := range r.Differences {
			fmt.Printf("%s, seed %d: %s\n%s\n", k.name, d.Seed, d.What, strings.TrimSpace(d.Source))
		}
		all.Add(r)
	}
	return all, nil
}
