package m2

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis/analysistest"
)

const two = `
	g0 new o1 memory 0 - 0 -
	g0 new o2 chan 1 - 0 -
	g0 fork g1 -
	g1 begin
`

func TestRaces(t *testing.T) {
	for _, test := range []struct {
		name, events string
		want         []string
	}{
		{"a section that begins late", two + `
			g0 acq o1.9 mutex
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 write o1.0 - -`, []string{"data race: g0.5 write, g1.3 write"}},
		{"a section that another one has seen", two + `
			g0 acq o1.9 mutex
			g0 write o1.1 - -
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 read o1.1 - -
			g1 rel o1.9
			g1 write o1.0 - -`, nil},
		{"a section in one that begins late, and another later", two + `
			g0 acq o1.9 mutex
			g0 acq o1.8 mutex
			g0 rel o1.8
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 acq o1.8 mutex
			g1 rel o1.8
			g1 write o1.0 - -`, []string{"data race: g0.7 write, g1.5 write"}},
		{"readers, and a writer that begins late", two + `
			g0 acq o1.9 rwmutex
			g0 write o1.0 - -
			g0 rel o1.9
			g1 racq o1.9
			g1 rrel o1.9
			g1 write o1.0 - -`, []string{"data race: g0.5 write, g1.3 write"}},
		{"a channel stays in order", two + `
			g0 write o1.0 - -
			g0 send o2 - - -
			g1 receive o2 - - -
			g1 write o1.0 - -`, nil},
		{"a wait group stays in order", two + `
			g0 acq o1.9 mutex
			g0 add o1.7 1
			g0 write o1.0 - -
			g0 rel o1.9
			g1 add o1.7 1
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 write o1.0 - -`, nil},
		{"a message from a section that would begin late", two + `
			g0 acq o1.9 mutex
			g0 send o2 - - -
			g0 write o1.0 - -
			g0 rel o1.9
			g1 receive o2 - - -
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 write o1.0 - -`, nil},
		{"a common lock", two + `
			g0 acq o1.9 mutex
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 write o1.0 - -
			g1 rel o1.9`, nil},
		{"a go statement in a section", `
			g0 new o1 memory 0 - 0 -
			g0 acq o1.9 mutex
			g0 fork g1 -
			g1 begin
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 write o1.0 - -`, nil},
		{"Done before Wait", two + `
			g0 add o1.7 1
			g1 write o1.0 - -
			g1 add o1.7 -1
			g0 wait o1.7 true
			g0 write o1.0 - -`, nil},
		{"atomic operations that see each other", two + `
			g0 write o1.0 - -
			g0 atomicwrite o1.1 i64:1 -
			g1 atomicread o1.1 i64:1 -
			g1 write o1.0 - -`, nil},
		{"a lock that another goroutine releases", two + `
			g0 acq o1.9 mutex
			g1 write o1.0 - -
			g1 rel o1.9
			g0 acq o1.9 mutex
			g0 read o1.0 - -`, nil},
		{"ended sections that change places", two + `
			g0 acq o1.9 mutex
			g0 acq o1.8 mutex
			g0 rel o1.8
			g0 write o1.0 - -
			g0 rel o1.9
			g1 acq o1.8 mutex
			g1 rel o1.8
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 write o1.0 - -`, []string{"data race: g0.7 write, g1.5 write"}},
		{"writes that change places", two + `
			g0 acq o1.9 mutex
			g0 write o1.1 - -
			g0 write o1.0 - -
			g0 rel o1.9
			g1 write o1.1 - -
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 write o1.0 - -`, []string{"data race: g0.5 write, g1.1 write", "data race: g0.6 write, g1.4 write"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := analysistest.Find(t, Info, test.events); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
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
