// Contexts searches from the middle of the programs with which Bergan evaluates symbolic execution
// from arbitrary program contexts (Avoiding State-Space Explosion in Multithreaded Programs with
// Input-Covering Schedules and Symbolic Execution, 2014, section 2.9), written anew in Go from
// their public descriptions. It prints how many paths there are up to a number of executed
// branches, beside the paper's Table 2.1, by what factor there are fewer than with nothing known,
// and how many instructions a second that took and which part of the time was the solver's, beside
// Table 2.2. As there, goroutines run under one schedule: each until it waits.
//
//	go run ./bench/contexts              # the tables
//	go run ./bench/contexts -run lu      # some rows
//	go run ./bench/contexts -columns all # some columns
//	go run ./bench/contexts -budget 1m   # of processor time, for each number
//	go run ./bench/contexts -branches 3  # of fewer branches than in the paper
//	go run ./bench/contexts -list        # with the paths themselves
//
// A search that has not come to its end has found some of the paths: a lower bound, which is enough
// where little is known. The programs are below testdata, a package each. The places where
// goroutines begin are the lines that are marked there.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
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
		only   = flag.String("columns", "", "only the columns that match this `regexp`")
		list   = flag.Bool("list", false, "print the paths: of each branch the goroutine, the line, and y or n")
		depth  = flag.Int("branches", 0, "of a path at most, for all rows; 0: as many as in the paper")
	)
	flag.Parse()
	table.Main(func(ctx context.Context) error {
		re, err := regexp.Compile("(?i)" + *names)
		if err != nil {
			return err
		}
		cols, err := regexp.Compile(*only)
		if err != nil {
			return err
		}
		b := bounds{*depth, *budget, *list}
		return tabulate(ctx, re, cols, b)
	})
}

// Bounds are those of each search, and what is printed of it.
type bounds struct {
	branches int // of a path at most, 0 for as many as in the paper
	budget   time.Duration
	list     bool // print the paths
}

// tabulate searches the rows and columns that match, and prints the tables: the rows of the first
// one as they are known.
func tabulate(ctx context.Context, names, columns *regexp.Regexp, b bounds) error {
	heads, factors := []string{"        paths", "goroutines", "branches"}, []string{"fewer paths by"}
	speeds := []string{"instructions/s, solver"}
	for i, c := range configurations {
		heads = append(heads, fmt.Sprintf("%7s", c.name), "paper")
		if i > 0 {
			factors = append(factors, "than "+c.name, "paper")
		}
		speeds = append(speeds, c.name, "paper")
	}
	t, err := table.NewRows(os.Stdout, heads...)
	if err != nil {
		return err
	}
	ratios, second := table.New(os.Stdout, factors...), table.New(os.Stdout, speeds...)
	for _, r := range rows {
		if !names.MatchString(r.name) {
			continue
		}
		b := b
		b.branches = cmp.Or(b.branches, r.branches)
		p, err := program.Load(ctx, ".", []string{programs + r.pkg}, nil, true)
		if err != nil {
			return err
		}
		places, err := r.places(p)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		cells, fewer, costs := []any{r.name, len(places), b.branches}, []any{r.name}, []any{r.name}
		var all *exploration
		for i, c := range configurations {
			if !columns.MatchString(c.name) {
				cells, costs = append(cells, "", r.paths[i]), append(costs, "", fmt.Sprintf("%d, %d%%", r.speed[i], r.solving[i]))
				if i > 0 {
					fewer = append(fewer, "", fmt.Sprintf("%.1f", float64(r.paths[i])/float64(r.paths[0])))
				}
				continue
			}
			e, err := explore(ctx, p, places, c.options, b)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", r.name, c.name, err)
			}
			if b.list {
				fmt.Printf("%s, %s:\n%s\n\n", r.name, c.name, strings.Join(slices.Sorted(maps.Values(e.search.seen)), "\n"))
			}
			if i == 0 {
				all = e
			} else {
				fewer = append(fewer, e.factor(all), fmt.Sprintf("%.1f", float64(r.paths[i])/float64(r.paths[0])))
			}
			cells = append(cells, e.paths(), r.paths[i])
			costs = append(costs, e.costs(), fmt.Sprintf("%d, %d%%", r.speed[i], r.solving[i]))
		}
		if err := t.Row(cells...); err != nil {
			return err
		}
		ratios.Row(fewer...)
		second.Row(costs...)
	}
	fmt.Println()
	if err := ratios.Flush(); err != nil {
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
func explore(ctx context.Context, p *program.Program, places []string, o initial.Options, b bounds) (*exploration, error) {
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
	m := w.Machine()
	e := &exploration{search: newPaths(b.branches, branchesOf(m), solve.Options{})}
	if b.list {
		e.search.line = func(id run.SiteID) int {
			_, pos := m.Site(id)
			return p.Fset.Position(pos).Line
		}
	}
	var stats worker.Stats
	for begun := cputime.Now(); e.took < b.budget; e.took = cputime.Now() - begun {
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

// exact reports whether all paths are known.
func (e *exploration) exact() bool { return e.finished && e.search.unsolved == 0 }

// paths is the number of paths in a cell.
func (e *exploration) paths() string {
	n := strconv.Itoa(len(e.search.seen))
	if !e.exact() {
		return "≥" + n
	}
	return n
}

// factor is by what factor there are fewer paths with all that is known, in a cell; it is a lower
// bound if these are all known.
func (e *exploration) factor(all *exploration) string {
	if all == nil || !all.exact() {
		return ""
	}
	f := fmt.Sprintf("%.1f", float64(len(e.search.seen))/float64(len(all.search.seen)))
	if !e.exact() {
		return "≥" + f
	}
	return f
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
