// Contexts searches from the middle of the programs with which Bergan evaluates symbolic execution from arbitrary program
// contexts (Avoiding State-Space Explosion in Multithreaded Programs with Input-Covering Schedules and Symbolic
// Execution, 2014, section 2.9), written anew in Go from their public descriptions. It prints how many paths there are up
// to a number of branches, beside the paper's Table 2.1, and how many instructions a second that took and which part of
// the time was the solver's, beside Table 2.2. As there, goroutines run under one schedule.
//
//	go run ./bench/contexts             # both tables
//	go run ./bench/contexts -run lu     # some rows
//	go run ./bench/contexts -budget 1m  # of processor time, for each number
//	go run ./bench/contexts -branches 3 # of fewer branches than in the paper, so that searches end
//
// The programs are below testdata, a package each. The places where goroutines begin are the lines that are marked there.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/cputime"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/static/initial"
)

// programs begins the import paths of the programs.
const programs = "github.com/everyway-go/everyway/bench/contexts/testdata/"

// A configuration is a column of the tables.
type configuration struct {
	name    string
	options initial.Options
}

var configurations = []configuration{
	{"all", initial.Options{}},
	{"no definitions", initial.Options{NoDefinitions: true}},
	{"no synchronisation", initial.Options{NoSynchronisation: true}},
	{"neither", initial.Options{NoDefinitions: true, NoSynchronisation: true}},
}

// A row is a row of the paper's tables, whose figures are in the order of configurations.
type row struct {
	name     string
	pkg      string
	branches int    // of a path at most
	paths    [4]int // the paper's
	speed    [4]int // the paper's, instructions a second
	solving  [4]int // the paper's, share of time in percent
}

var rows = []row{
	{"blackscholes", "blackscholes", 20, [4]int{763, 1087, 765, 1087}, [4]int{176, 1171, 178, 1206}, [4]int{93, 65, 93, 65}},
	{"dedup-1", "dedup", 10, [4]int{103, 122, 863, 971}, [4]int{72, 49, 67, 64}, [4]int{30, 62, 36, 51}},
	{"dedup-2", "dedup", 12, [4]int{458, 550, 1811, 1904}, [4]int{45, 26, 39, 32}, [4]int{35, 64, 30, 59}},
	{"lu-1", "lu", 22, [4]int{681, 1026, 1133, 1864}, [4]int{93, 170, 64, 107}, [4]int{55, 16, 75, 57}},
	{"lu-2", "lu", 18, [4]int{554, 1400, 1290, 4680}, [4]int{80, 136, 105, 162}, [4]int{57, 23, 56, 26}},
	{"pfscan", "pfscan", 18, [4]int{246, 246, 3785, 3785}, [4]int{5368, 5650, 5254, 5503}, [4]int{28, 25, 15, 13}},
	{"streamcluster", "streamcluster", 11, [4]int{60, 617, 229, 1004}, [4]int{161, 59, 7, 19}, [4]int{9, 35, 74, 31}},
}

func main() {
	var (
		names  = flag.String("run", "", "only the rows that match this `regexp`")
		budget = flag.Duration("budget", 30*time.Second, "of processor time for each number of paths")
		depth  = flag.Int("branches", 0, "of a path at most, for all rows; 0: as many as in the paper")
	)
	flag.Parse()
	table.Main(func(ctx context.Context) error {
		re, err := regexp.Compile("(?i)" + *names)
		if err != nil {
			return err
		}
		return tabulate(ctx, re, *depth, *budget)
	})
}

// tabulate searches the rows that match, and prints the tables.
func tabulate(ctx context.Context, names *regexp.Regexp, depth int, budget time.Duration) error {
	columns := []string{"paths", "goroutines", "branches"}
	speeds := []string{"instructions/s, solver"}
	for _, c := range configurations {
		columns = append(columns, c.name, "paper")
		speeds = append(speeds, c.name, "paper")
	}
	t, second := table.New(os.Stdout, columns...), table.New(os.Stdout, speeds...)
	for _, r := range rows {
		if !names.MatchString(r.name) {
			continue
		}
		branches := r.branches
		if depth > 0 {
			branches = depth
		}
		p, err := program.Load(ctx, ".", []string{programs + r.pkg}, nil, true)
		if err != nil {
			return err
		}
		places, err := r.places(p)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		cells, costs := []any{r.name, len(places), branches}, []any{r.name}
		for i, c := range configurations {
			e, err := explore(ctx, p, places, c.options, branches, budget)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", r.name, c.name, err)
			}
			cells = append(cells, e.paths(), r.paths[i])
			costs = append(costs, e.costs(), fmt.Sprintf("%d, %d%%", r.speed[i], r.solving[i]))
		}
		t.Row(cells...)
		second.Row(costs...)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Println()
	return second.Flush()
}

// An exploration is a search of the paths from a context.
type exploration struct {
	search       *paths
	finished     bool
	instructions uint64
	took         time.Duration
}

// explore searches the paths from places, with so many branches at most, for so long.
func explore(ctx context.Context, p *program.Program, places []string, o initial.Options, branches int, budget time.Duration) (*exploration, error) {
	target, err := p.Context(ctx, places, o)
	if err != nil {
		return nil, err
	}
	cfg := worker.Config{Settings: run.Settings{Limits: worker.DefaultLimits, MaxLen: worker.DefaultMaxLen}, NoCorpus: true}
	w, err := worker.NewMachines(p, func(time.Duration) {}).Worker(ctx, target, cfg, run.NewNames(), func([]byte) {})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	e := &exploration{search: newPaths(branches, solve.Options{})}
	var stats worker.Stats
	for begun := cputime.Now(); e.took < budget; e.took = cputime.Now() - begun {
		job, t, err := w.Step(ctx, ctx, e.search, false, &stats)
		if err != nil {
			return nil, err
		}
		if job == nil {
			e.finished = true
			break
		}
		e.instructions += t.Instructions
	}
	return e, nil
}

// paths is the number of paths in a cell.
func (e *exploration) paths() string {
	n := strconv.Itoa(len(e.search.seen))
	if !e.finished || e.search.unsolved > 0 {
		return "≥" + n
	}
	return n
}

// costs is the number of instructions a second, and the share of the solver, in a cell.
func (e *exploration) costs() string {
	return fmt.Sprintf("%.0f, %.0f%%", float64(e.instructions)/e.took.Seconds(), 100*e.search.solving.Seconds()/e.took.Seconds())
}

// places returns the places of a row, as -at takes them: the lines that are marked with its name, as often as there are
// goroutines.
func (r *row) places(p *program.Program) ([]string, error) {
	var places []string
	for at, text := range p.Lines(p.Packages[0]) {
		_, mark, ok := strings.Cut(text, "// context: "+r.name+", ")
		if !ok {
			continue
		}
		var n int
		if _, err := fmt.Sscanf(mark, "%d", &n); err != nil {
			return nil, fmt.Errorf("%s: reading the number of goroutines: %w", at, err)
		}
		for range n {
			places = append(places, fmt.Sprintf("%s:%d", at.Filename, at.Line))
		}
	}
	if len(places) == 0 {
		return nil, fmt.Errorf("no place is marked with its name")
	}
	return places, nil
}
