package syncp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/analysistest"
	"github.com/everyway-go/everyway/internal/analysis/shb"
)

func TestRaces(t *testing.T) {
	for _, test := range []struct {
		name, events string
		want         []string
	}{
		{"a section that can be left out", analysistest.Two + `
			g0 write o1.0 - -
			g0 acq o1.9 mutex
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 write o1.0 - -`, []string{"data race: g0.4 write, g1.3 write"}},
		{"a section that a read needs", analysistest.Two + `
			g0 write o1.0 - -
			g0 acq o1.9 mutex
			g0 write o1.1 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 read o1.1 - -
			g1 rel o1.9
			g1 write o1.0 - -`, nil},
		{"a release that a later section needs", analysistest.Two + `
			g0 fork g2 -
			g2 begin
			g0 acq o1.9 mutex
			g0 write o1.1 - -
			g0 write o1.0 - -
			g0 rel o1.9
			g1 read o1.1 - -
			g1 acq o1.9 mutex
			g1 write o1.2 - -
			g1 rel o1.9
			g2 read o1.2 - -
			g2 write o1.0 - -`, []string{"data race: g0.6 write, g1.1 read", "data race: g1.3 write, g2.1 read"}},
		{"a common lock", analysistest.Two + `
			g0 acq o1.9 mutex
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 write o1.0 - -
			g1 rel o1.9`, nil},
		{"readers of a lock", analysistest.Two + `
			g0 racq o1.9
			g0 write o1.0 - -
			g0 rrel o1.9
			g1 racq o1.9
			g1 write o1.0 - -
			g1 rrel o1.9`, []string{"data race: g0.5 write, g1.2 write"}},
		{"a lock that another goroutine releases", analysistest.Two + `
			g0 acq o1.9 mutex
			g1 write o1.0 - -
			g1 rel o1.9
			g0 acq o1.9 mutex
			g0 read o1.0 - -`, nil},
		{"a channel stays in order", analysistest.Two + `
			g0 write o1.0 - -
			g0 send o2 - - -
			g1 receive o2 - - -
			g1 write o1.0 - -`, nil},
		{"a receive that can be left out", analysistest.Two + `
			g0 fork g2 -
			g2 begin
			g0 write o1.0 - -
			g0 send o2 - - -
			g2 receive o2 - - -
			g2 acq o1.9 mutex
			g2 rel o1.9
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 write o1.0 - -`, []string{"data race: g0.5 write, g1.3 write"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := analysistest.Find(t, Info, test.events); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestBruteForce checks on random schedules of memory and locks that exactly the sync-preserving races
// are found, and on others that every race that is found is one; and that those of shb are
// found.
func TestBruteForce(t *testing.T) {
	n := 6000
	if testing.Short() {
		n = 600
	}
	r := rand.New(rand.NewPCG(5, 6))
	total, beyond := 0, 0
	for range n {
		mix := analysistest.Mix{Goroutines: 1 + r.IntN(2), Events: 22, Atomics: r.IntN(2) == 0, Locks: r.IntN(4) > 0, Channels: r.IntN(3) == 0, Selects: r.IntN(2) == 0, WaitGroup: r.IntN(3) == 0, Conditions: r.IntN(3) == 0, Semaphores: r.IntN(3) == 0, Handoffs: r.IntN(4) == 0}
		text := analysistest.Random(r, mix)
		events := analysistest.Events(t, text)
		rule := analysistest.Rule{Locks: true, Others: true}
		found := analysistest.FindPairs(t, Info, events, 1000)
		for _, f := range found {
			analysistest.CheckWitness(t, events, f, rule)
		}
		if !mix.Channels && !mix.WaitGroup && !mix.Conditions && !mix.Handoffs {
			races := analysistest.Races(t, events, rule)
			for p := range races {
				if found[p] == nil {
					t.Errorf("the race of %v is not found", p)
				}
			}
		}
		before := analysistest.FindPairs(t, shb.Info, events, 0)
		for p := range before {
			if found[p] == nil {
				t.Errorf("the race of %v is found by shb only", p)
			}
		}
		if t.Failed() {
			t.Fatal(text)
		}
		total += len(found)
		beyond += len(found) - len(before)
	}
	t.Logf("%d races in %d schedules, %d beyond shb", total, n, beyond)
}

// TestWindows checks on random schedules that what is found is a race also if older events are
// forgotten.
func TestWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 1000 {
		text := analysistest.Random(r, analysistest.Mix{Goroutines: 2, Events: 40, Locks: true, Channels: true, Ends: r.IntN(2) == 0})
		events := analysistest.Events(t, text)
		narrow := Info
		narrow.New = func(c analysis.Config) analysis.Detector {
			c.Memory = r.Int64N(2000)
			d := newDetector(c).(*detector)
			d.limit = 5 + r.IntN(10)
			return d
		}
		all := analysistest.FindPairs(t, Info, events, 1000)
		for p, f := range analysistest.FindPairs(t, narrow, events, 1) {
			analysistest.CheckWitness(t, events, f, analysistest.Rule{Locks: true, Others: true})
			if all[p] == nil {
				t.Errorf("the race of %v is found with a bound only", p)
			}
		}
		if t.Failed() {
			t.Fatal(text)
		}
	}
}
