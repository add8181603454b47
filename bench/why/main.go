// Why counts the findings of programs that are known to have bugs whose reports say why the run fails, and measures how
// long it takes until a finding is printed.
//
//	go run ./bench/why                 # all, the tables of RATIONALE.md
//	go run ./bench/why -set found      # one set
//	go run ./bench/why -list           # what is said of each finding
//
// The sets are those of bench/confirm. Of each kind of finding the first table has how many there
// are, how many of them name two steps whose order decides, say that the run fails in every order
// or, of a race, what does not order the accesses, and how many say nothing. The second table has
// the time from the end of the run that has shown a finding until its first lines were written: the
// median, the longest, and how many took more than 100 ms. All findings are reported (-all), also
// several of one run.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/everyway-go/everyway/bench/internal/programs"
	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/narrative"
	"github.com/everyway-go/everyway/internal/report"
	"github.com/everyway-go/everyway/internal/verdict"
)

// options are those of the command line.
type options struct {
	set     string
	match   string
	budget  time.Duration
	workers int
	list    bool
}

func main() {
	var o options
	flag.StringVar(&o.set, "set", "", "only the `set` examples, found, race or leaks")
	flag.StringVar(&o.match, "run", "", "only targets that match the `regexp`")
	flag.DurationVar(&o.budget, "budget", 10*time.Second, "`time` to search a target")
	flag.IntVar(&o.workers, "workers", 1, "`number` of runs made at the same time")
	flag.BoolVar(&o.list, "list", false, "print what is said of each finding")
	flag.Parse()
	table.Main(o.run)
}

func (o *options) run(ctx context.Context) error {
	work, err := os.MkdirTemp("", "bench-why-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	reasons := table.New(os.Stdout, "set", "kind", "findings", "two steps", "every order", "not ordered", "nothing")
	delays := table.New(os.Stdout, "set", "findings", "median", "longest", "more than 100 ms")
	for _, s := range programs.Sets() {
		if o.set != "" && s.Name != o.set {
			continue
		}
		found, err := o.search(ctx, &s, filepath.Join(work, s.Name))
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		addReasons(reasons, s.Name, found)
		addDelays(delays, s.Name, found)
		if o.list {
			for _, f := range found {
				n := narrative.New(f.Run, nil)
				fmt.Printf("%s.%s: %s\n\t%s\n\t%v\n", f.Run.Package, f.Run.Target, n.Sentence(), n.Why(), f.Delay)
			}
		}
	}
	if err := reasons.Flush(); err != nil {
		return err
	}
	fmt.Println()
	return delays.Flush()
}

// search searches the targets of a set and returns what was found.
func (o *options) search(ctx context.Context, s *programs.Set, work string) ([]*verdict.Counterexample, error) {
	dir, err := s.Dir(filepath.Join(work, "source"))
	if err != nil {
		return nil, err
	}
	prog, err := program.Load(ctx, dir, s.Patterns, nil, true)
	if err != nil {
		return nil, err
	}
	targets, err := prog.Select(program.Selection{Run: cmp.Or(o.match, s.Run)})
	if err != nil {
		return nil, err
	}
	cfg := search.Config{All: true, Budget: o.budget, NoCorpus: true, OutDir: filepath.Join(work, "runs"), Workers: o.workers}
	cfg.Stall = cmp.Or(s.Stall, search.DefaultStall)
	text := report.Formats()[0].New(report.Config{Stdout: io.Discard, Stderr: os.Stderr, Source: prog.Line})
	collected := &collector{Report: text}
	err = search.Targets(ctx, prog, targets, cfg, collected)
	return collected.found, err
}

// A collector is a report that keeps the findings of searches.
type collector struct {
	report.Report
	found []*verdict.Counterexample
}

// Found implements verdict.Observer.
func (c *collector) Found(r *verdict.Result, f *verdict.Counterexample) {
	c.found = append(c.found, f)
	c.Report.Found(r, f)
}

// addReasons adds a row for each kind of finding.
func addReasons(t *table.Table, set string, found []*verdict.Counterexample) {
	kinds := map[string]bool{}
	for _, f := range found {
		kinds[f.Run.Finding.Kind] = true
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		var all, steps, always, unordered, nothing int
		for _, f := range found {
			if f.Run.Finding.Kind != kind {
				continue
			}
			all++
			switch {
			case f.Run.Finding.Why != nil:
				steps++
			case f.Run.Finding.Always:
				always++
			case narrative.New(f.Run, nil).Why() != "":
				unordered++
			default:
				nothing++
			}
		}
		t.Row(set, kind, all, steps, always, unordered, nothing)
	}
}

// addDelays adds a row for the findings of a set.
func addDelays(t *table.Table, set string, found []*verdict.Counterexample) {
	var list []time.Duration
	late := 0
	for _, f := range found {
		list = append(list, f.Delay)
		if f.Delay > 100*time.Millisecond {
			late++
		}
	}
	if len(list) == 0 {
		return
	}
	slices.Sort(list)
	t.Row(set, len(list), list[len(list)/2].Round(10*time.Microsecond), list[len(list)-1].Round(10*time.Microsecond), late)
}
