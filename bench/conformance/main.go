// Conformance runs the programs of GOROOT/test natively and in the machine, compares
// what they print and how they end, and writes docs/conformance.md.
//
//	go run ./bench/conformance [-run regexp] [-results file] [-o file]
//
// Which programs are in scope is decided in scope.go, from what they import and name.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
)

// batch is how many programs are loaded together: it bounds memory.
const batch = 60

func main() {
	pattern := flag.String("run", "", "only run programs whose name (as ken/string) matches this `regexp`, and print the result")
	done := flag.String("results", "", "a `file` to which results are written as they come, and from which those of a run that was broken off are taken")
	page := flag.String("o", "docs/conformance.md", "the `file` to write, without -run")
	flag.Parse()
	if err := run(context.Background(), *pattern, *done, *page); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, pattern, done, page string) error {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	c, err := survey(filepath.Join(runtime.GOROOT(), "test"))
	if err != nil {
		return err
	}
	c.programs = slices.DeleteFunc(c.programs, func(p *program) bool { return !match.MatchString(p.name) })
	results, err := openResults(done)
	if err != nil {
		return err
	}
	defer results.close()
	err = runAll(ctx, slices.DeleteFunc(slices.Clone(c.programs), func(p *program) bool {
		return p.out != "" || results.has(p)
	}), results, os.Stdout)
	if err != nil || pattern != "" {
		return err
	}
	f, err := os.Create(page)
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	writePage(f, runtime.Version(), c, results.byName)
	return f.Close()
}

// runAll runs programs natively and in the machine. It tells w of those that differ.
func runAll(ctx context.Context, programs []*program, results *results, w io.Writer) error {
	ws, err := newWorkspace(programs)
	defer os.RemoveAll(string(ws))
	if err != nil {
		return err
	}
	for some := range slices.Chunk(programs, batch) {
		if err := ws.build(ctx, some); err != nil {
			return err
		}
		l, err := ws.load(ctx, some)
		if err != nil {
			return err
		}
		for _, p := range some {
			native := ws.runNative(ctx, p)
			os.Remove(ws.binary(p))
			r := result{Name: p.name}
			if !native.ok {
				r.Fails = line(native.how + " " + native.output)
			} else if r.Differs = compare(l.run(ctx, p), native); r.Differs != "" {
				fmt.Fprintf(w, "%s: %s\n", p.name, r.Differs)
			}
			if err := results.add(r); err != nil {
				return err
			}
		}
	}
	return nil
}
