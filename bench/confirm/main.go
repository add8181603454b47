// Confirm finds, with everyway, the bugs of programs that are known to have one, and has everyway
// confirm show each finding natively.
//
//	go run ./bench/confirm                 # all, a table with a row for each set of programs
//	go run ./bench/confirm -set examples   # one set
//	go run ./bench/confirm -sample 4       # every fourth finding of each set
//
// The sets are examples and found, the examples of this module and those of examples/found; race,
// the tests of Go's race detector in GOROOT/src/runtime/race/testdata that have a race; and leaks,
// the kernels of the test of Go's goroutine leak profile. What is not confirmed is listed with the
// reason. What a run without control points shows as well is counted apart. The table is in
// docs/confirm.md.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/bench/internal/programs"
)

func main() {
	set := flag.String("set", "", "only the `set` examples, found, race or leaks")
	only := flag.String("run", "", "only targets that match the `regexp`")
	budget := flag.Duration("budget", 5*time.Second, "`time` to search a target")
	sample := flag.Int("sample", 1, "confirm one of `N` findings")
	keep := flag.String("work", "", "keep programs and run files in `DIR`, and use those that it has")
	flag.Parse()
	if err := run(context.Background(), options{*set, *only, *budget, max(1, *sample), *keep}); err != nil {
		fmt.Fprintln(os.Stderr, "confirm:", err)
		os.Exit(1)
	}
}

// options are those of the command line.
type options struct {
	set     string
	targets string // regular expression
	budget  time.Duration
	sample  int
	work    string
}

func run(ctx context.Context, o options) error {
	work := o.work
	if work == "" {
		var err error
		if work, err = os.MkdirTemp("", "everyway-bench-confirm-"); err != nil {
			return err
		}
		defer os.RemoveAll(work)
	}
	everyway, err := command.Build(ctx, work)
	if err != nil {
		return err
	}
	var table bytes.Buffer
	fmt.Fprintf(&table, "| programs | findings | confirmed | | also without control points |\n|---|---|---|---|---|\n")
	for _, s := range programs.Sets() {
		if o.set != "" && s.Name != o.set {
			continue
		}
		dir, err := s.Dir(filepath.Join(work, s.Name+"-source"))
		if err != nil {
			return err
		}
		files, err := findings(ctx, everyway, dir, filepath.Join(work, s.Name), &s, o)
		if err != nil {
			return err
		}
		tried, confirmed, anyhow := 0, 0, 0
		for i, file := range files {
			if i%o.sample != 0 {
				continue
			}
			tried++
			c, err := everyway.Confirm(ctx, dir, time.Hour, "-timeout", "10s", "-attempts", "2", file)
			if err != nil {
				return err
			}
			if c.Anyhow > 0 {
				anyhow++
			}
			if c.Confirmed {
				confirmed++
				continue
			}
			why, _, _ := strings.Cut(c.Why, "\n")
			fmt.Printf("%s: %s: %s: %s\n", s.Name, filepath.Base(file), c.Kind, why)
		}
		fmt.Fprintf(&table, "| %s | %d of %d | %d | %.0f %% | %d |\n", s.Name, tried, len(files), confirmed, 100*float64(confirmed)/float64(max(1, tried)), anyhow)
		fmt.Printf("%s: %d of %d confirmed\n", s.Name, confirmed, tried)
	}
	fmt.Printf("\n%s", &table)
	return nil
}

// findings returns the run files of a set in the directory runs, and makes them if there are none.
func findings(ctx context.Context, everyway command.Everyway, dir, runs string, s *programs.Set, o options) ([]string, error) {
	if _, err := os.Stat(runs); err != nil {
		args := []string{"-budget", o.budget.String(), "-o", runs}
		if s.Stall > 0 {
			args = append(args, "-stall", s.Stall.String())
		}
		if pattern := max(s.Run, o.targets); pattern != "" {
			args = append(args, "-run", pattern)
		}
		if _, trouble, err := everyway.Test(ctx, dir, 24*time.Hour, append(args, s.Patterns...)...); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		} else if trouble != "" {
			fmt.Fprintf(os.Stderr, "%s: %s\n", s.Name, trouble)
		}
	}
	var files []string
	err := filepath.WalkDir(runs, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".run") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: no findings: %w", s.Name, err)
	}
	return files, nil
}
