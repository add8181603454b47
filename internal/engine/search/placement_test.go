package search

import (
	"slices"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/verdict"
)

// TestPlacement searches programs in which many like operations on a channel are not ordered. Of
// the sets of them that could come before another, most make it impossible, and those are not
// looked for one by one: that would end in a bound.
func TestPlacement(t *testing.T) {
	prog, err := program.Load(t.Context(), ".", []string{"./testdata/nasty"}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	targets := prog.Targets()
	for i := range targets {
		switch targets[i].Name {
		case "TestSends24", "TestAttempts24", "TestAttempts55", "TestBubbleAttempts55":
		default:
			continue
		}
		cfg := Config{Strategy: "hyperconcolic", Runs: 20, Budget: time.Hour, OutDir: t.TempDir()}
		r, err := Target(t.Context(), prog, &targets[i], cfg, verdict.Quiet{})
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(r.Open, "a run can be ordered in more ways than are tried") {
			t.Errorf("%s: %v", r.Target, r.Open)
		}
	}
}
