// Conformance runs the programs of GOROOT/test natively and in the machine, compares
// what they print and how they end, and writes docs/conformance.md.
//
//	go run ./bench/conformance [-run regexp] [-o file]
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
	page := flag.String("o", "docs/conformance.md", "the `file` to write, without -run")
	flag.Parse()
	if err := run(context.Background(), *pattern, *page); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, pattern, page string) error {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	c, err := survey(filepath.Join(runtime.GOROOT(), "test"))
	if err != nil {
		return err
	}
	c.programs = slices.DeleteFunc(c.programs, func(p *program) bool { return !match.MatchString(p.name) })
	results, err := runAll(ctx, c.programs, os.Stdout)
	if err != nil || pattern != "" {
		return err
	}
	f, err := os.Create(page)
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	writePage(f, runtime.Version(), c, results)
	return f.Close()
}

// runAll runs programs natively and in the machine. It tells w of those in scope that
// differ.
func runAll(ctx context.Context, programs []*program, w io.Writer) ([]result, error) {
	ws, err := newWorkspace(programs)
	defer os.RemoveAll(string(ws))
	if err != nil {
		return nil, err
	}
	var results []result
	for some := range slices.Chunk(programs, batch) {
		if err := ws.build(ctx, some); err != nil {
			return nil, err
		}
		l, err := ws.load(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, p := range some {
			native := ws.runNative(ctx, p)
			os.Remove(ws.binary(p))
			if !native.ok && p.out == "" {
				p.out = "fails natively, as one package of a module run without privileges"
			}
			r := result{program: p, differs: compare(l.run(ctx, p), native)}
			if r.differs != "" && p.out == "" {
				fmt.Fprintf(w, "%s: %s\n", r.name, r.differs)
			}
			results = append(results, r)
		}
	}
	return results, nil
}
