// Solve compares the built-in solver with others on the same questions, all in
// one run:
//
//	go run ./bench/solve                            every table
//	go run ./bench/solve -table hard                questions that are known to be hard
//	go run ./bench/solve -table log [packages]      the queries of searches
//	go run ./bench/solve -table files [paths]       SMT-LIB files
//	go run ./bench/solve -table order               the order of events
//	go run ./bench/solve -table parsers -budget 20s fuzz targets, beside go test -fuzz
//
// Other solvers (z3, cvc5, bitwuzla; boolector for files) are asked if they are
// installed. Gini is not among them: the module proxy does not serve it.
//
// # The table log
//
// Each target is searched for the budget, as everyway test does with one worker, and its
// queries are asked again. The targets are real code, which is the fuzz targets of the
// standard library and those in the nested module bench/solve/targets, over more of the library
// and over well-known modules; the parsers in bench/solve/testdata; and the examples; or
// those of the packages named. Of a search that made more than 800 queries every second block of
// 20 in a row is asked, or every fourth, and so on.
//
// The built-in solver has the hints of the search and its own budget of work, and remembers
// answers from one query of a log to the next. Its counters say which stage
// answered the independent parts of the queries. Other solvers are processes that
// keep what two queries in a row have in common, with a second for a query. They are asked blocks
// of the sample, spread over it, until their patience is spent, and everything that the built-in
// one leaves unanswered. Compared are the times for the queries that one of the two answers.
//
// With -dump the queries that only others answer, the slowest ones and some of each
// search are written as files, with an index that says what they are made of.
//
// # The table files
//
// Each solver is started for each file. Without paths the files are those in
// bench/solve/testdata/scripts and some that are made: the hard questions, random paths of
// branches over 32 and 64 bits, and queries of short searches of the parsers. A file that
// is not answered within the limit counts with the limit. Files with bit-vectors of more than
// 64 bits are counted and left out.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
)

func main() {
	only := flag.String("table", "", "only the `name`d table: hard, log, files, order or parsers")
	match := flag.String("match", "", "only targets whose package.name matches this `regexp`, in the table log")
	budget := flag.Duration("budget", 10*time.Second, "`time` for each search")
	runs := flag.Int("runs", 0, "`bound` on the runs of each search of the table log; 0 means none")
	patience := flag.Duration("patience", 5*time.Second, "how `long` another solver is asked the queries of a search")
	limit := flag.Duration("limit", 5*time.Second, "`time` for each file of the table files")
	answer := flag.String("answer", "", "answer the SMT-LIB `file`, and do nothing else")
	dump := flag.String("dump", "", "write queries of the log to `directory`, as SMT-LIB")
	flag.Parse()
	table.Main(func(ctx context.Context) error {
		if *answer != "" {
			return answerFile(ctx, os.Stdout, *answer)
		}
		re, err := regexp.Compile(*match)
		if err != nil {
			return fmt.Errorf("flag -match: %w", err)
		}
		l := logs{patterns: flag.Args(), match: re, budget: *budget, runs: *runs, patience: *patience, dump: *dump}
		return measure(ctx, os.Stdout, *only, l, files{flag.Args(), *limit})
	})
}

func measure(ctx context.Context, out io.Writer, only string, l logs, f files) error {
	tables := []struct {
		name  string
		print func(context.Context, io.Writer) error
	}{
		{"hard", hard},
		{"log", l.table},
		{"files", f.table},
		{"order", order},
		{"parsers", l.parsers},
	}
	known := false
	for _, t := range tables {
		if only != "" && only != t.name {
			continue
		}
		known = true
		if err := t.print(ctx, out); err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
		fmt.Fprintln(out)
	}
	if !known {
		return fmt.Errorf("no table %q", only)
	}
	return nil
}
