// Predict compares the detectors of everyway race on the same schedules: one of each test of Go's race
// detector, in GOROOT/src/runtime/race/testdata, and of each target of the examples.
//
//	go run ./bench/predict                   # all
//	go run ./bench/predict -run Mutex        # some tests of the race detector
//	go run ./bench/predict -seed 1           # other interleavings
//
// A test of the race detector says in its name whether it has a race. The table has, for each detector,
// how many tests of each kind it reports, in how many examples it finds something, and how many
// different findings it has altogether. The table is in docs/schedules.md.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/bench/internal/table"
)

func main() {
	only := flag.String("run", "", "only tests of the race detector that match the `regexp`")
	seed := flag.String("seed", "0", "draw the interleavings at random, determined by `n`; 0 lets goroutines run for as long as they can")
	window := flag.String("window", "10000", "`number` of events that are looked at together")
	flag.Parse()
	if err := run(context.Background(), max(*only, "Test(No)?Race"), *seed, *window); err != nil {
		fmt.Fprintln(os.Stderr, "predict:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only, seed, window string) error {
	work, err := os.MkdirTemp("", "everyway-bench-predict-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	everyway := filepath.Join(work, "everyway")
	build := exec.CommandContext(ctx, "go", "build", "-o", everyway, "./cmd/everyway")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building everyway: %w", err)
	}
	tests := filepath.Join(work, "race")
	if err := raceTests(tests); err != nil {
		return fmt.Errorf("the tests of the race detector: %w", err)
	}
	record := exec.CommandContext(ctx, everyway, "record", "-seed", seed, "-run", only, ".")
	record.Dir = tests
	_ = record.Run() // fails if a test cannot be recorded
	names, err := filepath.Glob(filepath.Join(tests, ".everyway", "*.schedule"))
	if err != nil {
		return err
	}
	for _, dir := range []string{"addall", "addall/mended", "art", "art/mended", "bluetooth", "bluetooth/mended", "quota", "quota/mended"} {
		list := exec.CommandContext(ctx, everyway, "record", "-seed", seed, "-o", filepath.Join(work, strings.ReplaceAll(dir, "/", "-")+".example"), "./examples/"+dir)
		_ = list.Run() // fails if there are several targets
	}
	examples, err := filepath.Glob(filepath.Join(work, "*.example"))
	if err != nil {
		return err
	}
	found, err := analyse(ctx, everyway, window, append(names, examples...))
	if err != nil {
		return err
	}
	return found.print(len(examples))
}

// raceTests makes a module of the tests of the race detector.
func raceTests(dir string) error {
	files, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "src/runtime/race/testdata/*_test.go"))
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	for _, file := range files {
		switch filepath.Base(file) {
		case "main_test.go", "cgo_test.go", "synctest_test.go":
			continue // they start processes, use cgo or packages internal to GOROOT
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, call := range []string{"runtime.RaceDisable()", "runtime.RaceEnable()", "var _ LogImpl = NewLog()"} {
			text = bytes.ReplaceAll(text, []byte(call), nil)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), text, 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module race_test\n\ngo 1.26\n"), 0o666)
}

// results are what the detectors have found.
type results struct {
	detectors   []string // in the order of their first findings
	files       map[string]map[string]bool
	findings    map[string]int
	race, clean int // tests that were analysed
}

// analyse has all detectors look at schedules.
func analyse(ctx context.Context, everyway, window string, schedules []string) (*results, error) {
	cmd := exec.CommandContext(ctx, everyway, append([]string{"race", "-json", "-detector", "all", "-window", window}, schedules...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("analysing: %w", err)
	}
	r := &results{files: map[string]map[string]bool{}, findings: map[string]int{}}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var line struct{ File, Detector string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("output of everyway race: %w", err)
		}
		name := filepath.Base(line.File)
		switch {
		case line.Detector == "" && kindOf(name) == race:
			r.race++
		case line.Detector == "" && kindOf(name) == noRace:
			r.clean++
		case line.Detector != "":
			if !slices.Contains(r.detectors, line.Detector) {
				r.detectors = append(r.detectors, line.Detector)
				r.files[line.Detector] = map[string]bool{}
			}
			r.files[line.Detector][name] = true
			r.findings[line.Detector]++
		}
	}
	return r, lines.Err()
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
