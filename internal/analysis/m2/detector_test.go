package m2

import (
	"math/rand/v2"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis/analysistest"
)

func TestRaces(t *testing.T) {
	analysistest.Check(t, Info, analysistest.Late()...)
	analysistest.Check(t, Info,
		analysistest.Case{Name: "ended sections that change places", Events: analysistest.SwappedSections, Want: []string{"data race: g0.7 write, g1.5 write"}},
		analysistest.Case{Name: "additions to a wait group that change places", Events: analysistest.SwappedAdds, Want: []string{"data race: g0.6 write, g1.4 write"}},
		analysistest.Case{Name: "writes that change places", Events: analysistest.SwappedWrites, Want: []string{"data race: g0.5 write, g1.1 write", "data race: g0.6 write, g1.4 write"}},
	)
}

// TestBruteForce checks on random schedules that every race that is found is one, and that of two goroutines that
// share memory and locks all are found in which every read sees the write that it has seen.
func TestBruteForce(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 300
	}
	r := rand.New(rand.NewPCG(13, 14))
	found, missed := 0, 0
	for range n {
		mix := analysistest.Mix{Goroutines: 1 + r.IntN(2), Events: 22, Atomics: r.IntN(2) == 0, Locks: r.IntN(4) > 0, MoreLocks: r.IntN(4) == 0, Channels: r.IntN(3) == 0, WaitGroup: r.IntN(3) == 0, Handoffs: r.IntN(4) == 0}
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
		for p := range races {
			switch {
			case pairs[p] != nil:
				found++
			case mix.Goroutines == 1 && !mix.Channels && !mix.WaitGroup && !mix.Handoffs:
				t.Errorf("the race of %v is not found", p)
			default:
				missed++
			}
		}
		if t.Failed() {
			t.Fatal(text)
		}
	}
	t.Logf("%d races in %d schedules, %d others not found", found, n, missed)
}

// TestWindows checks on random schedules that what is found in narrow windows is a race.
func TestWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 500 {
		text := analysistest.Random(r, analysistest.Mix{Goroutines: 2, Events: 40, Locks: true, Channels: true, Atomics: true})
		events := analysistest.Events(t, text)
		for _, f := range analysistest.FindPairs(t, Info, events, 10) {
			analysistest.CheckWitness(t, events, f, analysistest.Rule{Others: true})
		}
		if t.Failed() {
			t.Fatal(text)
		}
	}
}
