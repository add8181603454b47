package search

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/reach"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/verdict"
)

// TestOrder searches in every order with one and several workers: where nothing is
// found the same runs are made, and what is found does not depend on the workers.
func TestOrder(t *testing.T) {
	for _, name := range sample.From([]string{"small", "large", "late"}, 3, 2) {
		prog, target := divideTarget(t, name)
		runs := map[verdict.Verdict]int{}
		for _, order := range []strategy.Order{strategy.DepthFirst, strategy.FewestPreemptions, strategy.ByLength} {
			var want string
			for _, workers := range []int{1, 3} {
				r, err := Target(t.Context(), prog, target, Config{
					Strategy: "hyperconcolic", Order: order, Workers: workers,
					OutDir: t.TempDir(), NoCorpus: true, Budget: time.Hour,
				}, verdict.Quiet{})
				if err != nil {
					t.Fatal(err)
				}
				got := outcome(t, r)
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%s, %s, %d workers:\n%s\n1 worker:\n%s", name, order, workers, got, want)
				}
				if order == strategy.ByLength {
					continue // short runs are made again and again
				}
				if was, ok := runs[r.Verdict]; ok && r.Verdict == verdict.Holds && was != r.Runs {
					t.Errorf("%s, %s: %d runs, want %d as in the other order", name, order, r.Runs, was)
				}
				runs[r.Verdict] = r.Runs
			}
		}
		if len(runs) != 1 {
			t.Errorf("%s: the verdict depends on the order: %v", name, runs)
		}
		t.Log(name, runs)
	}
}

