package wcp

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/analysistest"
	"github.com/everyway-go/everyway/internal/analysis/happensbefore"
	"github.com/everyway-go/everyway/schedule"
)

func TestRaces(t *testing.T) {
	for _, test := range []struct {
		name, events string
		want         []string
	}{
		{"a section that does not conflict", analysistest.Two + `
			g0 write o1.0 - -
			g0 acq o1.9 mutex
			g0 read o1.1 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 read o1.1 - -
			g1 rel o1.9
			g1 write o1.0 - -`, []string{"predicted data race: g0.4 write, g1.4 write"}},
		{"a section that conflicts", analysistest.Two + `
			g0 write o1.0 - -
			g0 acq o1.9 mutex
			g0 write o1.1 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 read o1.1 - -
			g1 rel o1.9
			g1 write o1.0 - -`, nil},
		{"before what conflicts in a section", analysistest.Two + `
			g0 write o1.0 - -
			g0 acq o1.9 mutex
			g0 write o1.1 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 write o1.0 - -
			g1 read o1.1 - -
			g1 rel o1.9`, []string{"predicted data race: g0.4 write, g1.2 write"}},
		{"readers of a lock", analysistest.Two + `
			g0 write o1.0 - -
			g0 racq o1.9
			g0 atomicwrite o1.1 - -
			g0 rrel o1.9
			g1 racq o1.9
			g1 atomicwrite o1.1 - -
			g1 rrel o1.9
			g1 write o1.0 - -`, []string{"predicted data race: g0.4 write, g1.4 write"}},
		{"a section around one that conflicts", analysistest.Two + `
			g0 acq o1.8 mutex
			g0 acq o1.9 mutex
			g0 write o1.1 - -
			g0 rel o1.9
			g0 write o1.0 - -
			g0 rel o1.8
			g1 acq o1.8 mutex
			g1 acq o1.9 mutex
			g1 read o1.1 - -
			g1 rel o1.9
			g1 rel o1.8
			g1 write o1.0 - -`, nil},
		{"sections of another lock after sections that conflict", analysistest.Two + `
			g0 fork g2 -
			g2 begin
			g0 write o1.0 - -
			g0 acq o1.9 mutex
			g0 write o1.1 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 read o1.1 - -
			g1 rel o1.9
			g1 acq o1.8 mutex
			g1 rel o1.8
			g2 acq o1.8 mutex
			g2 rel o1.8
			g2 write o1.0 - -`, nil},
		{"sections of which something in one comes before something in the other", analysistest.Two + `
			g0 fork g2 -
			g2 begin
			g0 acq o1.8 mutex
			g0 acq o1.9 mutex
			g0 write o1.1 - -
			g0 rel o1.9
			g0 write o1.0 - -
			g0 rel o1.8
			g1 acq o1.9 mutex
			g1 read o1.1 - -
			g1 write o1.2 - -
			g1 rel o1.9
			g2 acq o1.8 mutex
			g2 acq o1.9 mutex
			g2 read o1.2 - -
			g2 rel o1.9
			g2 rel o1.8
			g2 write o1.0 - -`, nil},
		{"a deadlock, and no race", analysistest.Two + `
			g0 acq o1.8 mutex
			g0 acq o1.9 mutex
			g0 rel o1.9
			g0 write o1.0 - -
			g0 rel o1.8
			g1 acq o1.9 mutex
			g1 acq o1.8 mutex
			g1 rel o1.8
			g1 write o1.0 - -
			g1 rel o1.9`, []string{"suspected data race: g0.7 write, g1.4 write"}},
		{"a second race that only the first one makes possible", analysistest.Two + `
			g0 write o1.0 - -
			g0 write o1.1 - -
			g1 read o1.1 - -
			g1 write o1.0 - -`, []string{"predicted data race: g0.5 write, g1.1 read"}},
		{"a channel", analysistest.Two + `
			g0 write o1.0 - -
			g0 send o2 - - -
			g1 receive o2 - - -
			g1 write o1.0 - -`, nil},
		{"a section before a message", analysistest.Two + `
			g0 fork g2 -
			g2 begin
			g0 write o1.0 - -
			g0 acq o1.9 mutex
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 send o2 - - -
			g1 rel o1.9
			g2 receive o2 - - -
			g2 write o1.0 - -`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := find(t, test.events); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// find is analysistest.Find, with the certainties of the findings.
func find(t *testing.T, events string) (list []string) {
	texts := analysistest.Find(t, Info, events)
	for i, f := range analysistest.FindAll(t, Info, analysistest.Events(t, events), 1000) {
		list = append(list, f.Certainty.String()+" "+texts[i])
	}
	return list
}

// TestWindows checks that a finding whose accesses are in two windows is suspected, and that one at
// the same places in one window takes its place.
func TestWindows(t *testing.T) {
	const race = `
		@location a.go 1 0 -
		g0 write o1.0 - -
		g0 read o1.2 - -
		@location b.go 1 0 -
		g1 write o1.0 - -
	`
	for window, want := range map[int]analysis.Certainty{1: analysis.Suspected, 5: analysis.Predicted, 1000: analysis.Predicted} {
		r, err := schedule.NewReader(strings.NewReader(analysistest.Text(analysistest.Two+race+race)), "test.schedule")
		if err != nil {
			t.Fatal(err)
		}
		report, err := analysis.Run(t.Context(), r, []analysis.Info{Info}, analysis.Limits{Window: window})
		if err != nil {
			t.Fatal(err)
		}
		if f := report.Findings; len(f) != 1 || f[0].Certainty != want || (f[0].Witness != nil) != (want == analysis.Predicted) {
			t.Errorf("in windows of %d events: %+v", window, f)
		}
	}
}

// TestBounds checks on random schedules that the guarantee holds also if older events are forgotten.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for range 2000 {
		text := analysistest.Random(r, analysistest.Mix{Goroutines: 2, Events: 30, Locks: true, Ends: r.IntN(2) == 0, MoreLocks: r.IntN(2) == 0})
		events := analysistest.Events(t, text)
		narrow := Info
		narrow.New = func(c analysis.Config) analysis.Detector {
			c.Memory = r.Int64N(2000)
			d := newDetector(c).(*detector)
			d.limit = 5 + r.IntN(10)
			return d
		}
		all := analysistest.FindPairs(t, Info, events, 1000)
		for p := range analysistest.FindPairs(t, narrow, events, 1000) {
			if all[p] == nil {
				t.Errorf("the race of %v is found with a bound only", p)
			}
		}
		if t.Failed() {
			t.Fatal(text)
		}
	}
}

// TestBruteForce checks on random schedules that what is predicted is a race, and that if anything is found, the
// schedule has a race or a deadlock; and that if there is a race by happens-before, one is found.
func TestBruteForce(t *testing.T) {
	n := 5000
	if testing.Short() {
		n = 1000
	}
	r := rand.New(rand.NewPCG(19, 20))
	var certain [2]int
	weak := 0
	for range n {
		mix := analysistest.Mix{Goroutines: 1 + r.IntN(2), Events: 24, Atomics: r.IntN(2) == 0, Locks: r.IntN(4) > 0, MoreLocks: r.IntN(2) == 0, Channels: r.IntN(3) == 0, WaitGroup: r.IntN(3) == 0, Handoffs: r.IntN(4) == 0}
		text := analysistest.Random(r, mix)
		events := analysistest.Events(t, text)
		rule := analysistest.Rule{Others: true}
		found := analysistest.FindPairs(t, Info, events, 1000)
		shown := false
		for _, f := range found {
			certain[f.Certainty]++
			shown = shown || f.Certainty == analysis.Predicted
			if f.Certainty == analysis.Predicted {
				analysistest.CheckWitness(t, events, f, analysistest.Rule{Reads: analysistest.SameBranches, Others: true})
			}
		}
		if nested(events) && len(found) > 0 && !shown {
			weak++
			if len(analysistest.Races(t, events, rule)) == 0 && len(analysistest.Deadlocks(t, events, rule)) == 0 {
				t.Errorf("%v are found, but there is neither a race nor a deadlock", found)
			}
		}
		if !mix.Channels && !mix.WaitGroup && !mix.Handoffs && len(found) == 0 && len(analysistest.FindPairs(t, happensbefore.Info, events, 0)) > 0 {
			t.Error("the race by happens-before is not found")
		}
		if t.Failed() {
			t.Fatal(text)
		}
	}
	t.Logf("%d races are suspected and %d predicted; of %d schedules, %d with sections that nest have only such that are suspected", certain[0], certain[1], n, weak)
}

// nested reports whether each goroutine releases the lock first that it has taken last.
func nested(events []schedule.Event) bool {
	held := map[schedule.GoroutineID][]schedule.Cell{}
	for i := range events {
		e := &events[i]
		list := held[e.Goroutine]
		switch e.Op {
		case schedule.Lock, schedule.RLock:
			held[e.Goroutine] = append(list, e.Cell())
		case schedule.Unlock, schedule.RUnlock:
			n := len(list) - 1
			if n < 0 || list[n] != e.Cell() {
				return false
			}
			held[e.Goroutine] = list[:n]
		}
	}
	return true
}
