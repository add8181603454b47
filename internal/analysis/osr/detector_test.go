package osr

import (
	"math/rand/v2"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/analysistest"
	"github.com/everyway-go/everyway/internal/analysis/syncp"
)

func TestRaces(t *testing.T) {
	analysistest.Check(t, Info, analysistest.Late()...)
	analysistest.Check(t, Info,
		analysistest.Case{Name: "ended sections that change places", Events: analysistest.SwappedSections},
		analysistest.Case{Name: "additions to a wait group that change places", Events: analysistest.SwappedAdds},
		analysistest.Case{Name: "writes that change places", Events: analysistest.SwappedWrites, Want: []string{"data race: g0.5 write, g1.1 write"}},
	)
}

// TestBruteForce checks on random schedules that every race that is found is one, and that those of syncp are found.
func TestBruteForce(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 300
	}
	r := rand.New(rand.NewPCG(17, 18))
	found, beyond, missed := 0, 0, 0
	for range n {
		mix := analysistest.Mix{Goroutines: 1 + r.IntN(2), Events: 24, Atomics: r.IntN(2) == 0, Locks: r.IntN(4) > 0, MoreLocks: r.IntN(3) == 0, Channels: r.IntN(3) == 0, WaitGroup: r.IntN(3) == 0, Handoffs: r.IntN(4) == 0}
		text := analysistest.Random(r, mix)
		events := analysistest.Events(t, text)
		rule := analysistest.Rule{Others: true}
		pairs := analysistest.FindPairs(t, Info, events, 1000)
		races := analysistest.Races(t, events, rule)
		for p, f := range pairs {
			analysistest.CheckWitness(t, events, f, rule)
			if !races[p] {
				t.Errorf("%v is no race", p)
			}
		}
		before := analysistest.FindPairs(t, syncp.Info, events, 1000)
		for p := range before {
			if pairs[p] == nil {
				t.Errorf("the race of %v is found by syncp only", p)
			}
		}
		if t.Failed() {
			t.Fatal(text)
		}
		found += len(pairs)
		beyond += len(pairs) - len(before)
		missed += len(races) - len(pairs)
	}
	t.Logf("%d races in %d schedules, %d beyond syncp, %d others not found", found, n, beyond, missed)
}

// TestBounds checks on random schedules that what is found is a race also if older events are forgotten, or not known.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 1000 {
		text := analysistest.Random(r, analysistest.Mix{Goroutines: 2, Events: 40, Locks: true, Ends: r.IntN(2) == 0, MoreLocks: true, Channels: true})
		events := analysistest.Events(t, text)
		narrow := Info
		narrow.New = func(c analysis.Config) analysis.Detector {
			c.Memory = r.Int64N(2000)
			d := newDetector(c).(*detector)
			d.limit, d.log.limit = 5+r.IntN(10), 10
			return d
		}
		all := analysistest.FindPairs(t, Info, events, 1000)
		for p, f := range analysistest.FindPairs(t, narrow, events, 1) {
			analysistest.CheckWitness(t, events, f, analysistest.Rule{Others: true})
			if all[p] == nil {
				t.Errorf("the race of %v is found with a bound only", p)
			}
		}
		if t.Failed() {
			t.Fatal(text)
		}
	}
}
