package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/verdict"
)

// parserPackage has the fuzz targets of the table, from the module's root.
const parserPackage = "./bench/solve/testdata/parsers"

// parsers prints a line for each fuzz target over a parser: how long everyway
// takes until it finds the planted condition, and how long go test -fuzz does. Both
// have the same budget and as many workers as there are cores. The corpora are empty
// but for the seeds, and what it takes to load and to build is not counted.
func (l *logs) parsers(ctx context.Context, out io.Writer) error {
	dir, err := os.MkdirTemp("", "parsers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fuzz, err := buildFuzzer(ctx, dir)
	if err != nil {
		return err
	}
	prog, err := program.Load(ctx, ".", []string{parserPackage}, nil, true)
	if err != nil {
		return err
	}
	targets, err := prog.Select(program.Selection{})
	if err != nil {
		return err
	}
	t := table.New(out, "planted condition", "runs", "everyway", "go test -fuzz", "ratio")
	found, fuzzed, faster := 0, 0, 0
	for i := range targets {
		r, err := find(ctx, prog, &targets[i], dir, search.Config{Budget: l.budget})
		if err != nil {
			return err
		}
		took, hit, err := fuzz.find(ctx, targets[i].Name, l.budget)
		if err != nil {
			return err
		}
		own, other, ratio := "-", "-", ""
		if r.Verdict == verdict.Fails {
			found++
			own = table.Short(r.Elapsed)
			ratio = fmt.Sprintf("%.1fx", float64(took)/float64(r.Elapsed))
			if !hit {
				ratio = ">" + ratio
			}
			if took > r.Elapsed {
				faster++
			}
		}
		if hit {
			fuzzed++
			other = table.Short(took)
		}
		t.Row(targets[i].Name, r.Runs, own, other, ratio)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "of %d conditions everyway finds %d within %v, go test -fuzz %d; everyway is first at %d\n", len(targets), found, l.budget, fuzzed, faster)
	return nil
}

// find searches one target. Its files are below dir.
func find(ctx context.Context, prog *program.Program, target *load.Target, dir string, cfg search.Config) (*verdict.Result, error) {
	cfg.OutDir, cfg.NoCorpus = filepath.Join(dir, "runs"), true
	r, err := search.Target(ctx, prog, target, cfg, verdict.Quiet{})
	if err != nil {
		return nil, fmt.Errorf("searching %s: %w", target.Name, err)
	}
	return r, nil
}

// A fuzzer is a test binary built for go test -fuzz.
type fuzzer struct {
	binary string
	dir    string // which it runs in, with a corpus that is made anew for each target
}

// buildFuzzer builds the fuzz targets of the table in dir, away from their
// sources: a fuzzer writes what it finds beside them.
func buildFuzzer(ctx context.Context, dir string) (*fuzzer, error) {
	f := &fuzzer{binary: filepath.Join(dir, "parsers.test"), dir: filepath.Join(dir, "fuzz")}
	build := exec.CommandContext(ctx, "go", "test", "-c", "-fuzz=.", "-o", f.binary, parserPackage)
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building %s: %w\n%s", parserPackage, err, text)
	}
	return f, nil
}

// find fuzzes one target. It returns how long that took and whether the target failed.
func (f *fuzzer) find(ctx context.Context, target string, budget time.Duration) (time.Duration, bool, error) {
	if err := errors.Join(os.RemoveAll(f.dir), os.Mkdir(f.dir, 0o777)); err != nil {
		return 0, false, err
	}
	run := exec.CommandContext(ctx, f.binary, "-test.run=^$", "-test.fuzz=^"+target+"$", "-test.fuzztime="+budget.String(), "-test.fuzzcachedir="+filepath.Join(f.dir, "cache"))
	run.Dir = f.dir
	start := time.Now()
	text, err := run.CombinedOutput()
	took := time.Since(start)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		crashers, err := filepath.Glob(filepath.Join(f.dir, "testdata", "fuzz", target, "*"))
		if err == nil && len(crashers) == 0 && bytes.Contains(text, []byte("context deadline exceeded")) {
			return took, false, nil // the time ran out while an input was tried
		}
		if err != nil || len(crashers) == 0 {
			return took, false, fmt.Errorf("fuzzing %s: %w\n%s", target, errors.Join(exit, err), text)
		}
		return took, true, nil
	}
	return took, false, err
}
