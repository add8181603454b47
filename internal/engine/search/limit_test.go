package search

import (
	"path"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/verdict"
)

// TestLimit searches a program whose runs take more instructions than a run usually may, and
// one whose runs do not end.
func TestLimit(t *testing.T) {
	prog, err := program.Load(t.Context(), ".", []string{"./testdata/limit/..."}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	targets := prog.Targets()
	for _, strategy := range []string{"mix", "hyperconcolic"} {
		for i := range targets {
			name := path.Base(targets[i].Package.Path)
			cfg := Config{Strategy: strategy, Budget: time.Hour, OutDir: t.TempDir()}
			cfg.Limits.Instructions = 300_000
			r, err := Target(t.Context(), prog, &targets[i], cfg, verdict.Quiet{})
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case name == "long" && r.Verdict != verdict.Holds:
				t.Errorf("%s: %s %v %v, want holds", strategy, name, r.Verdict, r.Open)
			case name == "endless" && (r.Verdict != verdict.Open || !strings.Contains(strings.Join(r.Open, " "), "more than 300000 instructions")):
				t.Errorf("%s: %s %v %v, want open for the instructions", strategy, name, r.Verdict, r.Open)
			}
		}
	}
	if len(targets) != 2 {
		t.Errorf("%d targets", len(targets))
	}
}
