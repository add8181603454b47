// Package examples_test searches the examples: each has a bug that is found,
// and a mended twin that holds.
package examples_test

import (
	"os"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

func TestExamples(t *testing.T) {
	for _, test := range []struct {
		dir  string
		want verdict.Verdict
		slow bool
	}{
		{dir: "./addall", want: verdict.Fails},
		{dir: "./addall/mended", want: verdict.Holds},
		{dir: "./bluetooth", want: verdict.Fails},
		{dir: "./bluetooth/mended", want: verdict.Holds},
		{dir: "./quota", want: verdict.Fails},
		{dir: "./quota/mended", want: verdict.Holds},
		{dir: "./art", want: verdict.Fails},
		{dir: "./art/mended", want: verdict.Holds, slow: true},
	} {
		t.Run(test.dir, func(t *testing.T) {
			if test.slow && testing.Short() {
				t.Skip("searches many interleavings")
			}
			prog, err := program.Load(t.Context(), ".", []string{test.dir}, nil, true)
			if err != nil {
				t.Fatal(err)
			}
			targets, err := prog.Select(program.Selection{})
			if err != nil {
				t.Fatal(err)
			}
			for i := range targets {
				search(t, prog, &targets[i], test.want)
			}
		})
	}
}

func search(t *testing.T, prog *program.Program, target *load.Target, want verdict.Verdict) {
	// The bound is on runs, not on time, so that the outcome does not depend on
	// the machine; the budget only keeps a broken search from going on for ever.
	cfg := engine.Config{Runs: 100_000, Budget: 10 * time.Minute, OutDir: t.TempDir(), NoCorpus: true}
	result, err := engine.Search(t.Context(), prog, target, cfg, verdict.Quiet{})
	if err != nil {
		t.Fatal(err)
	}
	if result.Verdict != want {
		t.Errorf("%s %s, want %s: %v", target.Name, result.Verdict, want, result.Open)
	}
	for _, f := range result.Findings {
		replays(t, prog, target, f)
	}
}

// replays reads a finding's run file back and makes the run again.
func replays(t *testing.T, prog *program.Program, target *load.Target, f *verdict.Found) {
	file, err := os.Open(f.RunFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	recorded, err := schedule.ReadRun(file)
	if err != nil {
		t.Fatal(err)
	}
	same, err := engine.Replay(t.Context(), prog, target, recorded, verdict.Quiet{})
	if err != nil {
		t.Fatal(err)
	}
	if !same {
		t.Errorf("%s: the replay of %s ended differently", target.Name, f.RunFile)
	}
}
