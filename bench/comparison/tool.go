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
	leaks  outcome = "leak"  // goleak or synctest says that a goroutine remains
	slow   outcome = "slow"  // time ran out before the last of 100 runs, while none of them had hung
	unfit  outcome = "unfit" // the test cannot run in a bubble, since it uses what was made outside
)

// shows reports whether a user would see that something is wrong.
func (o outcome) shows() bool {
	return o != passes && o != slow && o != unfit && o != outcome(verdict.Holds) && o != outcome(verdict.Open)
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
	fuzzTime = 10 * time.Minute // at most, since the executions are counted
)

var tools = []tool{
	{"test", "`go test`", hasChecks, native("", 1)},
	{"test-100", "`go test -count=100`", hasChecks, native("", 100)},
	{"race", "`go test -race`", hasChecks, native("", 1, "-race")},
	{"race-100", "`go test -race -count=100`", hasChecks, native("", 100, "-race")},
	{"goleak", "goleak", all, native("goleak", 1)},
	{"goleak-100", "goleak, `-count=100`", all, native("goleak", 100)},
	{"synctest", "synctest", all, native("synctest", 1)},
	{"synctest-100", "synctest, `-count=100`", all, native("synctest", 100)},
	{"fuzz", "`go test -fuzz`, 100,000 executions", target.hasInput, fuzz(100_000)},
	{"fuzz-million", "`go test -fuzz`, 1,000,000 executions", target.hasInput, fuzz(1_000_000)},
	{"rapid", "rapid, 100 checks", target.hasInput, property(100)},
	{"rapid-100000", "rapid, 100,000 checks", target.hasInput, property(100_000)},
	{"porcupine", "porcupine, 100 histories", target.hasHistory, checkHistories(1)},
	{"porcupine-100", "porcupine, 10,000 histories", target.hasHistory, checkHistories(100)},
	{"everyway", "`everyway test`", all, search()},
	{"everyway-stall", "`everyway test -stall 5ms`", all, search("-stall", "5ms")},
}

func all(target) bool { return true }

// hasChecks reports whether the test of a target looks at what it is about: that of a leak kernel
// passes whatever remains.
func hasChecks(t target) bool { return t.set != kernels }

// native runs the test natively a number of times, as an adapter has changed it, if one is named.
func native(adapter string, count int, flags ...string) func(context.Context, *module, target) (measurement, error) {
	return func(ctx context.Context, m *module, t target) (measurement, error) {
		return m.runTest(ctx, m.directory(adapter), t, count, flags)
	}
}

// directory returns the copy of the module that an adapter has changed, or the one that none has.
func (m *module) directory(adapter string) string {
	if adapter == "" {
		return m.dir
	}
	return m.adapted[adapter]
}

func (m *module) runTest(ctx context.Context, module string, t target, count int, flags []string) (measurement, error) {
	limit := onceTime
	if count > 1 {
		limit = manyTime
	}
	return m.runBinary(ctx, filepath.Join(module, t.pkg), flags, limit,
		"-test.run=^"+t.name+"$", "-test.count="+strconv.Itoa(count), "-test.timeout="+limit.String())
}

// fuzz has go test -fuzz look for an input in a number of executions.
func fuzz(executions int) func(context.Context, *module, target) (measurement, error) {
	return func(ctx context.Context, m *module, t target) (measurement, error) {
		cache, err := os.MkdirTemp(m.dir, "fuzz-")
		if err != nil {
			return measurement{}, err
		}
		pattern := "^" + t.name + "$"
		dir := filepath.Join(m.dir, t.pkg)
		r, err := m.runBinary(ctx, dir, []string{"-fuzz=" + pattern}, fuzzTime, "-test.run=^$", "-test.fuzz="+pattern,
			"-test.fuzztime="+strconv.Itoa(executions)+"x", "-test.fuzzcachedir="+cache, "-test.parallel=2")
		if err != nil {
			return r, err
		}
		// The others run with the seeds of the source.
		return r, os.RemoveAll(filepath.Join(dir, "testdata"))
	}
}

// property has rapid check the property that was a fuzz target.
func property(checks int) func(context.Context, *module, target) (measurement, error) {
	return func(ctx context.Context, m *module, t target) (measurement, error) {
		return m.runBinary(ctx, filepath.Join(m.adapted["rapid"], t.pkg), nil, fuzzTime, "-test.run=^"+t.asTest()+"$",
			"-rapid.checks="+strconv.Itoa(checks), "-rapid.nofailfile", "-test.timeout="+fuzzTime.String())
	}
}

// checkHistories has porcupine check the histories that the test in the place of a target makes a number of times.
func checkHistories(count int) func(context.Context, *module, target) (measurement, error) {
	return func(ctx context.Context, m *module, t target) (measurement, error) {
		r, err := m.runTest(ctx, m.adapted["porcupine"], target{t.pkg, t.asTest(), t.set}, count, nil)
		if err == nil && strings.Contains(r.Says, "the model is wrong") { // history.Wrong
			err = errors.New(r.Says)
		}
		return r, err
	}
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

// outside matches what the runtime says of a test in a bubble that uses what does not belong to it.
var outside = regexp.MustCompile(`(?m)^(panic|fatal error): .*(outside (synctest )?bubble|multiple synctest bubbles|within a synctest bubble)`)

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
	case strings.Contains(out, "panic: test timed out after "): // of a bubble, which has another time
		return measurement{hangs, line("test timed out")}
	case strings.Contains(out, "goleak: Errors on successful test run"):
		return measurement{leaks, line(" on top of the stack")}
	case strings.Contains(out, "main bubble goroutine has exited but blocked goroutines remain"):
		return measurement{leaks, line("main bubble goroutine has exited")}
	case outside.MatchString(out):
		return measurement{unfit, outside.FindString(out)}
	}
	for _, mark := range []string{"panic: ", "fatal error: ", "_test.go:", "history.go:"} {
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
