package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/verdict"
)

// interrupter is an Observer that ends a search some time after its start.
type interrupter struct {
	verdict.Quiet
	after  time.Duration
	cancel context.CancelFunc
}

func (i *interrupter) Started(pkg, target string) { time.AfterFunc(i.after, i.cancel) }

// TestInterrupted interrupts a search again and again, at random moments, and resumes it
// each time: it ends as one that was not interrupted.
func TestInterrupted(t *testing.T) {
	for _, name := range sample.From([]string{"small", "large", "late"}, 3, 2) {
		t.Run(name, func(t *testing.T) {
			divideTarget(t, name) // loads it before the clock of the bubble goes
			synctest.Test(t, func(t *testing.T) { testInterrupted(t, name) })
		})
	}
}

func testInterrupted(t *testing.T, name string) {
	want := searchNaive(t, name, Config{OutDir: t.TempDir(), Budget: time.Hour})
	prog, target := divideTarget(t, name)
	rng := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	interrupts, last := 0, 0
	for {
		cfg, err := Config{Workers: 1 + rng.IntN(3), OutDir: dir, Budget: time.Hour, Resume: true}.withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		obs := &interrupter{after: time.Duration(rng.IntN(want.Runs * int(pace) / 10)), cancel: cancel}
		if interrupts >= 50 {
			obs.after = time.Hour
		}
		r, err := searchTarget(ctx, newCores(cfg.Workers), prog, newMachines(prog, target, verdict.Quiet{}), target, cfg, pacedMix, obs, nil)
		interrupted := ctx.Err() != nil
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if err != nil {
			continue
		}
		if r.Runs < last && r.Verdict != verdict.Fails { // then it counts only what comes before the finding
			t.Fatalf("%d runs after %d", r.Runs, last)
		}
		last = r.Runs
		if len(r.Open) > 0 {
			if !strings.Contains(strings.Join(r.Open, " "), "interrupted") {
				t.Fatalf("open: %s", r.Open)
			}
			interrupts++
			continue
		}
		t.Logf("%d interrupts, %d runs", interrupts, r.Runs)
		if interrupted && r.Verdict == verdict.Fails {
			// What has been found is reported although it is not the first in order.
			if got := r.Counterexamples[0].Run.Finding.Message; got != want.Counterexamples[0].Run.Finding.Message {
				t.Errorf("found %q", got)
			}
			return
		}
		if got, want := outcome(t, r), outcome(t, want); got != want {
			t.Errorf("with interrupts:\n%s\nwithout:\n%s", got, want)
		}
		return
	}
}

// TestSnapshots resumes a search from what was on disk at random moments of it, as after a
// crash.
func TestSnapshots(t *testing.T) {
	for _, name := range sample.From([]string{"large", "late"}, 2, 1) {
		t.Run(name, func(t *testing.T) {
			divideTarget(t, name) // loads it before the clock of the bubble goes
			synctest.Test(t, func(t *testing.T) { testSnapshots(t, name) })
		})
	}
}

func testSnapshots(t *testing.T, name string) {
	prog, target := divideTarget(t, name)
	dir := t.TempDir()
	cfg, err := Config{OutDir: dir, Budget: time.Hour}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	f, err := newFile(prog, target, cfg)
	if err != nil {
		t.Fatal(err)
	}
	file := f.path.String()
	ended := make(chan bool)
	var snapshots [][]byte
	collected := make(chan bool)
	go func() {
		defer close(collected)
		for {
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Millisecond):
			}
			data, err := os.ReadFile(file)
			if err == nil && (len(snapshots) == 0 || string(snapshots[len(snapshots)-1]) != string(data)) {
				snapshots = append(snapshots, data)
			}
		}
	}()
	want := outcome(t, searchMix(t, name, cfg, pacedMix))
	close(ended)
	<-collected
	t.Logf("%d snapshots", len(snapshots))
	if len(snapshots) == 0 {
		t.Fatal("nothing was on disk while the search went on")
	}
	for i := 0; i < len(snapshots); i += 1 + len(snapshots)/10 {
		if err := os.WriteFile(file, snapshots[i], 0o666); err != nil {
			t.Fatal(err)
		}
		cfg.Resume = true
		if got := outcome(t, searchMix(t, name, cfg, pacedMix)); got != want {
			t.Errorf("from snapshot %d:\n%s\nuninterrupted:\n%s", i, got, want)
		}
	}
}

// TestResumeEnded resumes a search that has ended: its verdict is reported at once,
// without a run.
func TestResumeEnded(t *testing.T) {
	for _, name := range []string{"small", "late"} {
		dir := t.TempDir()
		want := outcome(t, searchNaive(t, name, Config{OutDir: dir, Budget: time.Hour}))
		got := outcome(t, searchNaive(t, name, Config{OutDir: dir, Budget: time.Nanosecond, Resume: true}))
		if got != want {
			t.Errorf("%s: when it is resumed:\n%s\nbefore:\n%s", name, got, want)
		}
	}
}

