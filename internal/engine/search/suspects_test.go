package search

import (
	"maps"
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
	"github.com/everyway-go/everyway/internal/verdict"
)

// TestSuspects looks for races, deadlocks and panics in some tests: a test fails exactly if one of
// all the runs that there are has one, and a suspect is found exactly if one of them has it there.
// The guided strategy alone finds each of these.
func TestSuspects(t *testing.T) {
	prog, err := program.Load(t.Context(), ".", []string{"./testdata/suspects"}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	type question struct {
		target load.Target
		kind   reach.Kind
	}
	var all []question
	for _, target := range prog.Targets() {
		for _, kind := range []reach.Kind{reach.Race, reach.Deadlock, reach.Panic} {
			all = append(all, question{target, kind})
		}
	}
	var targets []*load.Target
	for i := range all {
		if i == 0 || all[i].target.Name != all[i-1].target.Name {
			targets = append(targets, &all[i].target)
		}
	}
	together, err := reach.Analyse(t.Context(), prog, targets...)
	if err != nil {
		t.Fatal(err)
	}
	failing := make(map[reach.Kind]int)
	sampled := sample.From(all, 9, 4)
	for _, q := range sampled {
		target, kind := q.target, q.kind
		goal, err := together.Goal(t.Context(), &target, kind)
		if err != nil {
			t.Fatal(err)
		}
		for _, alone := range analysedAlone(t, prog, &target, kind) {
			if !slices.ContainsFunc(goal.Suspects, func(s *reach.Suspect) bool { return s.String() == alone.String() }) {
				t.Errorf("%s, %s: no suspect with others: %s", target.Name, kind, alone)
			}
		}
		if target.Name == "TestSequential" && kind != reach.Panic && len(goal.Suspects) > 0 {
			t.Errorf("%s, %s: suspects %q", target.Name, kind, goal.Summary(nil, false))
		}
		fails, found := enumerateFindings(t, prog, &target, goal)
		if fails {
			failing[kind]++
		}
		for _, strategy := range []string{DefaultStrategy, "guided"} {
			r := &Reach{Kind: kind}
			cfg := Config{Strategy: strategy, Budget: time.Hour, Runs: 3000, NoCorpus: true, OutDir: t.TempDir(), Reach: r, Workers: 1}
			result, err := Target(t.Context(), prog, &target, cfg, verdict.Quiet{})
			if err != nil {
				t.Fatal(err)
			}
			want := verdict.Unreachable
			if fails {
				want = verdict.Fails
			}
			if strategy != DefaultStrategy && (!fails || len(found) == 0) {
				want = verdict.Open // which proves nothing, and leads to nothing but suspects
			}
			if result.Verdict != want {
				t.Errorf("%s, %s, %s: %s %v, want %s", target.Name, kind, strategy, result.Verdict, result.Open, want)
			}
			var got []string
			for _, s := range result.Suspects {
				if strings.HasSuffix(s, ": "+verdict.SuspectFound) {
					got = append(got, s)
				} else if fails && strategy == DefaultStrategy && !strings.HasPrefix(s, "suspects: ") && !strings.HasSuffix(s, verdict.SuspectExcluded) {
					t.Errorf("%s, %s: %s", target.Name, kind, s)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, found) {
				t.Errorf("%s, %s, %s: found %q, want %q", target.Name, kind, strategy, got, found)
			}
		}
	}
	if len(sampled) == len(all) && (failing[reach.Race] == 0 || failing[reach.Deadlock] == 0 || failing[reach.Panic] < 2) {
		t.Errorf("few tests fail: %v", failing)
	}
}

// analysedAlone returns the suspects of a target that is analysed without others.
func analysedAlone(t *testing.T, prog *program.Program, target *load.Target, kind reach.Kind) []*reach.Suspect {
	a, err := reach.Analyse(t.Context(), prog, target)
	if err != nil {
		t.Fatal(err)
	}
	goal, err := a.Goal(t.Context(), target, kind)
	if err != nil {
		t.Fatal(err)
	}
	return goal.Suspects
}

// enumerateFindings makes all runs of a target. It returns whether one has a finding of the kind of
// a goal, and which suspects have one.
func enumerateFindings(t *testing.T, prog *program.Program, target *load.Target, goal *reach.Goal) (fails bool, found []string) {
	cfg := worker.Config{Settings: run.Settings{Limits: worker.DefaultLimits, MaxLen: worker.DefaultMaxLen}, NoCorpus: true}
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
		for _, f := range w.Findings(trace) {
			if goal.Kind.Finds(f.Kind) {
				fails = true
				goal.Found(w.RecordFinding(&f))
			}
		}
	}
	lines := make(map[string]bool)
	for _, s := range goal.Summary(nil, false) {
		if strings.HasSuffix(s, ": "+verdict.SuspectFound) {
			lines[s] = true
		}
	}
	return fails, slices.Sorted(maps.Keys(lines))
}
