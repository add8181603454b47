package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/verdict"
)

// logs are the searches whose queries are asked again.
type logs struct {
	patterns []string       // packages; none for the examples, the parsers and realTargets
	match    *regexp.Regexp // targets, as package.name
	budget   time.Duration  // of each search
	runs     int            // of each search; 0 for no bound
	patience time.Duration  // how long another solver is asked the queries of a search
	dump     string         // a directory for queries, or empty
}

// A group is packages that are loaded together.
type group struct {
	dir      string // seen from the module's root
	patterns []string
	code     string // whose it is: "our", or "real" for others'
}

// realTargets are fuzz targets of the standard library, and those over more of it and over
// modules. Of GOROOT's packages with fuzz targets internal/runtime/maps is left out, which
// has a model, and those that need build tags or a system of their own.
func realTargets() []group {
	var groups []group
	for _, pkg := range []string{
		"html", "runtime/debug", "net/netip", "encoding/csv", "encoding/json", "encoding/pem", "time",
		"archive/tar", "archive/zip", "compress/gzip", "internal/zstd", "internal/trace", "internal/fuzz",
		"image/png", "image/gif", "image/jpeg", "strings", "bytes", "math/big", "crypto/x509",
	} {
		groups = append(groups, group{".", []string{pkg}, "real"})
	}
	return append(groups, group{"bench/solve/targets", []string{"./..."}, "real"})
}

// otherLimit is how long another solver may take for a query of a search.
const otherLimit = time.Second

// A record is what came of the queries of a search.
type record struct {
	name    string
	code    string
	journal *journal
	queries []query
	stats   solve.Stats
	own     []answer   // to each query
	others  [][]answer // of each other solver, likewise
}

// An answer is what a solver said to a query.
type answer struct {
	asked  bool
	result solve.Result
	took   time.Duration
}

// table prints how the solvers answer the queries of searches.
func (l *logs) table(ctx context.Context, out io.Writer) error {
	all := others(otherLimit)
	for _, s := range all {
		defer s.close()
	}
	groups := realTargets()
	if len(l.patterns) > 0 {
		groups = []group{{".", l.patterns, "real"}}
	} else {
		groups = append(groups, group{".", []string{parserPackage, "./examples/..."}, "our"})
	}
	var log searched
	var failed error
	for _, g := range groups {
		if failed = l.group(ctx, g, all, &log); failed != nil {
			fmt.Fprintln(out, "Broken off: these are the searches until then.")
			break
		}
	}
	records := log.records
	if err := errors.Join(printStages(out, records), printBeside(out, records, all)); err != nil {
		return err
	}
	if len(log.notes) > 0 {
		fmt.Fprintf(out, "\nWhat searches gave up:\n%s\n", strings.Join(log.notes, "\n"))
	}
	return errors.Join(l.write(out, records, all), failed)
}

// searched is what came of the searches.
type searched struct {
	records []*record // of those that asked anything about inputs
	notes   []string  // what those of real code gave up
}

// group searches the targets of a group and has all solvers answer the queries.
func (l *logs) group(ctx context.Context, g group, all []*solver, to *searched) error {
	prog, err := program.Load(ctx, g.dir, g.patterns, nil, true)
	if err != nil {
		return err
	}
	targets, err := prog.Select(program.Selection{})
	if err != nil {
		return err
	}
	for i := range targets {
		t := &targets[i]
		name := t.Package.Name + "." + t.Name
		if g.code == "real" && t.Kind != load.TargetFuzz || !l.match.MatchString(name) {
			continue // tests have no inputs
		}
		fmt.Fprintln(os.Stderr, name)
		r := &record{name: name, code: g.code}
		result, err := l.search(ctx, r, prog, t)
		if err != nil {
			return err
		}
		for _, why := range result.Open {
			if g.code == "real" && !strings.HasPrefix(why, "the budget of") && !strings.HasPrefix(why, "the bound of") {
				to.notes = append(to.notes, name+": "+why)
			}
		}
		if len(r.queries) == 0 {
			continue
		}
		if err := l.ask(ctx, r, all); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if r.stats.Slices == 0 {
			continue // nothing but constants
		}
		to.records = append(to.records, r)
	}
	return nil
}

