// Races looks for the races in the tests of Go's race detector, in GOROOT/src/runtime/race/testdata, which say in their
// names whether they have one.
//
//	go run ./bench/races                    # all, the tables of docs/truth.md
//	go run ./bench/races -run Mutex         # some tests
//	go run ./bench/races -native=false      # without the race detector
//	go run ./bench/races -clock world       # with budgets of time on the clock, not of processor time
//
// Each test that needs no cgo is a target of a search. The first table has, for the default search
// and for each strategy of -strategies, in how many of the tests with a race that is what was
// found, with the runs and the time of all, and the verdicts on those without one. A send beside
// the close of its channel may be found as a panic. The second table has what other ways find in
// the tests with a race: the detectors of everyway race in the schedule of one run, and go test
// -race in one run and in 100. A strategy that is not exhaustive goes on as long as it may, and so
// has a shorter time, -sampling, for each test; what it misses is listed, and is no error. The race
// detector needs cgo: without a C compiler its rows are missing. What a search has not found, and
// which verdicts are open, is listed with the reason; the exit code is 1 if a race is missed, or
// one is found where there is none.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/goroot"
	"github.com/everyway-go/everyway/internal/strategy/registry"
	"github.com/everyway-go/everyway/internal/verdict"
)

// options are those of the command line.
type options struct {
	match      string // regular expression of tests
	budget     time.Duration
	sampling   time.Duration
	workers    string
	clock      string
	strategies []string
	native     bool
}

func main() {
	var o options
	flag.StringVar(&o.match, "run", "Test(No)?Race", "only tests that match the `regexp`")
	flag.DurationVar(&o.budget, "budget", time.Minute, "`time` to search a test")
	flag.DurationVar(&o.sampling, "sampling", time.Second, "`time` to search a test with one of -strategies that is not exhaustive")
	flag.StringVar(&o.workers, "workers", "1", "`number` of runs made at the same time")
	flag.StringVar(&o.clock, "clock", "processor", "what measures the budget: world or, so that other work on the computer does not count, processor")
	strategies := flag.String("strategies", "", "comma-separated `names` of more strategies")
	flag.BoolVar(&o.native, "native", true, "compare with go test -race")
	flag.Parse()
	o.strategies = []string{""}
	if *strategies != "" {
		o.strategies = append(o.strategies, strings.Split(*strategies, ",")...)
	}
	table.Main(command.With(o.run))
}

