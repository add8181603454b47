package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/guided"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/verdict"
)

// withoutPlaces returns the strategies that need no places to lead to.
func withoutPlaces() []strategy.Info {
	return slices.DeleteFunc(Strategies(), func(info strategy.Info) bool { return info.Name == guided.Info.Name })
}

// TestUnknownStrategy checks that a name that no strategy has is refused with the list of
// those that there are, and that each of these is taken.
func TestUnknownStrategy(t *testing.T) {
	var names []string
	for _, info := range Strategies() {
		names = append(names, info.Name)
		if err := (Config{Strategy: info.Name, Reach: new(Reach)}).Check(); err != nil {
			t.Errorf("%s: %v", info.Name, err)
		}
	}
	want := fmt.Sprintf("unknown strategy %q (want one of %s)", "magic", strings.Join(names, ", "))
	if err := (Config{Strategy: "magic"}).Check(); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestForced checks that the mix goes on with the exhaustive search if there was nothing to choose
// in the first run, and only then. Such a search comes to its end in its first turn.
func TestForced(t *testing.T) {
	prog, err := program.Load(t.Context(), ".", []string{"./testdata/forced"}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	targets := prog.Targets()
	for i := range targets {
		target := &targets[i]
		cfg, err := Config{Strategy: DefaultStrategy, Budget: time.Hour, Workers: 1, NoCorpus: true, OutDir: t.TempDir()}.withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		cores := newCores(1)
		if err := cores.take(t.Context()); err != nil {
			t.Fatal(err)
		}
		s, err := newSearch(prog, target, cfg, mix(AllReductions), cores, verdict.Quiet{})
		if err != nil {
			t.Fatal(err)
		}
		forced := target.Name == "TestOne" || target.Name == "TestMeetings"
		first := turn{first: true, slice: time.Hour, others: func() bool { return forced }}
		if err := s.advance(t.Context(), prog, newMachines(prog, target, verdict.Quiet{}), target, first); err != nil {
			t.Fatal(err)
		}
		if r := s.result; s.paused || r.Verdict != verdict.Holds || forced != (r.Runs == 2) || !forced && r.Runs <= mixFirstTurn {
			t.Errorf("%s: %v after %d runs, paused: %v", target.Name, r.Verdict, r.Runs, s.paused)
		}
	}
	if len(targets) != 5 {
		t.Errorf("%d targets", len(targets))
	}
}

// TestProlong checks for which searches the stateful one goes on for longer, and when the phases end then.
func TestProlong(t *testing.T) {
	ph := phase{until: mixStatefulShare, longer: true}
	for _, test := range []struct {
		name     string
		phase    phase
		done     run.Counts
		estimate float64 // of the runs of the exhaustive search, 0 for none
		before   int     // runs made before the phase
		ended    bool    // the exhaustive search has come to its end
		want     bool
	}{
		{"hopeless", ph, run.Counts{Candidates: 1000, Redundant: 900}, 1e9, 100, false, true},
		{"without an estimate", ph, run.Counts{Candidates: 1000, Redundant: 500}, 0, 100, false, true},
		{"few known states", ph, run.Counts{Candidates: 1000, Redundant: 499}, 1e9, 100, false, false},
		{"few known states after long runs", ph, run.Counts{Candidates: 1000, Redundant: 499}, 1e9, 99, false, false},
		{"few runs", ph, run.Counts{Candidates: 99, Redundant: 99}, 1e9, 100, false, false},
		{"long runs", ph, run.Counts{Candidates: 99}, 1e9, 99, false, true},
		{"long runs that are nearly done", ph, run.Counts{Candidates: 99}, 1500, 99, false, false},
		{"nearly done", ph, run.Counts{Candidates: 1000, Redundant: 900}, 1500, 100, false, false},
		{"done, with runs left out", ph, run.Counts{Candidates: 1000, Redundant: 900}, 1500, 100, true, true},
	} {
		now := time.Now()
		s := &search{share: time.Hour, start: now.Add(-20 * time.Minute), state: &state{Since: test.before, Divided: test.ended, Stats: worker.Stats{Runs: 1000}}}
		if test.estimate > 0 {
			s.state.Size = size{Sum: test.estimate, Weight: 1}
		}
		if s.mayProlong(test.phase, now) != (test.before < prolongAfter) || !s.mayProlong(test.phase, s.start) || s.mayProlong(phase{until: 1}, s.start) {
			t.Errorf("%s: it is not looked at in the middle of the phase", test.name)
		}
		if got := s.prolong(test.phase, test.done); got != test.want {
			t.Errorf("%s: prolonged is %v, want %v", test.name, got, test.want)
		}
		until, later, last := s.until(ph), s.until(phase{until: mixCon2colicShare}), s.until(phase{until: 1})
		to := mixProlongedShare
		if test.before < prolongAfter {
			to = mixLongRunsShare
		}
		if test.want && (until != to || s.mayProlong(ph, s.start)) || !test.want && until != mixStatefulShare {
			t.Errorf("%s: the phase ends at %v", test.name, until)
		}
		if later <= until || last <= later || last > 1.0001 {
			t.Errorf("%s: the phases end at %v, %v and %v", test.name, until, later, last)
		}
	}
}

// TestGivesWay checks when the search of states ends before its time, since the exhaustive search needs what is left.
func TestGivesWay(t *testing.T) {
	ph := phase{until: mixStatefulShare, longer: true}
	for _, test := range []struct {
		name     string
		estimate float64 // of the runs of the exhaustive search, with 500 that were made before the phase; 0 for none
		want     bool
	}{
		{"as many as there will be time for after the phase, with a margin", 500 + 2600, false},
		{"as many as there will be time for after the phase", 500 + 3200, true},
		{"more than that", 500 + 3500, true},
		{"more than there is time for now", 500 + 4100, false},
		{"no end of runs", 1 << 62, false},
		{"no estimate", 0, false},
	} {
		// After 20 minutes, 2,000 runs have been made. There is time for 4,000, and for 3,300 after the phase.
		s := &search{share: time.Hour, start: time.Now().Add(-20 * time.Minute), state: &state{Since: 500, Stats: worker.Stats{Runs: 2000}}}
		if test.estimate > 0 {
			s.state.Size = size{Sum: test.estimate, Weight: 1}
		}
		if got := s.givesWay(ph); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestPromising checks when the exhaustive search comes next since it would come to its end, and which phase that is.
func TestPromising(t *testing.T) {
	for _, test := range []struct {
		name     string
		estimate float64 // of the runs of the exhaustive search, 0 for none
		made     time.Duration
		want     bool
	}{
		{"few runs", 2500, 20 * time.Minute, true},
		{"a few more than there is time for", 5000, 15 * time.Minute, true},
		{"too many runs", 10000, 15 * time.Minute, false},
		{"too late", 2500, 50 * time.Minute, false},
		{"no estimate", 0, 20 * time.Minute, false},
	} {
		// After 20 minutes, 1,500 runs have been made, and there is time for 3,000.
		s := &search{share: time.Hour, start: time.Now().Add(-test.made), state: &state{Stats: worker.Stats{Runs: 1500}}}
		if test.estimate > 0 {
			s.state.Size = size{Sum: test.estimate, Weight: 1}
		}
		if got := s.isPromising(); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	for _, order := range []strategy.Order{strategy.FewestPreemptions, strategy.ByLength} {
		cfg := Config{Strategy: DefaultStrategy, Order: order}
		phases, err := cfg.phases()
		if err != nil {
			t.Fatal(err)
		}
		s := &search{mix: phases}
		last := s.lastPhase()
		if ph := phases[last]; ph.strategy.Name != hyperconcolic.Info.Name || phases[last-1].strategy.Name == ph.strategy.Name {
			t.Errorf("order %v: phase %d of %d is %s, after %s", order, last, len(phases), ph.strategy.Name, phases[last-1].strategy.Name)
		}
		if several := last < len(phases)-1; several != (order == strategy.ByLength) {
			t.Errorf("order %v: phase %d of %d is the last one", order, last, len(phases))
		}
	}
}