// TestRuns makes a search in pieces of so many runs.
func TestRuns(t *testing.T) {
	dir := t.TempDir()
	want := searchNaive(t, "small", Config{OutDir: t.TempDir()})
	for runs := 1; ; runs += 3 {
		r := searchNaive(t, "small", Config{OutDir: dir, Runs: runs, Resume: true})
		if r.Verdict == verdict.Holds {
			if r.Runs != want.Runs {
				t.Errorf("%d runs in pieces, %d at once", r.Runs, want.Runs)
			}
			return
		}
		if r.Runs != runs {
			t.Fatalf("%d runs, want %d: %v", r.Runs, runs, r.Open)
		}
		if why := fmt.Sprint(r.Open); !strings.Contains(why, "-resume goes on") {
			t.Errorf("open: %s", why)
		}
	}
}

// TestStatefulRuns makes a search by states in pieces of so many runs, each on another machine.
// States are forgotten between them, so that more runs are made than by one search, but no more
// than by one that remembers none.
func TestStatefulRuns(t *testing.T) {
	for _, name := range sample.From([]string{"small", "large", "late"}, 3, 2) {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Strategy: "stateful", Budget: time.Hour, Workers: 1, OutDir: t.TempDir()}
			mix, err := cfg.phases()
			if err != nil {
				t.Fatal(err)
			}
			want := searchMix(t, name, cfg, mix)
			if want.Verdict == verdict.Open {
				t.Fatalf("open: %v", want.Open)
			}
			cfg.OutDir, cfg.Resume = t.TempDir(), true
			pieces := 0
			for before := 0; ; pieces++ {
				cfg.Runs = before + 1 + want.Runs/8 + 2*pieces
				r := searchMix(t, name, cfg, mix)
				if r.Verdict != verdict.Open {
					if r.Verdict != want.Verdict || len(r.Counterexamples) != len(want.Counterexamples) {
						t.Errorf("in pieces it %s: %v", r.Verdict, r.Counterexamples)
					}
					if len(want.Counterexamples) > 0 {
						if got, want := r.Counterexamples[0].Run.Finding.Message, want.Counterexamples[0].Run.Finding.Message; got != want {
							t.Errorf("found %q, want %q", got, want)
						}
					}
					t.Logf("%d runs in %d pieces, %d at once", r.Runs, pieces, want.Runs)
					return
				}
				if r.Runs <= before {
					t.Fatalf("%d runs after %d: %v", r.Runs, before, r.Open)
				}
				before = r.Runs
				if why := fmt.Sprint(r.Open); !strings.Contains(why, "-resume goes on") {
					t.Fatalf("open: %s", why)
				}
			}
		})
	}
}

// TestRefused tries to resume searches that are not the same.
func TestRefused(t *testing.T) {
	prog, target := divideTarget(t, "small")
	cfg, err := Config{OutDir: t.TempDir()}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	h, err := newHeader(prog, target, cfg)
	if err != nil {
		t.Fatal(err)
	}
	other, everyway, lines, files, settings, target2, version := h, h, h, h, h, h, h
	other.Build = "0"
	everyway.Everyway = "0"
	lines.Lines = "0"
	settings.Options.Stall, settings.Seed, settings.Options.Skip = time.Second, 7, "A/b"
	none := func() ([]program.Seen, error) { return nil, nil }
	changed := func() ([]program.Seen, error) {
		return []program.Seen{{Root: t.TempDir(), Files: map[string]string{"testdata/in.txt": "0"}}}, nil
	}
	target2.Target = "TestOther"
	version.Version++
	for _, test := range []struct {
		name   string
		header header
		seen   func() ([]program.Seen, error)
		want   string
	}{
		{"same", h, none, ""},
		{"build", other, none, "it was made from other sources or with another toolchain"},
		{"everyway", everyway, none, "it was made by another build of everyway"},
		{"lines", lines, none, "the code has moved to other lines or directories since it was made"},
		{"files", files, changed, "testdata/in.txt has changed since it was made"},
		{"settings", settings, none, "it was made with other settings: -seed 7, -stall 1s, -skip A/b"},
		{"target", target2, none, "it is of main " + h.Package + ".TestOther"},
		{"version", version, none, fmt.Sprintf("it has version %d, this program reads version %d", fileVersion+1, fileVersion)},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := disk.Path{Dir: disk.Dir{System: disk.Host{}, Path: t.TempDir()}, Name: "a.search"}
			f := &file{path: path, header: test.header, seen: test.seen}
			if f.write(&state{Phase: 3}); f.err != nil {
				t.Fatal(f.err)
			}
			st, _, err := (&file{path: path, header: h}).resume()
			if test.want == "" {
				if err != nil || st.Phase != 3 {
					t.Errorf("state %+v, error %v", st, err)
				}
				return
			}
			if err == nil || err.Error() != test.want {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
	if st, _, err := (&file{path: disk.Path{Dir: disk.Dir{System: disk.Host{}, Path: t.TempDir()}, Name: "none"}, header: h}).resume(); st != nil || err != nil {
		t.Errorf("without a file: %v, %v", st, err)
	}
}
