// Comparison runs tests that are known to have a bug with the usual tools, and counts which of them
// show it.
//
//	go run ./bench/comparison                      # all, a table with a row for each tool
//	go run ./bench/comparison -run 'ants|quota'    # the targets that match
//	go run ./bench/comparison -tools 'rapid|fuzz'  # the tools that match
//	go run ./bench/comparison -results FILE        # keep the results, and continue from them
//
// The tests are the fuzz targets of examples, the tests of examples/found, each in one or more
// current modules, and the kernels of Go's goroutine leak profile that leak. The tools are go test
// and go test -race; goleak and testing/synctest, for which the tests are changed so that they call
// them, all of these once and with -count=100; go test -fuzz and rapid for those targets that have
// an input; porcupine for those whose bug shows in what calls of one object return, with tests that
// record histories (testdata/porcupine); and everyway with its default budget. A bug is shown if
// the test fails, panics, does not end in the time that it gets or has a report of the race
// detector. Outside of the kernels, a report of a goroutine that remains counts if what everyway
// finds is a leak, since many modules keep goroutines that have nothing to do with the bug.
// Otherwise, that what is shown is the bug in question is not checked, so that the counts of the
// other tools are upper bounds. Go test -race needs a C compiler. docs/comparison.md has the table.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"

	"github.com/everyway-go/everyway/bench/internal/journal"
	"github.com/everyway-go/everyway/bench/internal/table"
)

func main() {
	with := flag.String("tools", "", "only tools whose name matches the `regexp`: test, race, goleak, synctest, fuzz, rapid, porcupine, everyway")
	only := flag.String("run", "", "only targets whose package and name match the `regexp`")
	results := flag.String("results", "", "keep results in `file`, and continue from those that it has")
	parallel := flag.Int("parallel", 2, "run `N` tests at the same time; most of them wait")
	flag.Parse()
	table.Main(func(ctx context.Context) error {
		pattern, err := regexp.Compile(*only)
		if err != nil {
			return fmt.Errorf("-run: %w", err)
		}
		chosen, err := regexp.Compile(*with)
		if err != nil {
			return fmt.Errorf("-tools: %w", err)
		}
		return compare(ctx, pattern, chosen, *results, max(1, *parallel))
	})
}

// A measurement is what a tool says of a target, as the journal keeps it.
type measurement struct {
	Outcome outcome
	Says    string // the line that shows it
}

// shows reports whether a user would see the bug of a target.
func (r measurement) shows(t target, kept *journal.Journal[measurement]) bool {
	if r.Outcome != leaks || t.set == kernels {
		return r.Outcome.shows()
	}
	search, _ := kept.Get("everyway-stall " + t.String())
	return strings.HasPrefix(search.Says, "leak ")
}

// compare measures what has no result yet, and prints the tables.
func compare(ctx context.Context, pattern, chosen *regexp.Regexp, results string, parallel int) error {
	kept, err := journal.Open[measurement](results)
	if err != nil {
		return err
	}
	defer kept.Close()
	work, err := os.MkdirTemp("", "everyway-bench-comparison-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	m, err := newModule(ctx, work)
	if err != nil {
		return err
	}
	var targets []target
	for _, t := range m.targets {
		if pattern.MatchString(t.String()) {
			targets = append(targets, t)
		}
	}

	var mu sync.Mutex // of kept and failed
	var failed error
	var wg sync.WaitGroup
	turns := make(chan struct{}, parallel)
	for i := range tools {
		for _, t := range targets {
			key := tools[i].name + " " + t.String()
			mu.Lock()
			_, known := kept.Get(key)
			stop := failed != nil
			mu.Unlock()
			if known || !chosen.MatchString(tools[i].name) || !tools[i].applies(t) {
				continue
			}
			if stop || ctx.Err() != nil {
				break
			}
			turns <- struct{}{}
			wg.Go(func() {
				defer func() { <-turns }()
				r, err := tools[i].run(ctx, m, t)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					err = kept.Put(key, r)
				}
				if err != nil && failed == nil {
					failed = fmt.Errorf("%s: %w", key, err)
				}
				fmt.Fprintf(os.Stderr, "%s: %s %s\n", key, r.Outcome, r.Says)
			})
		}
	}
	wg.Wait()
	if failed != nil {
		return failed
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	printTables(targets, kept)
	return nil
}

// printTables prints, in Markdown, how many bugs each tool shows, and which tools show each bug.
func printTables(targets []target, kept *journal.Journal[measurement]) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "| |")
	for _, s := range sets {
		fmt.Fprintf(&b, " %s |", s)
	}
	fmt.Fprintf(&b, "\n|---|%s\n", strings.Repeat("---|", len(sets)))
	for i := range tools {
		shown, of := map[set]int{}, map[set]int{}
		for _, t := range targets {
			if r, ok := kept.Get(tools[i].name + " " + t.String()); ok {
				of[t.set]++
				if r.shows(t, kept) {
					shown[t.set]++
				}
			}
		}
		if len(of) == 0 {
			continue // not among those chosen
		}
		fmt.Fprintf(&b, "| %s |", tools[i].title)
		for _, s := range sets {
			if of[s] == 0 {
				fmt.Fprintf(&b, " – |")
			} else {
				fmt.Fprintf(&b, " %d of %d |", shown[s], of[s])
			}
		}
		fmt.Fprintln(&b)
	}
	fmt.Fprintf(&b, "\n| target |")
	for i := range tools {
		fmt.Fprintf(&b, " %s |", tools[i].title)
	}
	fmt.Fprintf(&b, "\n|---|%s\n", strings.Repeat("---|", len(tools)))
	for _, t := range targets {
		fmt.Fprintf(&b, "| %s |", t)
		for i := range tools {
			cell := ""
			if r, ok := kept.Get(tools[i].name + " " + t.String()); ok {
				cell = string(r.Outcome)
			}
			fmt.Fprintf(&b, " %s |", cell)
		}
		fmt.Fprintln(&b)
	}
	fmt.Print(b.String())
}
