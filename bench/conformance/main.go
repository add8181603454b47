// Conformance runs the programs of GOROOT/test natively and in the machine, compares
// what they print and how they end, and writes docs/conformance.md.
//
//	go run ./bench/conformance [-run regexp] [-results file] [-o file]
//
// Which programs are in scope is decided in scope.go, from what they import and name.
// What a program has to stand in the machine is in trial.go.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// batch is how many programs are loaded together: it bounds memory.
const batch = 60

// options are what the command line says.
type options struct {
	run      string
	results  string
	again    bool
	page     string
	parallel int
	trial
}

func main() {
	var o options
	flag.StringVar(&o.run, "run", "", "only run programs whose name (as ken/string) matches this `regexp`, and print the result")
	flag.StringVar(&o.results, "results", "", "a `file` to which results are written as they come, and from which those of a run that was broken off are taken")
	flag.BoolVar(&o.again, "again", false, "take from the results how programs end natively, but run all of them in the machine")
	flag.StringVar(&o.page, "o", "docs/conformance.md", "the `file` to write, without -run")
	flag.IntVar(&o.parallel, "parallel", runtime.GOMAXPROCS(0), "run `n` programs at once")
	flag.Uint64Var(&o.instructions, "instructions", 1<<36, "stop a program in the machine after `n` instructions")
	flag.DurationVar(&o.time, "time", 15*time.Minute, "stop a program in the machine, with all its runs, after this `duration`")
	flag.IntVar(&o.cuts, "cuts", 2, "how many times a run is broken off at a random place, undone and made again")
	flag.IntVar(&o.schedules, "schedules", 200, "under how many random schedules to run programs with go statements")
	flag.Parse()
	if err := measure(context.Background(), &o); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, o *options) error {
	match, err := regexp.Compile(o.run)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	c, err := survey(filepath.Join(runtime.GOROOT(), "test"))
	if err != nil {
		return err
	}
	c.programs = slices.DeleteFunc(c.programs, func(p *program) bool { return !match.MatchString(p.name) })
	results, err := openResults(o.results)
	if err != nil {
		return err
	}
	defer results.Close()
	todo := slices.DeleteFunc(slices.Clone(c.programs), func(p *program) bool {
		return p.out != "" || !o.again && results.of(p).Machine != nil
	})
	if err = runAll(ctx, o, todo, results, os.Stdout); err != nil || o.run != "" {
		return err
	}
	f, err := os.Create(o.page)
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	writePage(f, o, c, results)
	return f.Close()
}

// runAll runs programs natively and in the machine. It tells w of those that differ.
func runAll(ctx context.Context, o *options, programs []*program, results *results, w io.Writer) error {
	ws, err := newWorkspace(programs)
	defer os.RemoveAll(string(ws))
	if err != nil {
		return err
	}
	for some := range slices.Chunk(programs, batch) {
		if err := ws.native(ctx, o.parallel, some, results); err != nil {
			return err
		}
		l, err := ws.load(ctx, some)
		if err != nil {
			return err
		}
		err = each(ctx, o.parallel, some, func(p *program) error {
			r := results.of(p)
			if r.Native.Code == none {
				return nil // out of scope
			}
			r.Machine = new(o.trial.of(ctx, l, p, *r.Native))
			if why := r.Machine.why(); why != "" {
				fmt.Fprintf(w, "%s: %s\n", p.name, why)
			}
			return results.set(p, r)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// native sees to it that there are results of how the programs end natively.
func (w workspace) native(ctx context.Context, parallel int, programs []*program, results *results) error {
	programs = slices.DeleteFunc(slices.Clone(programs), func(p *program) bool { return results.of(p).Native != nil })
	if len(programs) == 0 {
		return nil
	}
	if err := w.build(ctx, programs); err != nil {
		return err
	}
	return each(ctx, parallel, programs, func(p *program) error {
		r := results.of(p)
		r.Native = new(w.runNative(ctx, p))
		os.Remove(w.binary(p))
		return results.set(p, r)
	})
}

// each calls do for every program, for so many at once, until one fails or ctx is done.
func each(ctx context.Context, parallel int, programs []*program, do func(*program) error) error {
	g, going := errgroup.WithContext(ctx)
	g.SetLimit(parallel)
	for _, p := range programs {
		if going.Err() != nil {
			break
		}
		g.Go(func() error { return do(p) })
	}
	return cmp.Or(g.Wait(), ctx.Err())
}