// TestByLength searches a test that never holds, as its goroutines take ever more steps: it is
// open, and says which runs were made.
func TestByLength(t *testing.T) {
	prog, err := program.Load(t.Context(), ".", []string{"./testdata/endless"}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	target := prog.Targets()[0]
	var want string
	for _, workers := range []int{1, 3} {
		cfg := Config{Strategy: "hyperconcolic", Order: strategy.ByLength, Workers: workers, OutDir: t.TempDir(), NoCorpus: true, Budget: time.Hour, Runs: 150}
		var r *verdict.Result
		for _, resume := range []bool{false, true} {
			if cfg.Resume = resume; resume {
				cfg.Runs = 250
			}
			if r, err = Target(t.Context(), prog, &target, cfg, verdict.Quiet{}); err != nil {
				t.Fatal(err)
			}
			if r.Verdict != verdict.Open || !slices.ContainsFunc(r.Open, func(s string) bool { return strings.Contains(s, "in which no goroutine takes more than ") }) {
				t.Errorf("%s %q", r.Verdict, r.Open)
			}
		}
		if got := outcome(t, r); want == "" {
			want = got
		} else if got != want {
			t.Errorf("%d workers:\n%s\n1 worker:\n%s", workers, got, want)
		}
	}
}

// TestByLengthBlocked searches tests in which a goroutine fails with one step more than in runs in
// which it waits for ever, where that is no finding: they do not hold, whatever number of steps it
// has taken when it waits.
func TestByLengthBlocked(t *testing.T) {
	prog, err := program.Load(t.Context(), ".", []string{"./testdata/blocked"}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range prog.Targets() {
		cfg := Config{Strategy: "hyperconcolic", Order: strategy.ByLength, Leaks: check.LeaksNone, OutDir: t.TempDir(), NoCorpus: true, Budget: time.Hour}
		r, err := Target(t.Context(), prog, &target, cfg, verdict.Quiet{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != verdict.Fails {
			t.Errorf("%s %s %q, want %s", target.Name, r.Verdict, r.Open, verdict.Fails)
		}
	}
}

// TestNearest searches for a place, those runs first that are near to it: fewer than in the usual order.
func TestNearest(t *testing.T) {
	prog, err := program.Load(t.Context(), ".", []string{"./testdata/near"}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	target := prog.Targets()[0]
	runs := map[strategy.Order]int{}
	for _, order := range []strategy.Order{strategy.DepthFirst, strategy.FewestPreemptions, strategy.Nearest} {
		for _, workers := range []int{1, 3} {
			goal, err := reach.New(t.Context(), prog, &target, []place.Spec{{Text: "near_test.go:30", File: "near_test.go", Line: 30}})
			if err != nil {
				t.Fatal(err)
			}
			r := new(Reach)
			r.Add(&target, goal)
			result, err := Target(t.Context(), prog, &target, Config{
				Strategy: "hyperconcolic", Order: order, Workers: workers, OutDir: t.TempDir(), NoCorpus: true, Budget: time.Hour, Runs: 5000, Reach: r,
			}, verdict.Quiet{})
			if err != nil {
				t.Fatal(err)
			}
			if result.Verdict != verdict.Reached {
				t.Errorf("%s: %s %v", order, result.Verdict, result.Open)
			}
			if was, ok := runs[order]; ok && was != result.Runs {
				t.Errorf("%s: %d runs, %d with one worker", order, result.Runs, was)
			}
			runs[order] = result.Runs
		}
	}
	t.Log(runs)
	if runs[strategy.Nearest] >= runs[DefaultOrder] {
		t.Errorf("runs %v: distances say nothing", runs)
	}
	cfg := Config{Strategy: "hyperconcolic", Order: strategy.Nearest}
	if err := cfg.Check(); err == nil {
		t.Error("an order of distances to nothing")
	}
}

// TestDeep lets a frontier become so large that a search by rank goes depth first.
func TestDeep(t *testing.T) {
	s := &search{cfg: Config{Order: DefaultOrder}, state: &state{}}
	prog, target := divideTarget(t, "small")
	cfg, err := Config{Strategy: "hyperconcolic"}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	if s.worker, err = newMachines(prog, target, verdict.Quiet{}).Worker(t.Context(), target, cfg.worker(nil, nil), run.NewNames(), func([]byte) {}); err != nil {
		t.Fatal(err)
	}
	st, err := s.begin(phase{strategy: hyperconcolic.Info}, s.worker)
	if err != nil {
		t.Fatal(err)
	}
	ranked, ok := st.(strategy.Ranked)
	if !ok {
		t.Fatal("the exhaustive search has no ranks")
	}
	item := func(rank byte) strategy.Item { return strategy.Item{Data: []byte{2 * rank}, Size: 1} } // a varint
	for _, c := range []struct {
		items int
		deep  bool
	}{{10, false}, {maxRanked, false}, {maxRanked + 1, true}, {3, false}} {
		s.state.Frontier = nil
		for i := range c.items {
			s.state.Frontier = append(s.state.Frontier, item(byte(i%7)))
		}
		s.order(ranked)
		if s.state.Deep != c.deep {
			t.Errorf("with %d items deep is %v", c.items, s.state.Deep)
		}
		next := s.state.Frontier[c.items-1].Data
		if want := byte((c.items - 1) % 7); c.deep && next[0] != 2*want || !c.deep && next[0] != 0 {
			t.Errorf("with %d items the next one has rank %d", c.items, next[0]/2)
		}
	}
}

// TestDeadline checks that the last phase ends when the budget does and not by a clock of
// its own: a search that takes that for the end of the phase is not resumed.
func TestDeadline(t *testing.T) {
	now := time.Now()
	budget, cancel := context.WithDeadline(t.Context(), now.Add(time.Hour))
	defer cancel()
	s := &search{share: time.Hour, start: now.Add(-time.Second), state: &state{}}
	for _, c := range []struct {
		until float64
		want  time.Time
	}{{0.5, s.start.Add(time.Hour / 2)}, {1, now.Add(time.Hour)}} {
		ctx, cancel := s.deadline(budget, phase{until: c.until})
		if end, _ := ctx.Deadline(); !end.Equal(c.want) {
			t.Errorf("a phase until %v ends %v after the start, want %v", c.until, end.Sub(s.start), c.want.Sub(s.start))
		}
		cancel()
	}
}
