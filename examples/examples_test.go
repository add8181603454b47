// Package examples_test searches the examples: each has a bug that is found,
// and a mended twin that holds.
package examples_test

import (
	"os"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/schedule"
)

// quiet is an observer that keeps nothing.
type quiet struct{}

func (quiet) Started(pkg, target string)             {}
func (quiet) Progress(*engine.Result)                {}
func (quiet) Found(*engine.Result, *engine.Found)    {}
func (quiet) Output(pkg, target string, text []byte) {}
func (quiet) Ended(*engine.Result)                   {}

func TestExamples(t *testing.T) {
	for _, test := range []struct {
		dir  string
		want engine.Verdict
		slow bool
	}{
		{dir: "./addall", want: engine.Fails},
		{dir: "./addall/mended", want: engine.Holds},
		{dir: "./bluetooth", want: engine.Fails},
		{dir: "./bluetooth/mended", want: engine.Holds},
		{dir: "./quota", want: engine.Fails},
		{dir: "./quota/mended", want: engine.Holds},
		{dir: "./art", want: engine.Fails},
		{dir: "./art/mended", want: engine.Holds, slow: true},
	} {
		t.Run(test.dir, func(t *testing.T) {
			if test.slow && testing.Short() {
				t.Skip("searches many interleavings")
			}
			program, err := engine.Load(t.Context(), ".", []string{test.dir}, nil, true)
			if err != nil {
				t.Fatal(err)
			}
			targets, err := program.Select(engine.Selection{})
			if err != nil {
				t.Fatal(err)
			}
			for i := range targets {
				search(t, program, &targets[i], test.want)
			}
		})
	}
}

func search(t *testing.T, program *engine.Program, target *load.Target, want engine.Verdict) {
	// The bound is on runs, not on time, so that the outcome does not depend on
	// the machine; the budget only keeps a broken search from going on for ever.
	cfg := engine.Config{Runs: 100_000, Budget: 10 * time.Minute, OutDir: t.TempDir(), NoCorpus: true}
	result, err := engine.Search(t.Context(), program, target, cfg, quiet{})
	if err != nil {
		t.Fatal(err)
	}
	if result.Verdict != want {
		t.Errorf("%s %s, want %s: %v", target.Name, result.Verdict, want, result.Open)
	}
	for _, f := range result.Findings {
		replays(t, program, target, f)
	}
}

// replays reads a finding's run file back and makes the run again.
func replays(t *testing.T, program *engine.Program, target *load.Target, f *engine.Found) {
	file, err := os.Open(f.RunFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	recorded, err := schedule.ReadRun(file)
	if err != nil {
		t.Fatal(err)
	}
	same, err := engine.Replay(t.Context(), program, target, recorded, quiet{})
	if err != nil {
		t.Fatal(err)
	}
	if !same {
		t.Errorf("%s: the replay of %s ended differently", target.Name, f.RunFile)
	}
}
