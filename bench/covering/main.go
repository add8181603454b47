// Covering enumerates input-covering schedules of the programs with which Bergan evaluates that
// (Avoiding State-Space Explosion in Multithreaded Programs with Input-Covering Schedules and
// Symbolic Execution, 2014, section 3.8.1): those of bench/cover. It prints Tables 3.1 and 3.2, how
// many epochs and schedules there are and how much processor time it takes to find them, beside the
// paper's, and Tables 3.3 and 3.4, what each optimisation is worth: each row as soon as it is
// known. Table 3.6 is about how the state of an epoch is made by static analysis, which is not done
// here.
//
//	go run ./bench/covering              # Tables 3.1 and 3.2
//	go run ./bench/covering -without     # Tables 3.3 and 3.4
//	go run ./bench/covering -run fft     # some rows
//
// The number of workers is that of the build tag. A search that takes more processor time than
// -budget is given up: its row has what was found until then, and says so. What a program has that
// is not covered is its row.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/cputime"
	"github.com/everyway-go/everyway/internal/engine/covering"
	"github.com/everyway-go/everyway/internal/engine/program"
)

// A row is a program, with what the paper has for some numbers of workers: epochs, schedules, and the time.
type row struct {
	name    string
	args    []string
	config  covering.Config
	workers []int
	paper   []string
}

var usual = []int{2, 4, 8}

var rows = []row{
	{"blackscholes", nil, covering.Config{}, usual, []string{"1, 1, 5 s", "1, 1, 6 s", "1, 1, 14 s"}},
	{"swaptions", nil, covering.Config{}, usual, []string{"1, 1, 4 s", "1, 1, 9 s", "1, 1, 65 s"}},
	{"fft", nil, covering.Config{}, usual, []string{"1, 2, 7 s", "1, 2, 306 s", "1, 2, 90 min"}},
	{"lu", nil, covering.Config{}, usual, []string{"2, 3, 6 s", "2, 3, 7 s", "2, 3, 11 s"}},
	{"radix", nil, covering.Config{}, usual, []string{"3, 6, 9 s", "3, 9, 10 s", "3, 22, 53 s"}},
	{"radix", nil, covering.Config{Unroll: 40}, usual, []string{"", "", ""}}, // the whole program in an epoch
	{"pfscan", []string{"x", "."}, covering.Config{}, []int{2, 3, 4}, []string{"47, 7297, 54 min", "50+, 26000+, not in 10 h", ""}},
	{"pfscan", []string{"x", "."}, covering.Config{Unroll: 3}, []int{2, 3, 4}, []string{"", "", ""}},
}

// tags choose the number of workers.
var tags = map[int]string{2: "workers2", 3: "workers3", 4: "", 8: "workers8"}

func main() {
	var (
		names   = flag.String("run", "", "only the programs that match this `regexp`")
		without = flag.Bool("without", false, "switch off each optimisation, with 2 workers")
		budget  = flag.Duration("budget", time.Minute, "processor time for each enumeration")
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
	out, err := table.NewRows(os.Stdout, "     program", "workers", "unrolled", "markers", "epochs", "schedules", "infeasible?", "deadlocking", "   CPU", "paper: epochs, schedules, time", "result")
	if err != nil {
		return err
	}
	for _, r := range rows {
		if !re.MatchString(r.name) {
			continue
		}
		for i, workers := range r.workers {
			e := r.enumerate(ctx, tags[workers], covering.Optimisations{}, budget)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := out.Row(r.name, workers, r.config.Unroll, e.Markers, e.Epochs, e.Schedules, e.Infeasible, e.Deadlocked, table.Short(e.took), r.paper[i], e.result); err != nil {
				return err
			}
		}
	}
	return nil
}

// optimisations prints Tables 3.3 and 3.4.
func optimisations(ctx context.Context, re *regexp.Regexp, budget time.Duration) error {
	out, err := table.NewRows(os.Stdout, "     program", "unrolled", " without", "markers", "epochs", "schedules", "deadlocking", "   CPU", "result")
	if err != nil {
		return err
	}
	for _, r := range rows {
		if !re.MatchString(r.name) {
			continue
		}
		for _, name := range []string{"", "trivial", "covered", "prefixes", "symbolic", "merging", "conservative"} {
			var o covering.Optimisations
			if name != "" {
				var err error
				if o, err = covering.ParseOptimisations(name); err != nil {
					return err
				}
			}
			e := r.enumerate(ctx, tags[2], o, budget)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := out.Row(r.name, r.config.Unroll, cmp.Or(name, "-"), e.Markers, e.Epochs, e.Schedules, e.Deadlocked, table.Short(e.took), e.result); err != nil {
				return err
			}
		}
	}
	return nil
}

// An enumeration is what was found of a program.
type enumeration struct {
	cover.Summary
	took   time.Duration // of the processor
	result string        // covers, open or why it is not covered
}

// enumerate finds the schedules of a program.
func (r *row) enumerate(ctx context.Context, tag string, without covering.Optimisations, budget time.Duration) enumeration {
	start := cputime.Now()
	set, err := r.search(ctx, tag, without, budget)
	e := enumeration{took: cputime.Now() - start}
	if set != nil {
		e.Summary = set.Summary()
		e.result = string(e.Verdict)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		e.result = fmt.Sprintf("not done in %v", budget)
	case err != nil:
		e.result = shorten(err.Error())
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
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	end := cputime.Now() + budget
	go func() {
		for ctx.Err() == nil {
			if time.Sleep(10 * time.Millisecond); cputime.Now() > end {
				cancel(context.DeadlineExceeded)
			}
		}
	}()
	p, err := program.LoadNamed(ctx, ".", []string{"./bench/cover/testdata/" + r.name}, []string{"-tags=" + tag}, false)
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
	if err = s.Run(ctx); err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return s.Set(), err
}
