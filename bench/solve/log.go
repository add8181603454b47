package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/everyway-go/everyway/internal/engine"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/solve"
)

// searches are those whose questions are asked again.
type searches struct {
	patterns []string
	budget   time.Duration // of each
	dump     string        // a directory for the questions, or empty
}

// maxLogged bounds the questions of a search that are asked again.
const maxLogged = 400

// patience is how long other solvers are asked the questions of one search;
// what they were asked by then is compared.
const patience = 20 * time.Second

// journal keeps the questions of a search.
type journal struct {
	arena     *expr.Arena
	questions [][]expr.ID
	met       int
}

// note is solve.Options.Observe.
func (j *journal) note(a *expr.Arena, conj []expr.ID) {
	if j.met++; j.met > maxLogged {
		return
	}
	kept := make([]expr.ID, len(conj))
	for i, x := range conj {
		kept[i] = j.arena.Copy(a, x)
	}
	j.questions = append(j.questions, kept)
}

// table prints a line for each target: how long the solvers take for the
// questions of its search, in their order.
func (s searches) table(ctx context.Context, out io.Writer) error {
	program, err := engine.Load(ctx, ".", s.patterns, nil, true)
	if err != nil {
		return err
	}
	targets, err := program.Select(engine.Selection{})
	if err != nil {
		return err
	}
	var stats solve.Stats
	all := solvers(&stats)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	columns := []string{"questions of a search", "number"}
	for _, o := range all {
		defer o.close()
		columns = append(columns, o.name, "unknown")
	}
	header(w, append(columns, "best other over everyway")...)
	var total []time.Duration
	for i := range targets {
		j, err := s.log(ctx, program, &targets[i])
		if err != nil {
			return err
		}
		if len(j.questions) == 0 {
			continue
		}
		name := targets[i].Package.Name + "." + targets[i].Name
		if s.dump != "" {
			if err := j.write(s.dump, name); err != nil {
				return err
			}
		}
		took, err := j.row(ctx, w, name, all)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		total = append(total, took...)
		w.Flush()
	}
	percent := func(n int64) float64 { return 100 * float64(n) / float64(max(stats.Slices, 1)) }
	fmt.Fprintf(out, "%d questions in %d independent parts: %.1f%% answered before, %.1f%% by local search, %.1f%% by a circuit\n",
		stats.Queries, stats.Slices, percent(stats.Hits), percent(stats.Guessed), percent(stats.Blasted))
	// Each search weighs the same: its ratio counts.
	n := len(all)
	for other := 1; other < n; other++ {
		var ratios []float64
		for row := 0; row < len(total); row += n {
			if own := total[row]; own > 0 && total[row+other] > 0 {
				ratios = append(ratios, float64(total[row+other])/float64(own))
			}
		}
		fmt.Fprintf(out, "%s takes %.1f times as long (geometric mean of %d searches)\n", all[other].name, geometricMean(ratios), len(ratios))
	}
	return nil
}

// log searches a target by inputs and notes the questions.
func (s searches) log(ctx context.Context, program *engine.Program, target *load.Target) (*journal, error) {
	dir, err := os.MkdirTemp("", "solve")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	j := &journal{arena: expr.NewArena()}
	_, err = engine.Search(ctx, program, target, engine.Config{
		Strategy: "hyperconcolic", Budget: s.budget, Workers: 1, NoCorpus: true, OutDir: dir,
		Solver: solve.Options{Observe: j.note},
	}, quiet{})
	if err != nil {
		return nil, fmt.Errorf("searching %s: %w", target.Name, err)
	}
	return j, nil
}

// row asks all solvers and prints what it took. A solver that is out of
// patience is compared over what it has answered.
func (j *journal) row(ctx context.Context, w io.Writer, name string, all []*solver) ([]time.Duration, error) {
	fmt.Fprintf(w, "%s\t%d\t", name, len(j.questions))
	answers := make([]solve.Result, len(j.questions))
	var own []time.Duration // until after each question
	var took []time.Duration
	best := 0.0
	for i, s := range all {
		ask := s.start(j.arena)
		start := time.Now()
		unknown, n := 0, 0
		for k, conj := range j.questions {
			result, err := ask(ctx, conj)
			if err != nil {
				return nil, err
			}
			n++
			if result == solve.Unknown {
				unknown++
			} else if answers[k] != solve.Unknown && answers[k] != result {
				return nil, fmt.Errorf("question %d: %v, and %s says %v", k, answers[k], s.name, result)
			} else {
				answers[k] = result
			}
			if i == 0 {
				own = append(own, time.Since(start))
			} else if time.Since(start) > patience {
				break
			}
		}
		t := time.Since(start)
		fmt.Fprintf(w, "%s\t%d\t", short(t/time.Duration(n)), unknown)
		if i > 0 {
			t = time.Duration(float64(t) * float64(own[len(own)-1]) / float64(own[n-1])) // as if asked all
			if ratio := float64(t) / float64(own[len(own)-1]); best == 0 || ratio < best {
				best = ratio
			}
		}
		took = append(took, t)
	}
	fmt.Fprintf(w, "%.1fx\t\n", best)
	return took, nil
}

// write writes the questions as files.
func (j *journal) write(dir, name string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("writing questions: %w", err)
	}
	for k, conj := range j.questions {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%s-%04d.smt2", name, k)))
		if err != nil {
			return fmt.Errorf("writing questions: %w", err)
		}
		if err := j.arena.SMTScript(f, conj); err != nil {
			f.Close()
			return err
		}
		if err := f.Close(); err != nil {
			return fmt.Errorf("writing questions: %w", err)
		}
	}
	return nil
}

// quiet is an engine.Observer that has nothing to say.
type quiet struct{}

func (quiet) Found(*engine.Result, *engine.Found)    {}
func (quiet) Started(pkg, target string)             {}
func (quiet) Progress(*engine.Result)                {}
func (quiet) Output(pkg, target string, text []byte) {}
func (quiet) Ended(*engine.Result)                   {}
