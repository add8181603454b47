package search

import (
	"context"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
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
		for _, order := range []strategy.Order{strategy.DepthFirst, strategy.FewestPreemptions} {
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
	item := func(rank byte) []byte { return []byte{2 * rank} } // a varint
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
		next := s.state.Frontier[c.items-1]
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
	s := &search{share: time.Hour, start: now.Add(-time.Second)}
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
