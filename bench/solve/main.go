// Solve compares the built-in solver with others on the same questions, all in
// one run:
//
//	go run ./bench/solve                            every table
//	go run ./bench/solve -table hard                questions that are known to be hard
//	go run ./bench/solve -table log [packages]      the questions of searches
//	go run ./bench/solve -table order               the order of events
//	go run ./bench/solve -table parsers -budget 20s fuzz targets, beside go test -fuzz
//
// The packages whose searches are logged are the examples and parsers in
// bench/solve/testdata unless others are named.
// Other solvers (z3, cvc5) are asked if they are installed, as processes that
// keep what two questions in a row have in common.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/solve/smtlib"
)

func main() {
	table := flag.String("table", "", "only the `name`d table: hard, log, order or parsers")
	budget := flag.Duration("budget", 10*time.Second, "`time` for each search")
	dump := flag.String("dump", "", "write the questions of the log to `directory`, as SMT-LIB")
	flag.Parse()
	searches := searches{patterns: flag.Args(), budget: *budget, dump: *dump}
	if len(searches.patterns) == 0 {
		searches.patterns = []string{"./examples/...", parserPackage}
	}
	if err := run(context.Background(), os.Stdout, *table, searches); err != nil {
		fmt.Fprintln(os.Stderr, "solve:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, table string, s searches) error {
	tables := []struct {
		name  string
		print func(context.Context, io.Writer) error
	}{
		{"hard", hard},
		{"log", s.table},
		{"order", order},
		{"parsers", s.parsers},
	}
	known := false
	for _, t := range tables {
		if table != "" && table != t.name {
			continue
		}
		known = true
		if err := t.print(ctx, out); err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
		fmt.Fprintln(out)
	}
	if !known {
		return fmt.Errorf("no table %q", table)
	}
	return nil
}

// solver is one of those compared.
type solver struct {
	name string
	// start begins over an arena of its own. What it returns answers a question.
	start func(a *expr.Arena) func(ctx context.Context, conj []expr.ID) (solve.Result, error)
	close func() error
}

// solvers returns the built-in one first, whose answers stats counts, then what is
// installed.
func solvers(stats *solve.Stats) []*solver {
	all := []*solver{{
		name: "everyway",
		start: func(a *expr.Arena) func(context.Context, []expr.ID) (solve.Result, error) {
			s := solve.New(a, solve.Options{Stats: stats})
			return func(ctx context.Context, conj []expr.ID) (solve.Result, error) {
				r, _, err := s.Check(ctx, conj)
				return r, err
			}
		},
		close: func() error { return nil },
	}}
	for _, name := range smtlib.Names() {
		command, err := smtlib.Command(name)
		if err != nil {
			continue // not installed
		}
		pool := smtlib.NewPool(command)
		all = append(all, &solver{name: name, close: pool.Close,
			start: func(a *expr.Arena) func(context.Context, []expr.ID) (solve.Result, error) {
				return func(ctx context.Context, conj []expr.ID) (solve.Result, error) {
					var vars []expr.ID
					for _, x := range conj {
						vars = a.Vars(vars, x)
					}
					slices.Sort(vars)
					vars = slices.Compact(vars)
					conj = slices.DeleteFunc(slices.Clone(conj), func(x expr.ID) bool {
						v, ok := a.ConstValue(x)
						return ok && v == 1
					})
					if len(vars) == 0 {
						return decided(a, conj), nil
					}
					r, _, err := pool.Solve(ctx, a, conj, vars)
					return r, err
				}
			}})
	}
	return all
}

// decided answers a question without variables.
func decided(a *expr.Arena, conj []expr.ID) solve.Result {
	for _, x := range conj {
		if v, _ := a.ConstValue(x); v == 0 {
			return solve.Unsat
		}
	}
	return solve.Sat
}

// header writes the first line of a table.
func header(w *tabwriter.Writer, columns ...string) {
	fmt.Fprintln(w, strings.Join(columns, "\t")+"\t")
}

// short rounds a duration to three digits.
func short(d time.Duration) string {
	unit := time.Nanosecond
	for d >= 1000*unit {
		unit *= 10
	}
	return d.Round(unit).String()
}
