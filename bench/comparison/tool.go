package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/verdict"
)

// An outcome says how a target ended.
type outcome string

const (
	passes outcome = "passes"
	fails  outcome = "fails"
	hangs  outcome = "hangs" // did not end in the time that it had
	races  outcome = "race"  // the race detector has a report
	leaks  outcome = "leak"  // goleak has a report
	slow   outcome = "slow"  // time ran out before the last of 100 runs, while none of them had hung
)

// shows reports whether a user would see that something is wrong.
func (o outcome) shows() bool {
	return o != passes && o != slow && o != outcome(verdict.Holds) && o != outcome(verdict.Open)
}

// A tool is a way to run a target.
type tool struct {
	name, title string
	applies     func(target) bool
	run         func(context.Context, *module, target) (measurement, error)
}

const (
	onceTime = 10 * time.Second // of a test that runs once
	manyTime = 30 * time.Second // of a hundred runs of it
	fuzzTime = 10 * time.Second
)

var tools = []tool{
	{"test", "`go test`", all, native(1)},
	{"test-100", "`go test -count=100`", all, native(100)},
	{"race", "`go test -race`", all, native(1, "-race")},
	{"race-100", "`go test -race -count=100`", all, native(100, "-race")},
	{"goleak", "goleak", all, checked(1)},
	{"goleak-100", "goleak, `-count=100`", all, checked(100)},
	{"fuzz", "`go test -fuzz`, 10 s", target.hasInput, fuzz},
	{"everyway", "`everyway test`", all, search()},
	{"everyway-stall", "`everyway test -stall 5ms`", all, search("-stall", "5ms")},
}

func all(target) bool { return true }

// native runs the test natively a number of times.
func native(count int, flags ...string) func(context.Context, *module, target) (measurement, error) {
	return func(ctx context.Context, m *module, t target) (measurement, error) {
		return m.runTest(ctx, m.dir, t, count, flags)
	}
}

// checked is native with goleak.
func checked(count int) func(context.Context, *module, target) (measurement, error) {
	return func(ctx context.Context, m *module, t target) (measurement, error) {
		return m.runTest(ctx, m.goleak, t, count, nil)
	}
}

func (m *module) runTest(ctx context.Context, module string, t target, count int, flags []string) (measurement, error) {
	limit := onceTime
	if count > 1 {
		limit = manyTime
	}
	return m.runBinary(ctx, filepath.Join(module, t.pkg), flags, limit,
		"-test.run=^"+t.name+"$", "-test.count="+strconv.Itoa(count), "-test.timeout="+limit.String())
}

// fuzz has go test -fuzz look for an input.
func fuzz(ctx context.Context, m *module, t target) (measurement, error) {
	cache, err := os.MkdirTemp(m.dir, "fuzz-")
	if err != nil {
		return measurement{}, err
	}
	pattern := "^" + t.name + "$"
	dir := filepath.Join(m.dir, t.pkg)
	r, err := m.runBinary(ctx, dir, []string{"-fuzz=" + pattern}, 3*fuzzTime, "-test.run=^$", "-test.fuzz="+pattern,
		"-test.fuzztime="+fuzzTime.String(), "-test.fuzzcachedir="+cache, "-test.parallel=2")
	if err != nil {
		return r, err
	}
	// The others run with the seeds of the source.
	return r, os.RemoveAll(filepath.Join(dir, "testdata"))
}

// runBinary builds the tests in a directory and runs them.
func (m *module) runBinary(ctx context.Context, dir string, flags []string, limit time.Duration, args ...string) (measurement, error) {
	file, err := m.build(ctx, dir, flags...)
	if err != nil {
		return measurement{}, err
	}
	limited, cancel := context.WithTimeout(ctx, 2*limit) // the test ends itself before that
	defer cancel()
	cmd := exec.CommandContext(limited, file, args...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	exit := (*exec.ExitError)(nil)
	switch {
	case ctx.Err() != nil:
		return measurement{}, ctx.Err()
	case err == nil:
		return measurement{Outcome: passes}, nil
	case limited.Err() != nil:
		return measurement{Outcome: hangs, Says: "ended by force"}, nil
	case errors.As(err, &exit):
		return judge(string(out), limit), nil
	}
	return measurement{}, fmt.Errorf("running the tests in %s: %w", dir, err)
}

// running matches the test that was running when time was up, and for how long.
var running = regexp.MustCompile(`(?m)^panic: test timed out after .*\n\s*running tests:\n\s*\S+ \(([0-9.]+[a-zµ0-9.]*)\)`)

// judge says how a test ended that did not pass, from what it printed.
func judge(out string, limit time.Duration) measurement {
	line := func(mark string) string {
		for l := range strings.Lines(out) {
			if strings.Contains(l, mark) {
				return strings.TrimSpace(l)
			}
		}
		return ""
	}
	switch {
	case strings.Contains(out, "WARNING: DATA RACE"):
		return measurement{races, line("WARNING: DATA RACE")}
	case running.MatchString(out):
		of, err := time.ParseDuration(running.FindStringSubmatch(out)[1])
		if err == nil && of < limit/2 {
			return measurement{slow, line("test timed out")}
		}
		return measurement{hangs, line("test timed out")}
	case strings.Contains(out, "goleak: Errors on successful test run"):
		return measurement{leaks, line(" on top of the stack")}
	}
	for _, mark := range []string{"panic: ", "fatal error: ", "_test.go:"} {
		if l := line(mark); l != "" {
			return measurement{fails, l}
		}
	}
	return measurement{fails, line("FAIL")}
}

// search has everyway search the target; the targets of a package are searched together.
func search(flags ...string) func(context.Context, *module, target) (measurement, error) {
	return func(ctx context.Context, m *module, t target) (measurement, error) {
		m.mu.Lock() // one search at a time
		defer m.mu.Unlock()
		key := strings.Join(append(flags, t.pkg), " ")
		targets, known := m.searches[key]
		if !known {
			var trouble string
			var err error
			targets, trouble, err = m.everyway.Test(ctx, m.dir, time.Hour, append(append([]string{"-corpus", "off"}, flags...), "./"+t.pkg)...)
			if err != nil {
				return measurement{}, err
			}
			if len(targets) == 0 {
				return measurement{}, fmt.Errorf("nothing was searched: %s", trouble)
			}
			m.searches[key] = targets
		}
		for _, r := range targets {
			if r.Name != t.name {
				continue
			}
			says := ""
			for _, f := range r.Findings {
				says = f.Kind + " at " + f.Pos
			}
			return measurement{outcome(r.Totals.Verdict), says}, nil
		}
		return measurement{}, errors.New("it was not searched")
	}
}
