// Library searches programs that call the functions of the standard library with symbolic
// arguments, and compares what the searches find with native runs (package
// internal/oracle/library).
//
//	go run ./bench/library                                  # all, with texts of up to two bytes
//	go run ./bench/library -bytes 3 -run '^net/'            # longer texts, for some packages
//	go run ./bench/library -merge none -run strings.Index   # without merged branches
//
// For every input of a domain, exactly one path of a finished search must be that of the
// input, and the result on that path must be the native one. The table has a line for each
// package: its functions and those left out, which -omitted lists with the reasons; the
// programs, of which there is one for each form of the arguments; the searches, one for each
// combination of lengths, those that -runs has cut short, and those that were open for
// another reason; the paths; the inputs that were compared; and the programs with
// differences, which are printed. The exit code is 1 if there is one.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/oracle/library"
	"github.com/everyway-go/everyway/internal/run"
)

var (
	match   = flag.String("run", "", "check the functions that match this `regexp`, such as ^strings.Index$")
	bytes   = flag.Int("bytes", 2, "the most bytes of all texts of a program together")
	runs    = flag.Int("runs", 300, "the most runs of a search")
	inputs  = flag.Int("inputs", 1000, "the most inputs that are compared for a search")
	seed    = flag.Uint64("seed", 1, "seed of the choice of inputs, where there are more")
	merge   = flag.String("merge", "library", "whether branches are merged: library or none")
	omitted = flag.Bool("omitted", false, "list the functions that are left out")
	verbose = flag.Bool("v", false, "tell of each program, and why searches are open")
)

func main() {
	flag.Parse()
	table.Main(measure)
}

// A total is a line of the table.
type total struct {
	functions, omitted                          int
	programs, searches, unfinished, open, paths int
	inputs, different                           int
}

func (t *total) add(u *total) {
	t.functions += u.functions
	t.omitted += u.omitted
	t.programs += u.programs
	t.searches += u.searches
	t.unfinished += u.unfinished
	t.open += u.open
	t.paths += u.paths
	t.inputs += u.inputs
	t.different += u.different
}

func measure(ctx context.Context) error {
	merging, ok := map[string]run.Merging{"library": run.MergeLibrary, "none": run.MergeNone}[*merge]
	if !ok {
		return fmt.Errorf("-merge %s: want library or none", *merge)
	}
	chosen, err := regexp.Compile(*match)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	api, err := library.NewAPI()
	if err != nil {
		return err
	}
	if *omitted {
		for _, f := range slices.Sorted(maps.Keys(api.Omitted)) {
			fmt.Printf("%s: %s\n", f, api.Omitted[f])
		}
		return nil
	}
	totals := map[string]*total{}
	of := func(pkg string) *total {
		if totals[pkg] == nil {
			totals[pkg] = new(total)
		}
		return totals[pkg]
	}
	for _, f := range api.Functions {
		if !chosen.MatchString(f) {
			continue
		}
		pkg := library.PackageOf(f)
		of(pkg).functions++
		if api.Omitted[f] != "" {
			of(pkg).omitted++
		}
	}
	var programs []*library.Program
	for _, p := range api.Programs {
		if chosen.MatchString(p.Package + "." + p.Function) {
			programs = append(programs, p)
		}
	}
	if err := check(ctx, programs, merging, of); err != nil {
		return err
	}
	t := table.New(os.Stdout, "package", "functions", "left out", "programs", "searches", "cut short", "open", "paths", "inputs", "different")
	var all total
	row := func(name string, n *total) {
		t.Row(name, n.functions, n.omitted, n.programs, n.searches, n.unfinished, n.open, n.paths, n.inputs, n.different)
	}
	for _, name := range slices.Sorted(maps.Keys(totals)) {
		row(name, totals[name])
		all.add(totals[name])
	}
	row("all", &all)
	if err := t.Flush(); err != nil {
		return err
	}
	if all.different > 0 {
		return fmt.Errorf("%d programs are different", all.different)
	}
	return nil
}

// check compares programs.
func check(ctx context.Context, programs []*library.Program, merging run.Merging, of func(pkg string) *total) error {
	dir, err := os.MkdirTemp("", "everyway-library")
	if err != nil {
		return fmt.Errorf("preparing the programs: %w", err)
	}
	defer os.RemoveAll(dir)
	c, err := library.NewChecker(ctx, dir, programs, library.Options{
		Bytes: *bytes, Runs: *runs, Inputs: *inputs, Merge: merging, Seed: *seed,
	})
	if err != nil {
		return err
	}
	for i, p := range programs {
		start := time.Now()
		r, err := c.Check(ctx, i)
		if err != nil {
			return errors.Join(err, c.Close())
		}
		n := &total{programs: 1, searches: r.Searches, unfinished: r.Unfinished, paths: r.Paths, inputs: r.Inputs}
		for _, searches := range r.Open {
			n.open += searches
		}
		if len(r.Differences) > 0 {
			n.different = 1
			fmt.Printf("%s:\n\t%s\n", p, strings.Join(r.Differences, "\n\t"))
		}
		of(p.Package).add(n)
		if *verbose {
			fmt.Printf("%v %s: %d searches, %d cut short, %d paths, %d inputs\n",
				time.Since(start).Round(time.Millisecond), p, r.Searches, r.Unfinished, r.Paths, r.Inputs)
			for _, why := range slices.Sorted(maps.Keys(r.Open)) {
				fmt.Printf("\topen %d times: %s\n", r.Open[why], why)
			}
		}
	}
	return c.Close()
}
