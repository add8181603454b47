// Predict compares the detectors of everyway race on the same schedules: one of each test of Go's race
// detector, in GOROOT/src/runtime/race/testdata, and of each target of the examples.
//
//	go run ./bench/predict                   # all
//	go run ./bench/predict -run Mutex        # some tests of the race detector
//	go run ./bench/predict -seed 1           # other interleavings
//
// A test of the race detector says in its name whether it has a race. The first table has, for each detector,
// how many tests of each kind it reports, in how many examples it finds something, and how many
// different findings it has altogether. It is in docs/schedules.md.
//
// The second table has what everyway race -confirm makes of one schedule of each of these tests and examples, and of
// each kernel of the test of Go's goroutine leak profile and each of examples/found: how many findings there are, how many of
// them a run confirms, and in how many schedules there is one that is confirmed. What is not
// confirmed is listed with the reason.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/goroot"
)

func main() {
	only := flag.String("run", "", "only tests of the race detector that match the `regexp`")
	seed := flag.String("seed", "0", "draw the interleavings at random, determined by `n`; 0 lets goroutines run for as long as they can")
	flag.Parse()
	table.Main(command.With(func(ctx context.Context, everyway command.Everyway, work string) error {
		return run(ctx, everyway, work, max(*only, "Test(No)?Race"), *seed)
	}))
}

func run(ctx context.Context, everyway command.Everyway, work, only, seed string) error {
	tests := filepath.Join(work, "race")
	if err := goroot.RaceTests(tests); err != nil {
		return fmt.Errorf("the tests of the race detector: %w", err)
	}
	names, err := record(ctx, everyway, tests, "-seed", seed, "-run", only, ".")
	if err != nil {
		return err
	}
	kernels := filepath.Join(work, "leaks")
	if err := goroot.LeakTests(kernels); err != nil {
		return fmt.Errorf("the kernels of the leak profile: %w", err)
	}
	bugs := filepath.Join(work, "found")
	if err := os.CopyFS(bugs, os.DirFS("examples/found")); err != nil {
		return fmt.Errorf("the bugs in modules: %w", err)
	}
	var modules [2][]string
	for i, dir := range []string{kernels, bugs} {
		if modules[i], err = record(ctx, everyway, dir, "-seed", seed, "./..."); err != nil {
			return err
		}
	}
	for _, dir := range []string{"addall", "addall/mended", "art", "art/mended", "bluetooth", "bluetooth/mended", "quota", "quota/mended"} {
		file := filepath.Join(work, strings.ReplaceAll(dir, "/", "-")+".example")
		// That there are several targets is no error.
		if _, _, err := everyway.Record(ctx, ".", limit, "-seed", seed, "-o", file, "./examples/"+dir); err != nil {
			return err
		}
	}
	examples, err := filepath.Glob(filepath.Join(work, "*.example"))
	if err != nil {
		return err
	}
	found, err := analyse(ctx, everyway, append(names, examples...))
	if err != nil {
		return err
	}
	if err := found.print(len(examples)); err != nil {
		return err
	}
	var sets [3][]string
	for _, name := range names {
		sets[kindOf(filepath.Base(name))] = append(sets[kindOf(filepath.Base(name))], name)
	}
	fmt.Println()
	t := table.New(os.Stdout, "one schedule of each", "schedules", "findings", "confirmed", "schedules with one that is confirmed")
	for _, s := range []struct {
		name, dir string
		files     []string
	}{
		{"test with a race", tests, sets[race]},
		{"test without", tests, sets[noRace]},
		{"leak kernel", kernels, modules[0]},
		{"bug found in a module", bugs, modules[1]},
		{"example", ".", examples},
	} {
		c, err := confirm(ctx, everyway, s.dir, s.files)
		if err != nil {
			return err
		}
		t.Row(s.name, len(s.files), c.findings, c.confirmed, len(c.files))
	}
	return t.Flush()
}

// limit is the time for a command, which is not expected to take as long.
const limit = 24 * time.Hour

// record returns the schedules of targets of a module. Those that cannot be recorded are left out.
func record(ctx context.Context, everyway command.Everyway, dir string, args ...string) (files []string, err error) {
	recordings, _, err := everyway.Record(ctx, dir, limit, args...)
	for _, r := range recordings {
		files = append(files, r.Schedule)
	}
	slices.Sort(files)
	return files, err
}

// confirmations are what everyway race -confirm has found.
type confirmations struct {
	findings, confirmed int
	files               map[string]bool // with a finding that is confirmed
}

// confirm has the predictions in schedules of a module confirmed.
func confirm(ctx context.Context, everyway command.Everyway, dir string, schedules []string) (*confirmations, error) {
	found, _, err := everyway.Race(ctx, dir, limit, append([]string{"-q", "-confirm"}, schedules...)...)
	if err != nil {
		return nil, err
	}
	c := &confirmations{files: map[string]bool{}}
	for _, p := range found {
		c.findings++
		if p.Run != "" {
			c.confirmed++
			c.files[p.File] = true
			continue
		}
		fmt.Printf("%s: %s by %s: %s\n", filepath.Base(p.File), p.Kind, p.Detector, p.Unconfirmed)
	}
	return c, nil
}

// results are what the detectors have found.
type results struct {
	detectors   []string // in the order of their first findings
	files       map[string]map[string]bool
	findings    map[string]int
	race, clean int // tests that were analysed
}

// analyse has all detectors look at schedules.
func analyse(ctx context.Context, everyway command.Everyway, schedules []string) (*results, error) {
	found, _, err := everyway.Race(ctx, ".", limit, append([]string{"-detector", "all"}, schedules...)...)
	if err != nil {
		return nil, err
	}
	r := &results{files: map[string]map[string]bool{}, findings: map[string]int{}}
	for _, p := range found {
		name := filepath.Base(p.File)
		switch {
		case p.Detector == "" && kindOf(name) == race:
			r.race++
		case p.Detector == "" && kindOf(name) == noRace:
			r.clean++
		case p.Detector != "":
			if !slices.Contains(r.detectors, p.Detector) {
				r.detectors = append(r.detectors, p.Detector)
				r.files[p.Detector] = map[string]bool{}
			}
			r.files[p.Detector][name] = true
			r.findings[p.Detector]++
		}
	}
	return r, nil
}

// A kind says what a schedule is of.
type kind int

const (
	race kind = iota
	noRace
	example
)

// kindOf returns what the schedule of the given file is of.
func kindOf(name string) kind {
	switch {
	case strings.HasSuffix(name, ".example"):
		return example
	case strings.Contains(name, ".TestNoRace"):
		return noRace
	}
	return race
}

func (r *results) print(examples int) error {
	t := table.New(os.Stdout, "detector", fmt.Sprintf("of %d Race", r.race), fmt.Sprintf("of %d NoRace", r.clean), fmt.Sprintf("of %d examples", examples), "findings")
	slices.SortStableFunc(r.detectors, func(a, b string) int { return r.findings[a] - r.findings[b] })
	for _, d := range r.detectors {
		var counts [3]int
		for name := range r.files[d] {
			counts[kindOf(name)]++
		}
		t.Row(d, counts[race], counts[noRace], counts[example], r.findings[d])
	}
	return t.Flush()
}