func (o *options) run(ctx context.Context, everyway command.Everyway, work string) error {
	dir := filepath.Join(work, "race")
	if err := goroot.RaceTests(dir); err != nil {
		return fmt.Errorf("the tests of the race detector: %w", err)
	}
	t := table.New(os.Stdout, "search", "Race", "found", "runs", "time", "NoRace", "hold", "open", "another finding", "race", "skip themselves")
	wrong := 0
	racy := map[string]bool{}
	var notes bytes.Buffer
	for _, strategy := range o.strategies {
		targets, err := o.search(ctx, everyway, dir, strategy)
		if err != nil {
			return err
		}
		for i := range targets {
			if t := &targets[i]; isRace(t.Name) && t.Totals.Verdict != verdict.Skipped {
				racy[t.Name] = true
			}
		}
		s := judge(targets)
		wrong += s.wrong
		if exhaustive(strategy) {
			wrong += s.races - s.found
		}
		t.Row(max(strategy, "default"), s.races, s.found, s.runs, table.Short(s.time), s.clean, s.hold, s.open, s.other, s.wrong, s.skipped)
		for _, note := range s.notes {
			fmt.Fprintf(&notes, "%s: %s\n", max(strategy, "default"), note)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Printf("\n%s\n", &notes)
	if len(racy) == 0 { // -run has left tests without a race only
		return wrongs(wrong)
	}
	if err := o.compare(ctx, everyway, dir, racy); err != nil {
		return err
	}
	return wrongs(wrong)
}

func wrongs(n int) error {
	if n > 0 {
		return fmt.Errorf("%d wrong", n)
	}
	return nil
}

// search searches the tests. Without a strategy it is a search with default flags.
func (o *options) search(ctx context.Context, everyway command.Everyway, dir, strategy string) ([]command.Target, error) {
	budget := o.budget
	if !exhaustive(strategy) {
		budget = o.sampling
	}
	args := []string{"-count=1", "-budget", budget.String(), "-clock", o.clock, "-workers", o.workers, "-run", o.match}
	if strategy != "" {
		args = append(args, "-strategy", strategy)
	}
	targets, trouble, err := everyway.Test(ctx, dir, 24*time.Hour, append(args, ".")...)
	if err == nil && len(targets) == 0 {
		err = errors.New("nothing was searched: " + trouble)
	}
	return targets, err
}

// exhaustive reports whether a strategy finds what there is, if it is given the time. "" is the default.
func exhaustive(strategy string) bool {
	for _, info := range registry.Strategies() {
		if info.Name == strategy {
			return info.Exhaustive
		}
	}
	return true
}

func isRace(test string) bool { return strings.HasPrefix(test, "TestRace") }

// A summary is what searches have found.
type summary struct {
	races, found                    int // tests with a race
	clean, hold, open, other, wrong int // tests without one
	skipped                         int
	runs                            int // of the searches of tests with a race
	time                            time.Duration
	notes                           []string // on tests that are not as they should be
}

// judge compares what was found with what the tests say.
func judge(targets []command.Target) (s summary) {
	note := func(t *command.Target, format string, args ...any) {
		s.notes = append(s.notes, t.Name+": "+fmt.Sprintf(format, args...))
	}
	for i := range targets {
		t := &targets[i]
		var other []string
		found := false
		for _, f := range t.Findings {
			if f.Kind == string(check.Race) || f.Kind == string(check.Panic) && f.Message == "panic: send on closed channel" {
				found = true
			} else {
				other = append(other, f.Kind+" at "+f.Pos)
			}
		}
		switch {
		case t.Totals.Verdict == verdict.Skipped:
			s.skipped++
			note(t, "the test skips itself")
		case isRace(t.Name):
			s.races++
			s.runs += t.Totals.Runs
			s.time += time.Duration(t.Seconds * float64(time.Second))
			if found {
				s.found++
			} else {
				note(t, "no race: %s %s", t.Totals.Verdict, strings.Join(append(other, t.Totals.Open...), "; "))
			}
		default:
			s.clean++
			switch {
			case found:
				s.wrong++
				note(t, "a race where there is none, at %s", t.Findings[0].Pos)
			case len(other) > 0:
				s.other++
				note(t, "no race, but %s", strings.Join(other, "; "))
			case t.Totals.Verdict == verdict.Open:
				s.open++
				note(t, "open: %s", strings.Join(t.Totals.Open, "; "))
			default:
				s.hold++
			}
		}
	}
	return s
}

// compare prints what others find in the tests with a race.
func (o *options) compare(ctx context.Context, everyway command.Everyway, dir string, racy map[string]bool) error {
	t := table.New(os.Stdout, "way", "tests with a race", "found", "time")
	row := func(name string, found map[string]bool, begin time.Time) {
		t.Row(name, len(racy), len(found), time.Since(begin).Round(100*time.Millisecond))
	}
	tests := slices.Sorted(maps.Keys(racy))
	begin := time.Now()
	predicted, err := o.predict(ctx, everyway, dir, racy)
	if err != nil {
		return err
	}
	row("one schedule, everyway race", predicted, begin)
	if !o.native {
		return t.Flush()
	}
	binary := filepath.Join(filepath.Dir(dir), "race.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-race", "-vet=off", "-o", binary, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "races: without the race detector: %v\n%s", err, out)
		return t.Flush()
	}
	begin = time.Now()
	once := map[string]bool{}
	for _, test := range tests {
		if detect(ctx, dir, binary, test, "1") {
			once[test] = true
		}
	}
	row("go test -race, one run", once, begin)
	begin = time.Now()
	often := maps.Clone(once) // what one run shows, 100 do
	for _, test := range tests {
		if !once[test] && detect(ctx, dir, binary, test, "100") {
			often[test] = true
		}
	}
	row("go test -race, 100 runs", often, begin)
	if err := t.Flush(); err != nil {
		return err
	}
	for _, way := range []struct {
		name  string
		found map[string]bool
	}{{"everyway race", predicted}, {"go test -race, one run", once}, {"go test -race, 100 runs", often}} {
		for _, test := range tests {
			if !way.found[test] {
				fmt.Printf("%s: %s: not found\n", way.name, test)
			}
		}
	}
	return ctx.Err()
}

// predict returns the tests in whose schedules the default detectors find something.
func (o *options) predict(ctx context.Context, everyway command.Everyway, dir string, racy map[string]bool) (map[string]bool, error) {
	recorded, trouble, err := everyway.Record(ctx, dir, time.Hour, "-run", o.match, ".")
	if err != nil {
		return nil, err
	}
	if len(recorded) == 0 {
		return nil, errors.New("nothing was recorded: " + trouble)
	}
	var files []string
	tests := map[string]string{}
	for _, r := range recorded {
		if racy[r.Name] {
			files = append(files, r.Schedule)
			tests[r.Schedule] = r.Name
		}
	}
	predictions, trouble, err := everyway.Race(ctx, dir, time.Hour, append([]string{"-q"}, files...)...)
	if err == nil && trouble != "" {
		err = errors.New(trouble)
	}
	found := map[string]bool{}
	for _, p := range predictions {
		found[tests[p.File]] = true
	}
	return found, err
}

// raceOutput is what the race detector prints, or the runtime if it has come first.
var raceOutput = regexp.MustCompile(`WARNING: DATA RACE|fatal error: concurrent map`)

// detect reports whether the race detector finds a race in some runs of a test.
func detect(ctx context.Context, dir, binary, test, runs string) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "-test.run=^"+test+"$", "-test.count="+runs)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	out, _ := cmd.CombinedOutput() // fails if there is a race
	return raceOutput.Match(out)
}
