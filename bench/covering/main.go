// Covering enumerates input-covering schedules of the programs with which Bergan evaluates that (Avoiding State-Space Explosion in
// Multithreaded Programs with Input-Covering Schedules and Symbolic Execution, 2014, section 3.8.1): those of bench/cover. It prints
// Tables 3.1 and 3.2, how many epochs and schedules there are and how long it takes to find them, beside the paper's, and Tables 3.3 and
// 3.4, what each optimisation is worth.
//
//	go run ./bench/covering              # Tables 3.1 and 3.2
//	go run ./bench/covering -without     # Tables 3.3 and 3.4
//	go run ./bench/covering -run fft     # some rows
//
// The number of workers is that of the build tag. What a program has that is not covered is its row.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/engine/covering"
	"github.com/everyway-go/everyway/internal/engine/program"
)

// A row is a program, with what the paper has for 2, 4 and 8 workers: epochs, schedules, and the time.
type row struct {
	name   string
	args   []string
	config covering.Config
	paper  [3]string
}

var rows = []row{
	{"blackscholes", nil, covering.Config{}, [3]string{"1, 1, 5 s", "1, 1, 6 s", "1, 1, 14 s"}},
	{"swaptions", nil, covering.Config{}, [3]string{"1, 1, 4 s", "1, 1, 9 s", "1, 1, 65 s"}},
	{"fft", nil, covering.Config{}, [3]string{"1, 2, 7 s", "1, 2, 306 s", "1, 2, 90 min"}},
	{"lu", nil, covering.Config{}, [3]string{"2, 3, 6 s", "2, 3, 7 s", "2, 3, 11 s"}},
	{"radix", nil, covering.Config{}, [3]string{"3, 6, 9 s", "3, 9, 10 s", "3, 22, 53 s"}},
	{"radix", nil, covering.Config{Unroll: 40}, [3]string{"", "", ""}}, // the whole program in an epoch
	{"pfscan", []string{"x", "."}, covering.Config{}, [3]string{"15, 455, 24 s", "-", "-"}},
}

// tags choose the number of workers.
var tags = [3]string{"workers2", "", "workers8"}

func main() {
	var (
		names   = flag.String("run", "", "only the programs that match this `regexp`")
		without = flag.Bool("without", false, "switch off each optimisation, with 2 workers")
		budget  = flag.Duration("budget", time.Minute, "time for each enumeration")
	)
	flag.Parse()
	table.Main(func(ctx context.Context) error {
		re, err := regexp.Compile(*names)
		if err != nil {
			return err
		}
		if *without {
			return optimisations(ctx, re, *budget)
		}
		return sizes(ctx, re, *budget)
	})
}

// sizes prints Tables 3.1 and 3.2.
func sizes(ctx context.Context, re *regexp.Regexp, budget time.Duration) error {
	out := table.New(os.Stdout, "program", "workers", "unrolled", "markers", "epochs", "schedules", "deadlocking", "time", "paper: epochs, schedules, time", "result")
	for _, r := range rows {
		if !re.MatchString(r.name) {
			continue
		}
		for i, tag := range tags {
			e := r.enumerate(ctx, tag, covering.Optimisations{}, budget)
			out.Row(r.name, 2<<i, r.config.Unroll, e.Markers, e.Epochs, e.Schedules, e.Deadlocked, table.Short(e.took), r.paper[i], e.result)
		}
	}
	return out.Flush()
}

// optimisations prints Tables 3.3 and 3.4.
func optimisations(ctx context.Context, re *regexp.Regexp, budget time.Duration) error {
	out := table.New(os.Stdout, "program", "unrolled", "without", "markers", "epochs", "schedules", "time", "result")
	for _, r := range rows {
		if !re.MatchString(r.name) {
			continue
		}
		for _, name := range []string{"", "trivial", "covered", "prefixes", "symbolic", "merging"} {
			var o covering.Optimisations
			if name != "" {
				var err error
				if o, err = covering.ParseOptimisations(name); err != nil {
					return err
				}
			}
			e := r.enumerate(ctx, tags[0], o, budget)
			out.Row(r.name, r.config.Unroll, name, e.Markers, e.Epochs, e.Schedules, table.Short(e.took), e.result)
		}
	}
	return out.Flush()
}

// An enumeration is what was found of a program.
type enumeration struct {
	cover.Summary
	took   time.Duration
	result string // covers, open or why it is not covered
}

// enumerate finds the schedules of a program.
func (r *row) enumerate(ctx context.Context, tag string, without covering.Optimisations, budget time.Duration) enumeration {
	start := time.Now()
	set, err := r.search(ctx, tag, without, budget)
	e := enumeration{took: time.Since(start)}
	if set != nil {
		e.Summary = set.Summary()
		e.result = string(e.Verdict)
	}
	if err != nil {
		e.result = table.Cell(shorten(err.Error()))
	}
	return e
}

// shorten returns what is wrong, without the package.
func shorten(text string) string {
	if _, what, ok := strings.Cut(text, "not covered: "); ok {
		text = "not covered: " + what
	}
	if i := strings.LastIndex(text, "testdata/"); i >= 0 {
		text = text[i+len("testdata/"):]
	}
	return text
}

func (r *row) search(ctx context.Context, tag string, without covering.Optimisations, budget time.Duration) (*cover.Set, error) {
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	p, err := program.LoadNamed(ctx, ".", []string{"./bench/cover/testdata/" + r.name}, []string{"-tags=" + tag})
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", r.name, err)
	}
	p.Args = r.args
	targets := p.Targets()
	if len(targets) == 0 {
		return nil, fmt.Errorf("%s has no main function", r.name)
	}
	cfg := r.config
	cfg.Without = without
	s, err := covering.New(ctx, p, &targets[0], cfg)
	if err != nil {
		return nil, err
	}
	err = s.Run(ctx)
	return s.Set(), err
}
