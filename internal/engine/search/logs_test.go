package search

import (
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/verdict"
)

// TestLogs searches tests whose goroutines write to the log, with logs that are steps and without:
// that makes no difference for the verdict, and in the second case they take as many runs as
// without logs.
func TestLogs(t *testing.T) {
	prog, err := program.Load(t.Context(), ".", []string{"./testdata/logs"}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	without := AllReductions
	without.Logs = false
	for _, strategy := range sample.From([]string{"stateful", "hyperconcolic", "mix"}, 2, 1) {
		runs := map[string]int{}
		for i, reductions := range []Reductions{AllReductions, without} {
			for j := range prog.Targets() {
				target := &prog.Targets()[j]
				cfg := Config{Strategy: strategy, Workers: 1 + j%2, Budget: time.Hour, OutDir: t.TempDir(), NoCorpus: true, Reductions: &reductions}
				r, err := Target(t.Context(), prog, target, cfg, verdict.Quiet{})
				if err != nil {
					t.Fatal(err)
				}
				want := verdict.Holds
				if target.Name == "TestLate" {
					want = verdict.Fails
				}
				if r.Verdict != want {
					t.Errorf("%s, %s, %v: %s %v, want %s", strategy, target.Name, reductions, r.Verdict, r.Open, want)
				}
				for _, f := range r.Counterexamples {
					if !strings.Contains(f.Run.Finding.Message, "Log in goroutine after TestLate has completed") {
						t.Errorf("%s, %s: %s", strategy, target.Name, f.Run.Finding.Message)
					}
				}
				if i == 0 {
					runs[target.Name] = r.Runs
				}
			}
		}
		if runs["TestLogs"] != runs["TestQuiet"] {
			t.Errorf("%s: %d runs with logs, %d without", strategy, runs["TestLogs"], runs["TestQuiet"])
		}
	}
}
