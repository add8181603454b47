// Summaries measures what summaries of functions save in searches of concurrent containers.
//
//	go run ./bench/summaries                 # the nine functions of Tables 5.2 to 5.4, a few minutes
//	go run ./bench/summaries -run avl        # those that match
//	go run ./bench/summaries -profiles DIR   # where the time of searches without summaries goes, for go tool pprof
//
// The containers are those of bench/shapes. Each function is searched beside another operation in
// every shape that is valid (its test named Any), up to -runs runs: with the code executed; with
// summaries that have to be made; and with those that the cache has. Times are of the processors,
// the shortest of -n searches of each kind, which take turns, without the loading of the program.
// Beside the changes are those of the thesis, whose tool is SSRD. Runs, queries and the work of the
// solver are the same with and without, or the exit code is 1; how many trees there are depends on
// the times that were measured. Of accesses to memory only those are counted that summaries
// replace: the table has the share of what they replace that is left out.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/cache"
	"github.com/everyway-go/everyway/internal/cputime"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/engine/summaries"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/verdict"
)

// A bench measures.
type bench struct {
	runs, objects, repeats int
	work, profiles         string
	searches               int
}

func main() {
	b := &bench{}
	only := flag.String("run", "", "only functions that match the `regexp`, such as avl.Insert")
	flag.IntVar(&b.runs, "runs", 10000, "`number` of runs of a search")
	flag.IntVar(&b.objects, "objects", 6, "greatest `number` of objects of each type")
	flag.IntVar(&b.repeats, "n", 3, "`number` of searches of each kind")
	flag.StringVar(&b.profiles, "profiles", "", "write CPU profiles of the first searches without summaries into a `directory`, and make no others")
	flag.Parse()
	table.Main(func(ctx context.Context) error { return b.measure(ctx, *only) })
}

// measure prints the table.
func (b *bench) measure(ctx context.Context, only string) (err error) {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	if b.work, err = os.MkdirTemp("", "bench-summaries-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	t := table.New(os.Stdout, "function", "runs", "time", "making them", "change", "kept", "change", "SSRD", "queries", "change", "SSRD",
		"instructions", "steps", "accesses", "left out", "SSRD reads", "writes", "trees", "do not pay")
	var factors, kept, theirs []float64
	for i := range tables5 {
		row := &tables5[i]
		if name := row.container + "." + row.op; !chosen.MatchString(name) {
			continue
		}
		m, err := b.function(ctx, row)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", row.container, row.op, err)
		}
		if m == nil {
			continue
		}
		t.Row(m.cells(row)...)
		factors = append(factors, m.ratio(1))
		kept = append(kept, m.ratio(2))
		theirs = append(theirs, 1+row.time/100)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(factors) > 0 {
		fmt.Printf("\ntime in the geometric mean: %s with summaries that are made, %s with those that are kept; SSRD %s\n",
			change(table.GeometricMean(factors)), change(table.GeometricMean(kept)), change(table.GeometricMean(theirs)))
	}
	return nil
}

// A measurement is of a function: without summaries, with those that are made, and with those that are kept.
type measurement struct {
	times  [3]time.Duration
	totals [3]verdict.Totals
}

// ratio returns the time of a kind of searches over that without summaries.
func (m *measurement) ratio(kind int) float64 { return float64(m.times[kind]) / float64(m.times[0]) }

// change writes a factor as a change in percent.
func change(factor float64) string { return fmt.Sprintf("%+.1f%%", 100*(factor-1)) }

// cells returns a row of the table.
func (m *measurement) cells(row *published) []any {
	s := &m.totals[2].Summaries
	saved := "-"
	if s.Accesses > 0 {
		saved = change(float64(s.Reads+s.Writes) / float64(s.Accesses))
	}
	percent := func(p float64) string { return fmt.Sprintf("%+.1f%%", p) }
	return []any{
		row.container + "." + row.op, m.totals[0].Runs,
		table.Short(m.times[0]), table.Short(m.times[1]), change(m.ratio(1)), table.Short(m.times[2]), change(m.ratio(2)), percent(row.time),
		m.totals[0].Solver.Queries, change(float64(m.totals[2].Solver.Queries) / float64(m.totals[0].Solver.Queries)), percent(row.queries),
		s.Instructions, s.Steps, s.Accesses, saved, percent(row.reads), percent(row.written), s.Trees, s.Dropped,
	}
}

// function measures a function.
func (b *bench) function(ctx context.Context, row *published) (*measurement, error) {
	prog, err := program.Load(ctx, ".", []string{"./bench/shapes/internal/" + row.container}, nil, true)
	if err != nil {
		return nil, err
	}
	target := targetOf(prog, "Test"+row.op+"Any")
	if target == nil {
		return nil, errors.New("there is no such test")
	}
	if b.profiles != "" {
		return nil, b.profile(ctx, prog, target, row)
	}
	m := &measurement{}
	for n := range b.repeats {
		kept := cache.Open(disk.Dir{System: disk.Host{}, Path: filepath.Join(b.work, fmt.Sprintf("cache-%s-%s-%d", row.container, row.op, n))})
		for kind := range m.times {
			var library *summaries.Library
			if kind > 0 {
				library = summaries.NewLibrary(kept)
			}
			took, totals, err := b.search(ctx, prog, target, library)
			if err != nil {
				return nil, err
			}
			if n == 0 || took < m.times[kind] {
				m.times[kind] = took
			}
			m.totals[kind] = *totals
			if err := same(&m.totals[0], totals); err != nil {
				return nil, err
			}
			if kind == 2 && totals.Summaries.Trees > 0 && library.Counts().Loaded == 0 {
				return nil, errors.New("no tree was kept")
			}
		}
	}
	return m, nil
}

// profile writes the profile of a search without summaries.
func (b *bench) profile(ctx context.Context, prog *program.Program, target *load.Target, row *published) (err error) {
	f, err := os.Create(filepath.Join(b.profiles, row.container+"."+row.op+".pprof"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	_, _, err = b.search(ctx, prog, target, nil)
	return err
}

// targetOf returns the target of a name, nil if there is none.
func targetOf(prog *program.Program, name string) *load.Target {
	for _, t := range prog.Targets() {
		if t.Name == name {
			return &t
		}
	}
	return nil
}

// search searches a target, and returns the processor time that it took.
func (b *bench) search(ctx context.Context, prog *program.Program, target *load.Target, library *summaries.Library) (time.Duration, *verdict.Totals, error) {
	b.searches++ // a search begins with the run files of the one before
	cfg := search.Config{
		Settings: run.Settings{MaxObjects: b.objects, Stall: search.DefaultStall}, Budget: time.Hour, Runs: b.runs, Workers: 1, Seed: 1,
		NoCorpus: true, OutDir: filepath.Join(b.work, fmt.Sprint("out-", b.searches)), Summaries: library,
	}
	start := cputime.Now()
	r, err := search.Target(ctx, prog, target, cfg, verdict.Quiet{})
	if err != nil {
		return 0, nil, err
	}
	return cputime.Now() - start, &r.Totals, nil
}

// same returns an error if two searches differ.
func same(a, b *verdict.Totals) error {
	x, y := describe(a), describe(b)
	if x != y {
		return fmt.Errorf("without summaries the search was %s, with them %s", x, y)
	}
	return nil
}

// describe returns what must not depend on summaries.
func describe(t *verdict.Totals) string {
	return fmt.Sprintf("%v, %d runs, %+v, %d shapes, %d/%d branches, %v, %s", t.Verdict, t.Runs, t.Counts, t.Shapes, t.Covered, t.Branches, t.Solver, strings.Join(t.Open, "; "))
}
