// Mix compares the default mix of strategies with each strategy alone on
// programs that have a bug: after how many runs, and when, they find it, as
// medians over several seeds. The last columns compare the mix with the best of
// the others.
//
//	go run ./bench/mix                     # the examples
//	go run ./bench/mix ./some/package ...  # other targets with bugs
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/verdict"
)

// examples are the packages with bugs, seen from the root of the module.
var examples = []string{"./examples/addall", "./examples/art", "./examples/bluetooth"}

// alone are the strategies that the mix is compared with.
var alone = []string{"con2colic", "hyperconcolic", "surw"}

func main() {
	budget := flag.Duration("budget", 30*time.Second, "for one search")
	seeds := flag.Int("seeds", 9, "searches by each strategy, each with its own seed")
	workers := flag.Int("workers", 1, "for one search")
	flag.Parse()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = examples
	}
	cfg := search.Config{Budget: *budget, Workers: *workers, NoCorpus: true}
	if err := compare(context.Background(), os.Stdout, patterns, *seeds, cfg); err != nil {
		fmt.Fprintln(os.Stderr, "mix:", err)
		os.Exit(1)
	}
}

// compare searches the targets of the packages with every strategy and writes a
// line for each.
func compare(ctx context.Context, to io.Writer, patterns []string, seeds int, cfg search.Config) error {
	dir, err := os.MkdirTemp("", "mix")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	cfg.OutDir = dir
	prog, err := program.Load(ctx, ".", patterns, nil, true)
	if err != nil {
		return err
	}
	targets, err := prog.Select(program.Selection{})
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(to, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "target\tmix\t\t")
	for _, name := range alone {
		fmt.Fprintf(table, "%s\t\t", name)
	}
	fmt.Fprintln(table, "mix/best runs\ttime\t")
	for i := range targets {
		if err := row(ctx, table, prog, &targets[i], seeds, cfg); err != nil {
			return err
		}
	}
	return table.Flush()
}

// A hit is when a bug was found; the zero hit is none.
type hit struct {
	runs int
	took time.Duration
}

func (h hit) String() string {
	if h.took == 0 {
		return "-\t-"
	}
	return fmt.Sprintf("%d\t%.2fs", h.runs, h.took.Seconds())
}

func row(ctx context.Context, table io.Writer, prog *program.Program, target *load.Target, seeds int, cfg search.Config) error {
	fmt.Fprintf(table, "%s.%s", path.Base(target.Package.Path), target.Name)
	mix, err := searches(ctx, prog, target, seeds, cfg, search.DefaultStrategy)
	if err != nil {
		return err
	}
	fmt.Fprintf(table, "\t%s", mix)
	runs, took := math.Inf(1), math.Inf(1)
	for _, name := range alone {
		h, err := searches(ctx, prog, target, seeds, cfg, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "\t%s", h)
		if h.took > 0 {
			runs, took = min(runs, float64(max(h.runs, 1))), min(took, h.took.Seconds())
		}
	}
	if mix.took == 0 {
		_, err = fmt.Fprint(table, "\t-\t-\t\n")
		return err
	}
	_, err = fmt.Fprintf(table, "\t%.1f\t%.1f\t\n", float64(mix.runs)/runs, mix.took.Seconds()/took)
	return err
}

// searches returns the medians of the searches with so many seeds. It is no hit
// when one of them found nothing.
func searches(ctx context.Context, prog *program.Program, target *load.Target, seeds int, cfg search.Config, strategy string) (hit, error) {
	cfg.Strategy = strategy
	var (
		runs []int
		took []time.Duration
	)
	for seed := range seeds {
		cfg.Seed = uint64(seed + 1)
		obs := &first{start: time.Now()}
		if _, err := search.Target(ctx, prog, target, cfg, obs); err != nil {
			return hit{}, fmt.Errorf("%s with %s: %w", target.Name, strategy, err)
		}
		if obs.hit == (hit{}) {
			return hit{}, nil
		}
		runs, took = append(runs, obs.hit.runs), append(took, obs.hit.took)
	}
	slices.Sort(runs)
	slices.Sort(took)
	return hit{runs[seeds/2], took[seeds/2]}, nil
}

// first notes the first finding. It is a verdict.Observer.
type first struct {
	verdict.Quiet
	start time.Time
	hit   hit
}

func (f *first) Found(r *verdict.Result, _ *verdict.Counterexample) {
	if f.hit.took == 0 {
		f.hit = hit{r.Runs, time.Since(f.start)}
	}
}
