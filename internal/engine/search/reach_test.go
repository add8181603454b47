package search

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/reach"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/verdict"
)

// TestReach searches for each line of some tests, and each pair of lines: it is reached exactly if one of all
// the runs that there are reaches it. The enumeration takes no step for another one's order, and knows no
// strategy.
func TestReach(t *testing.T) {
	prog, err := program.Load(t.Context(), ".", []string{"./testdata/reach"}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range prog.Targets() {
		type pair struct{ a, b int } // b is 0 for a single line
		var pairs []pair
		lines := markedLines(t, prog, target.Name)
		for i, a := range lines {
			pairs = append(pairs, pair{a, 0})
			for _, b := range lines[i:] {
				pairs = append(pairs, pair{a, b})
			}
		}
		reached, unreachable := 0, 0
		compare := func(p pair) {
			specs := []place.Spec{{Text: "a", File: "reach_test.go", Line: p.a}}
			if p.b > 0 {
				specs = append(specs, place.Spec{Text: "b", File: "reach_test.go", Line: p.b})
			}
			goal, err := reach.New(t.Context(), prog, &target, specs)
			if err != nil {
				t.Fatal(err)
			}
			r := new(Reach)
			r.Add(&target, goal)
			cfg := Config{Strategy: DefaultStrategy, Budget: time.Minute, NoCorpus: true, OutDir: t.TempDir(), Reach: r, Workers: 1}
			result, err := Target(t.Context(), prog, &target, cfg, verdict.Quiet{})
			if err != nil {
				t.Fatal(err)
			}
			want := verdict.Unreachable
			if goal.Unreachable == "" && enumerates(t, prog, &target, goal) {
				want = verdict.Reached
				reached++
			} else {
				unreachable++
			}
			if result.Verdict != want {
				t.Errorf("%s: lines %d and %d: %s %v %v, want %s", target.Name, p.a, p.b, result.Verdict, result.Open, result.Notes, want)
			}
		}
		compared := sample.From(pairs, 10, 3)
		for _, p := range compared {
			compare(p)
		}
		// A sample may have none that are reached, or only such: it goes on until it has some of both.
		for _, p := range pairs {
			if reached > 0 && unreachable > 0 {
				break
			}
			if !slices.Contains(compared, p) {
				compare(p)
			}
		}
		t.Logf("%s: %d reached, %d not", target.Name, reached, unreachable)
		if reached == 0 || unreachable == 0 {
			t.Errorf("%s: %d places reached, %d not: this shows little", target.Name, reached, unreachable)
		}
	}
}

// markedLines returns the lines of testdata/reach that are marked with the name of a target.
func markedLines(t *testing.T, prog *program.Program, target string) []int {
	var lines []int
	for at, text := range prog.Lines(prog.Packages[0]) {
		if strings.HasSuffix(text, " // "+target) {
			lines = append(lines, at.Line)
		}
	}
	if len(lines) < 5 {
		t.Fatalf("%s has few lines: %v", target, lines)
	}
	return lines
}

// enumerates reports whether one of all the runs of a target reaches a goal.
func enumerates(t *testing.T, prog *program.Program, target *load.Target, goal *reach.Goal) bool {
	cfg := worker.Config{Settings: run.Settings{Limits: worker.DefaultLimits, MaxLen: worker.DefaultMaxLen}, NoCorpus: true}
	cfg.Reach(goal)
	w, err := worker.NewMachines(prog, func(time.Duration) {}).Worker(t.Context(), target, cfg, run.NewNames(), func([]byte) {})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	e := new(run.Enumeration)
	var prefix []run.Decision
	for more := true; more; prefix, more = e.Next() {
		trace, err := w.Run(t.Context(), &run.Plan{Prefix: prefix}, e)
		if err != nil {
			t.Fatal(err)
		}
		if trace.Reached != nil {
			return true
		}
	}
	return false
}
