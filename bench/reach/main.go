// Reach runs the programs of the paper on guided symbolic execution (Rungta, Mercer, Visser, SPIN
// 2009), written anew in Go from their public descriptions, with strategy guided, and prints what
// that took beside the paper's Table 2. A state is a choice of a goroutine, of a value or of an
// input. Times are those of the processor, after the program was loaded: of the static analysis,
// and of the search. The paper's machine had two dual-core processors at 2.6 GHz.
//
//	go run ./bench/reach                # Table 2, and two harder rows
//	go run ./bench/reach -run reorder   # some of its rows
//	go run ./bench/reach -others 10s    # the other strategies, too, each for that long at most
//
// The programs are below testdata, a package each. The places to be reached are the lines that are marked there.
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
	"github.com/everyway-go/everyway/internal/cputime"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/reach"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/memory"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/con2colic"
	"github.com/everyway-go/everyway/internal/strategy/guided"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/strategy/random"
)

// programs begins the import paths of the programs.
const programs = "github.com/everyway-go/everyway/bench/reach/testdata/"

// A row is a row of the paper's Table 2, or one that the paper does not have.
type row struct {
	name            string
	pkg, test       string
	mark            string // of the places, in the source
	states          int    // the paper's; 0 for none
	seconds         float64
	length, refined int
	goroutines      int // that are to be at each place at the same time; 0 for one
}

var rows = []row{
	{"Reorder (9,1)", "reorder", "TestReorder9x1", "place to reach", 205, 0.874, 13, 1, 0},
	{"Reorder (10,1)", "reorder", "TestReorder10x1", "place to reach", 239, 0.875, 13, 1, 0},
	{"Airline (15,3)", "airline", "TestAirline15x3", "place to reach", 619, 0.548, 3, 13, 0},
	{"Airline (20,2)", "airline", "TestAirline20x2", "place to reach", 1230, 0.521, 3, 19, 0},
	{"Airline (20,1)", "airline", "TestAirline20x1", "place to reach", 1248, 0.498, 3, 20, 0},
	{"VecDeadlock0", "vector", "FuzzDeadlock0", "deadlock 0", 37, 1.003, 14, 1, 2},
	{"VecDeadlock1", "vector", "FuzzDeadlock1", "deadlock 1", 294, 1.005, 15, 2, 2},
	{"VecRace", "vector", "FuzzRace", "race", 312, 1.032, 12, 1, 0},
	{"Reorder (50,1)", "reorder", "TestReorder50x1", "place to reach", 0, 0, 0, 0, 0},
	{"Airline (100,1)", "airline", "TestAirline100x1", "place to reach", 0, 0, 0, 0, 0},
}

func main() {
	memory.AdviseHugePages(1 << 30) // as the command everyway has it
	var (
		names  = flag.String("run", "", "only the rows that match this `regexp`")
		budget = flag.Duration("budget", 30*time.Second, "for the guided search of a row")
		others = flag.Duration("others", 0, "`time` for each of the other strategies in each row; 0 leaves them out")
	)
	flag.Parse()
	table.Main(func(ctx context.Context) error {
		re, err := regexp.Compile("(?i)" + *names)
		if err != nil {
			return err
		}
		return tabulate(ctx, re, *budget, *others)
	})
}

func tabulate(ctx context.Context, names *regexp.Regexp, budget, others time.Duration) error {
	columns := []string{"", "states", "paper", "analysis", "search", "paper", "length", "paper", "refined", "paper", "runs", "sets"}
	if others > 0 {
		columns = append(columns, "exhaustive", "random", "con2colic")
	}
	t := table.New(os.Stdout, columns...)
	for _, r := range rows {
		if !names.MatchString(r.name) {
			continue
		}
		cells, err := r.cells(ctx, budget, others)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		t.Row(cells...)
	}
	return t.Flush()
}