// search searches a target and notes its queries.
func (l *logs) search(ctx context.Context, r *record, prog *program.Program, target *load.Target) (*verdict.Result, error) {
	dir, err := os.MkdirTemp("", "solve")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	r.journal = newJournal()
	result, err := search.Target(ctx, prog, target, search.Config{
		Budget: l.budget, Runs: l.runs, Workers: 1, NoCorpus: true, OutDir: dir,
		Solver: solve.Options{Observe: r.journal.note},
	}, verdict.Quiet{})
	if err != nil {
		return nil, fmt.Errorf("searching %s: %w", r.name, err)
	}
	r.queries = slices.Concat(r.journal.blocks...)
	return result, nil
}

// ask asks the built-in solver all queries, and the others block by block until their
// patience is spent, but in any case what the built-in one does not answer.
func (l *logs) ask(ctx context.Context, r *record, all []*solver) error {
	s := solve.New(r.journal.arena, solve.Options{Stats: &r.stats})
	r.own = make([]answer, len(r.queries))
	for i, q := range r.queries {
		start := time.Now()
		result, err := q.check(ctx, s)
		if err != nil {
			return err
		}
		r.own[i] = answer{true, result, time.Since(start)}
	}
	for _, s := range all {
		ask := s.start(r.journal.arena)
		answers := make([]answer, len(r.queries))
		r.others = append(r.others, answers)
		one := func(i int) error {
			start := time.Now()
			result, err := ask(ctx, r.queries[i].conj)
			if err != nil {
				return err
			}
			answers[i] = answer{true, result, time.Since(start)}
			if own := r.own[i].result; own != solve.Unknown && result != solve.Unknown && own != result {
				return fmt.Errorf("query %d: %v, and %s says %v", i, own, s.name, result)
			}
			return nil
		}
		start := time.Now()
		for _, block := range r.journal.spread() {
			for i := range r.journal.blocks[block] {
				if err := one(block*blockSize + i); err != nil {
					return err
				}
			}
			if time.Since(start) > l.patience {
				break
			}
		}
		for i := range r.queries {
			if r.own[i].result == solve.Unknown && !answers[i].asked {
				if err := one(i); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// distinct returns the indexes of the queries but for repetitions.
func (r *record) distinct() []int {
	seen := make(map[string]bool)
	var first []int
	for i, q := range r.queries {
		if key := fmt.Sprint(q.conj); !seen[key] {
			seen[key] = true
			first = append(first, i)
		}
	}
	return first
}

// stages lists the counters of Stats that say how a slice was answered: those between the
// number of slices and the work.
func stages() []string {
	var names []string
	t := reflect.TypeFor[solve.Stats]()
	for i := range t.NumField() {
		names = append(names, t.Field(i).Name)
	}
	return names[slices.Index(names, "Slices")+1 : slices.Index(names, "Work")]
}

func count(s *solve.Stats, name string) int64 {
	return reflect.ValueOf(s).Elem().FieldByName(name).Int()
}

// printStages prints what the built-in solver did with each log, and how long it took.
func printStages(out io.Writer, records []*record) error {
	var sum solve.Stats
	for _, r := range records {
		sum.Add(r.stats)
	}
	columns := slices.DeleteFunc(stages(), func(name string) bool { return count(&sum, name) == 0 })
	t := table.New(out, slices.Concat([]string{"queries of a search", "in all", "asked again", "distinct", "parts"}, columns, []string{"p50", "p90", "p99", "longest"})...)
	row := func(name string, met, asked, distinct int, stats *solve.Stats, times []time.Duration) {
		cells := []any{name, met, asked, distinct, stats.Slices}
		for _, c := range columns {
			cells = append(cells, fmt.Sprintf("%.1f%%", 100*float64(count(stats, c))/float64(max(stats.Slices, 1))))
		}
		slices.Sort(times)
		for _, p := range []float64{0.5, 0.9, 0.99, 1} {
			cells = append(cells, table.Short(times[int(p*float64(len(times)-1))]))
		}
		t.Row(cells...)
	}
	var met, asked, distinct int
	var every []time.Duration
	for _, r := range records {
		var times []time.Duration
		for _, a := range r.own {
			times = append(times, a.took)
		}
		n := len(r.distinct())
		row(r.name, r.journal.met, len(r.queries), n, &r.stats, times)
		met, asked, distinct, every = met+r.journal.met, asked+len(r.queries), distinct+n, append(every, times...)
	}
	if len(every) > 0 {
		row("all", met, asked, distinct, &sum, every)
	}
	return t.Flush()
}

// A comparison is between the answers of the built-in solver and of another to the same
// queries.
type comparison struct {
	asked      int
	answered   int           // by one of them at least
	own, other time.Duration // for these: how long one waits for no answer is a matter of taste
	onlyOwn    int           // not answered by the other
	onlyOther  int           // not answered by the built-in solver
}

func compare(own, other []answer) comparison {
	var c comparison
	for i, a := range other {
		if !a.asked {
			continue
		}
		c.asked++
		known, knownToOther := own[i].result != solve.Unknown, a.result != solve.Unknown
		if !known && !knownToOther {
			continue
		}
		c.answered++
		c.own += own[i].took
		c.other += a.took
		if !knownToOther {
			c.onlyOwn++
		}
		if !known {
			c.onlyOther++
		}
	}
	return c
}

// add adds the counts and times of d.
func (c *comparison) add(d comparison) {
	c.asked += d.asked
	c.answered += d.answered
	c.own += d.own
	c.other += d.other
	c.onlyOwn += d.onlyOwn
	c.onlyOther += d.onlyOther
}

func (c *comparison) ratio() float64 { return float64(c.other) / float64(max(c.own, 1)) }

// printBeside prints how long the solvers take, a row a log, and a summary for code of
// others and for ours.
func printBeside(out io.Writer, records []*record, all []*solver) error {
	fmt.Fprintln(out)
	columns := []string{"the same queries"}
	for _, s := range all {
		columns = append(columns, "asked", "answered", "everyway", s.name, "ratio", "only everyway", "only "+s.name)
	}
	t := table.New(out, columns...)
	for _, r := range records {
		cells := []any{r.name}
		for _, answers := range r.others {
			c := compare(r.own, answers)
			n := time.Duration(max(c.answered, 1))
			cells = append(cells, c.asked, c.answered, table.Short(c.own/n), table.Short(c.other/n), fmt.Sprintf("%.1fx", c.ratio()), c.onlyOwn, c.onlyOther)
		}
		t.Row(cells...)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, code := range []string{"real", "our"} {
		for i, s := range all {
			var sum comparison
			var ratios []float64
			slow := 0
			for _, r := range records {
				c := compare(r.own, r.others[i])
				if r.code != code || c.answered == 0 {
					continue
				}
				sum.add(c)
				ratios = append(ratios, c.ratio())
				if c.ratio() < 10 {
					slow++
				}
			}
			if len(ratios) == 0 {
				continue
			}
			fmt.Fprintf(out, "%s code, %d searches, %s over everyway: %.1fx in the mean (geometric), below 10x in %d; %.1fx for all %d queries together; only everyway answers %d of them, only %s %d\n",
				code, len(ratios), s.name, table.GeometricMean(ratios), slow, sum.ratio(), sum.answered, sum.onlyOwn, s.name, sum.onlyOther)
		}
	}
	return nil
}
