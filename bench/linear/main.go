// Linear tries everyway linear on containers of the proxy and of GOROOT, as they are and with mistakes put into them.
//
//	go run ./bench/linear                   # all
//	go run ./bench/linear -run lru -v       # some, with the histories that are found
//
// The table has a row for each container as it is, and for each mistake: a lock that is narrowed, a
// check that comes before the lock or is dropped. A mistake that is not found makes the exit code
// 1.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/bench/internal/modules"
	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/verdict"
)

type options struct {
	match   regexp.Regexp
	bounds  string
	budget  time.Duration
	clock   string
	verbose bool
}

func main() {
	var o options
	flag.TextVar(&o.match, "run", regexp.MustCompile("."), "only modules and types that match the `regexp`")
	flag.StringVar(&o.bounds, "bounds", "2x1,1+2x1,2x2/2,2x2", "`list` of the sizes of histories")
	flag.DurationVar(&o.budget, "budget", time.Minute, "`time` for a bound")
	flag.StringVar(&o.clock, "clock", "processor", "what measures the budget: world or, so that other work on the computer does not count, processor")
	flag.BoolVar(&o.verbose, "v", false, "print the histories that are found")
	flag.Parse()
	table.Main(command.With(o.run))
}

func (o *options) run(ctx context.Context, everyway command.Everyway, work string) error {
	rows := table.New(os.Stdout, "module", "type", "mistake", "verdict", "bound", "holds", "runs", "time")
	missed, seeds := 0, 0
	for i, s := range subjects {
		if !o.match.MatchString(s.module + " " + s.typ) {
			continue
		}
		dir := filepath.Join(work, fmt.Sprint(i))
		why, err := s.fetch(ctx, dir)
		if err == nil && why != "" {
			err = errors.New(why)
		}
		if err != nil {
			return fmt.Errorf("fetching %s: %w", s.module, err)
		}
		r := runner{options: o, everyway: everyway, subject: &s, dir: dir}
		totals, err := r.search(ctx)
		if err != nil {
			return err
		}
		rows.Row(s.module, s.typ, "none", totals.verdict+totals.kinds, totals.bound, strings.Join(totals.holds, " "), totals.runs, table.Short(totals.time))
		for _, m := range s.seeds {
			seeds++
			restore, err := m.plant(dir)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", s.module, m.what, err)
			}
			totals, err := r.search(ctx)
			if err := errors.Join(err, restore()); err != nil {
				return err
			}
			if totals.kinds == "" {
				missed++
			}
			rows.Row("", "", m.what, totals.verdict+totals.kinds, totals.bound, strings.Join(totals.holds, " "), totals.runs, table.Short(totals.time))
		}
	}
	if err := rows.Flush(); err != nil {
		return err
	}
	fmt.Printf("\n%d of %d mistakes found\n", seeds-missed, seeds)
	if missed > 0 {
		return fmt.Errorf("%d mistakes are not found", missed)
	}
	return nil
}

// fetch puts a copy of the module of a subject in dir. It says why that cannot be.
func (s *subject) fetch(ctx context.Context, dir string) (why string, err error) {
	path, version, ok := strings.Cut(s.module, " ")
	if ok {
		return modules.Module{Path: path, Version: version}.Fetch(ctx, dir)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	if s.module == trie {
		return "", copyTrie(dir)
	}
	return "", os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"), 0o666)
}

// plant puts a mistake into the module in dir, and returns what takes it out again.
func (m *seed) plant(dir string) (restore func() error, err error) {
	name := filepath.Join(dir, filepath.FromSlash(m.file))
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if n := strings.Count(string(text), m.old); n != 1 {
		return nil, fmt.Errorf("%s has what is to be replaced %d times", m.file, n)
	}
	planted := strings.Replace(string(text), m.old, m.text, 1)
	return func() error { return os.WriteFile(name, text, 0o666) }, os.WriteFile(name, []byte(planted), 0o666)
}

// A runner searches a subject.
type runner struct {
	*options
	everyway command.Everyway
	subject  *subject
	dir      string
}

// An outcome is that of the last bound that was searched.
type outcome struct {
	verdict, bound string
	kinds          string   // of findings
	holds          []string // the bounds that hold
	runs           int
	time           time.Duration
}

// search searches the bounds, until one fails.
func (r *runner) search(ctx context.Context) (outcome, error) {
	args := append([]string{"-type", r.subject.typ, "-run", "^(" + r.subject.methods + ")$", "-bounds", r.bounds, "-budget", r.budget.String(), "-clock", r.clock}, r.subject.flags...)
	began := time.Now()
	limit := 10*time.Minute + 5*r.budget
	targets, trouble, err := r.everyway.Linear(ctx, r.dir, limit, append(args, r.subject.pkg)...)
	if err != nil {
		return outcome{}, err
	}
	out := outcome{verdict: trouble, time: time.Since(began)}
	for _, t := range targets {
		bound := strings.NewReplacer("plus", "+", "of", "/").Replace(strings.TrimPrefix(t.Name, "FuzzLinear"))
		if out.verdict, out.bound = string(t.Totals.Verdict), bound; t.Totals.Verdict == verdict.Holds {
			out.holds = append(out.holds, bound)
		}
		out.runs += t.Totals.Runs
		for _, f := range t.Findings {
			if r.verbose {
				fmt.Printf("%s %s: %s: %s\n", r.subject.module, r.subject.typ, f.Kind, f.Message)
			}
			if !strings.Contains(out.kinds, f.Kind) {
				out.kinds += ": " + f.Kind
			}
		}
	}
	return out, nil
}