// cells searches for the places of a row.
func (r *row) cells(ctx context.Context, budget, others time.Duration) ([]any, error) {
	p, target, specs, err := r.load(ctx)
	if err != nil {
		return nil, err
	}
	begun := cputime.Now()
	goal, err := reach.New(ctx, p, target, specs)
	if err != nil {
		return nil, err
	}
	if goal.Unreachable != "" {
		return nil, fmt.Errorf("%s", goal.Unreachable)
	}
	analysis := cputime.Now() - begun
	s := searcher{p: p, target: target, goal: goal}
	took, reached, err := s.search(ctx, guided.Info, budget)
	if err != nil {
		return nil, err
	}
	rep := s.report
	cells := []any{
		r.name, rep.States, orNone(r.states), seconds(analysis), shown(took, reached), orNone(r.seconds), rep.Length, orNone(r.length),
		rep.Refinements, orNone(r.refined), rep.Runs, rep.Sets,
	}
	if others > 0 {
		for _, info := range []strategy.Info{hyperconcolic.Info, random.Uniform.Info(), con2colic.Info} {
			took, reached, err := s.search(ctx, info, others)
			if err != nil {
				return nil, err
			}
			cells = append(cells, shown(took, reached))
		}
	}
	return cells, nil
}

// load loads the program of a row.
func (r *row) load(ctx context.Context) (*program.Program, *load.Target, []place.Spec, error) {
	p, err := program.Load(ctx, ".", []string{programs + r.pkg}, nil, true)
	if err != nil {
		return nil, nil, nil, err
	}
	var specs []place.Spec
	for at, text := range p.Lines(p.Packages[0]) {
		if _, mark, ok := strings.Cut(text, "// the "); ok && mark == r.mark {
			for range max(r.goroutines, 1) {
				specs = append(specs, place.Spec{Text: at.String(), File: at.Filename, Line: at.Line})
			}
		}
	}
	targets := p.Targets()
	for i := range targets {
		if targets[i].Name == r.test {
			return p, &targets[i], specs, nil
		}
	}
	return nil, nil, nil, fmt.Errorf("no %s", r.test)
}

// A searcher searches for the places of a goal.
type searcher struct {
	p      *program.Program
	target *load.Target
	goal   *reach.Goal
	report guided.Report // of the last guided search
}

// search has a strategy search for so long at most. It returns how long it took, without the
// initialisation of the program, and whether the places were reached.
func (s *searcher) search(ctx context.Context, info strategy.Info, budget time.Duration) (took time.Duration, reached bool, err error) {
	cfg := worker.Config{Settings: run.Settings{Limits: worker.DefaultLimits, MaxLen: worker.DefaultMaxLen}, NoCorpus: true}
	cfg.Reach(s.goal)
	w, err := worker.NewMachines(s.p, func(time.Duration) {}).Worker(ctx, s.target, cfg, run.NewNames(), func([]byte) {})
	if err != nil {
		return 0, false, err
	}
	defer w.Close()
	limited, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	begun := cputime.Now()
	if _, err := w.FindSeeds(limited, cfg.MaxLen); err != nil {
		return 0, false, err
	}
	visible := run.Visible{}
	for {
		st, err := w.Begin(info, strategy.Config{Seed: 1, MaxDegree: 100, Order: strategy.FewestPreemptions, Symmetry: true, AddsCommute: true, Visible: visible})
		if err != nil {
			return 0, false, err
		}
		again, reached, err := s.runs(limited, w, st, &visible)
		if r, ok := st.(interface{ Report() guided.Report }); ok {
			s.report = r.Report()
		}
		if err != nil && limited.Err() == nil {
			return 0, false, err
		}
		if !again || err != nil {
			return cputime.Now() - begun, reached, nil
		}
	}
}

// runs makes the runs of a strategy. An exhaustive one has to begin again if a run shows accesses
// that race and are not visible.
func (s *searcher) runs(ctx context.Context, w *worker.Worker, st strategy.Strategy, visible *run.Visible) (again, reached bool, err error) {
	var stats worker.Stats
	_, exhaustive := st.(strategy.Divisible)
	for {
		job, t, err := w.Step(ctx, ctx, st, exhaustive, &stats)
		switch {
		case err != nil || job == nil:
			return false, false, err
		case t.Reached != nil:
			return false, true, nil
		case exhaustive && strategy.Refine(visible, t):
			return true, false, nil
		}
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// shown is the time of a search in a cell.
func shown(d time.Duration, reached bool) string {
	if !reached {
		return fmt.Sprintf(">%.1f", d.Seconds())
	}
	return seconds(d)
}

// orNone is what the paper has, if it has it.
func orNone[T int | float64](v T) any {
	if v == 0 {
		return "-"
	}
	return v
}
