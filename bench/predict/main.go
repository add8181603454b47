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
// The second table has what everyway race -confirm makes of one schedule of each of these tests and
// examples, and of each kernel of the test of Go's goroutine leak profile and each of
// examples/found: how many findings there are, how many of them a run confirms, and in how many
// schedules there is one that is confirmed. What is not confirmed is listed with the reason.
//
// Each detector looks at the schedules by itself, since together they need the memory of all, and
// what has been done is printed meanwhile to the standard error. No command takes more than
// -memory, nor longer than -limit: what a detector has not found by then is missing, and that is
// said.
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
	"github.com/everyway-go/everyway/internal/analysis/registry"
	"github.com/everyway-go/everyway/internal/goroot"
)

func main() {
	only := flag.String("run", "", "only tests of the race detector that match the `regexp`")
	seed := flag.String("seed", "0", "draw the interleavings at random, determined by `n`; 0 lets goroutines run for as long as they can")
	b := bench{begin: time.Now()}
	flag.DurationVar(&b.limit, "limit", 10*time.Minute, "end a command after this `time`")
	flag.StringVar(&b.memory, "memory", "3GiB", "end a command that needs more than this `size`")
	flag.Parse()
	table.Main(command.With(func(ctx context.Context, everyway command.Everyway, work string) error {
		b.everyway = everyway
		return b.run(ctx, work, max(*only, "Test(No)?Race"), *seed)
	}))
}

// A bench has what bounds commands.
type bench struct {
	everyway command.Everyway
	limit    time.Duration
	memory   string
	begin    time.Time
}

// note prints what has been done.
func (b *bench) note(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "predict: %v: %s\n", time.Since(b.begin).Round(time.Second), fmt.Sprintf(format, args...))
}

func (b *bench) run(ctx context.Context, work, only, seed string) error {
	tests := filepath.Join(work, "race")
	if err := goroot.RaceTests(tests); err != nil {
		return fmt.Errorf("the tests of the race detector: %w", err)
	}
	names, err := b.record(ctx, tests, "-seed", seed, "-run", only, ".")
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
		if modules[i], err = b.record(ctx, dir, "-seed", seed, "./..."); err != nil {
			return err
		}
	}
	for _, dir := range []string{"addall", "addall/mended", "art", "art/mended", "bluetooth", "bluetooth/mended", "quota", "quota/mended"} {
		file := filepath.Join(work, strings.ReplaceAll(dir, "/", "-")+".example")
		// That there are several targets is no error.
		if _, _, err := b.everyway.Record(ctx, ".", b.limit, "-seed", seed, "-o", file, "./examples/"+dir); err != nil {
			return err
		}
	}
	examples, err := filepath.Glob(filepath.Join(work, "*.example"))
	if err != nil {
		return err
	}
	found, err := b.analyse(ctx, append(names, examples...))
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
		c, err := b.confirm(ctx, s.dir, s.files)
		if err != nil {
			return err
		}
		t.Row(s.name, len(s.files), c.findings, c.confirmed, len(c.files))
		b.note("%s: %d of %d findings in %d schedules are confirmed", s.name, c.confirmed, c.findings, len(s.files))
	}
	return t.Flush()
}

// record returns the schedules of targets of a module. Those that cannot be recorded are left out.
func (b *bench) record(ctx context.Context, dir string, args ...string) (files []string, err error) {
	recordings, trouble, err := b.everyway.Record(ctx, dir, b.limit, append([]string{"-memory", b.memory}, args...)...)
	for _, r := range recordings {
		files = append(files, r.Schedule)
	}
	slices.Sort(files)
	b.note("%d schedules are recorded in %s %s", len(files), filepath.Base(dir), trouble)
	return files, err
}

// confirmations are what everyway race -confirm has found.
type confirmations struct {
	findings, confirmed int
	files               map[string]bool // with a finding that is confirmed
}

// confirm has the predictions in schedules of a module confirmed.
func (b *bench) confirm(ctx context.Context, dir string, schedules []string) (*confirmations, error) {
	found, trouble, err := b.everyway.Race(ctx, dir, b.limit, append([]string{"-q", "-memory", b.memory, "-confirm"}, schedules...)...)
	if err != nil {
		return nil, err
	}
	if trouble != "" {
		b.note("%s", trouble)
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
	detectors   []string
	files       map[string]map[string]bool
	findings    map[string]int
	race, clean int // tests
}

// analyse has all detectors look at schedules.
func (b *bench) analyse(ctx context.Context, schedules []string) (*results, error) {
	r := &results{files: map[string]map[string]bool{}, findings: map[string]int{}}
	for _, name := range schedules {
		switch kindOf(filepath.Base(name)) {
		case race:
			r.race++
		case noRace:
			r.clean++
		}
	}
	for _, d := range registry.Detectors() {
		if d.Name == "abandoned" || d.Name == "longlock" {
			continue // they are for traces of the Go runtime
		}
		found, trouble, err := b.everyway.Race(ctx, ".", b.limit, append([]string{"-q", "-memory", b.memory, "-detector", d.Name}, schedules...)...)
		if err != nil {
			return nil, err
		}
		r.detectors = append(r.detectors, d.Name)
		r.files[d.Name] = map[string]bool{}
		for _, p := range found {
			if p.Detector != "" {
				r.files[d.Name][filepath.Base(p.File)] = true
				r.findings[d.Name]++
			}
		}
		b.note("%s: %d findings in %d of %d schedules %s", d.Name, r.findings[d.Name], len(r.files[d.Name]), len(schedules), trouble)
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
