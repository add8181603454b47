package shb

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/analysistest"
	"github.com/everyway-go/everyway/internal/analysis/happensbefore"
)

const two = `
	g0 new o1 memory 0 - 0 -
	g0 new o2 chan 0 - 0 -
	g0 new o3 chan 1 - 0 -
	g0 fork g1 -
	g1 begin
`

func TestRaces(t *testing.T) {
	for _, test := range []struct {
		name, events string
		want         []string
	}{
		// A flag is set after the data, and nothing but the flag orders them.
		{"a race that only the first one makes possible", two + `
			g0 write o1.0 - -
			g0 write o1.1 - -
			g1 read o1.1 - -
			g1 write o1.0 - -`, []string{"data race: g0.6 write, g1.1 read"}},
		{"a second race", two + `
			g0 write o1.1 - -
			g0 write o1.0 - -
			g1 write o1.1 - -
			g1 read o1.0 - -`, []string{"data race: g0.5 write, g1.1 write", "data race: g0.6 write, g1.2 read"}},
		{"write and read", two + `
			g0 write o1.0 - -
			g1 read o1.0 - -`, []string{"data race: g0.5 write, g1.1 read"}},
		{"locks stay in their order", two + `
			g0 write o1.0 - -
			g0 acq o1.9 mutex
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 write o1.0 - -`, nil},
		{"a read lock orders no reader", two + `
			g0 write o1.0 - -
			g0 racq o1.9
			g0 rrel o1.9
			g1 racq o1.9
			g1 rrel o1.9
			g1 write o1.0 - -`, []string{"data race: g0.5 write, g1.3 write"}},
		{"a send before its receive", two + `
			g0 write o1.0 - -
			g0 send o3 - - -
			g1 receive o3 - - -
			g1 write o1.0 - -`, nil},
		{"a receive before the completion of a send without a buffer", two + `
			g1 write o1.0 - -
			g0 send o2 - - -
			g1 receive o2 - - -
			g0 write o1.0 - -`, nil},
		{"a receive before a send into its place", two + `
			g0 send o3 - - -
			g1 write o1.0 - -
			g1 receive o3 - - -
			g0 send o3 - - -
			g0 write o1.0 - -`, nil},
		{"what len has found", two + `
			g0 write o1.0 - -
			g0 send o3 - - -
			g1 length o3 i64:1 -
			g1 write o1.0 - -`, nil},
		{"a close before a receive because of it", two + `
			g0 write o1.0 - -
			g0 close o3
			g1 receiveclosed o3 -
			g1 write o1.0 - -`, nil},
		{"Done before Wait", two + `
			g0 add o1.7 1
			g1 write o1.0 - -
			g1 add o1.7 -1
			g0 wait o1.7 true
			g0 write o1.0 - -`, nil},
		{"Dones do not order each other", two + `
			g0 add o1.7 2
			g0 fork g2 -
			g2 begin
			g1 write o1.0 - -
			g1 add o1.7 -1
			g2 add o1.7 -1
			g2 write o1.0 - -`, []string{"data race: g1.1 write, g2.2 write"}},
		{"signal", two + `
			g0 condwait o1.9
			g1 write o1.0 - -
			g1 signal o1.9 g0
			g0 condwake o1.9
			g0 write o1.0 - -`, nil},
		{"once", two + `
			g0 write o1.0 - -
			g0 once o1.9
			g1 onceseen o1.9
			g1 write o1.0 - -`, nil},
		{"an atomic write before the read that sees it", two + `
			g0 write o1.0 - -
			g0 atomicwrite o1.9 - -
			g1 atomicread o1.9 - -
			g1 write o1.0 - -`, nil},
		{"atomic writes do not order each other", two + `
			g0 write o1.0 - -
			g0 atomicwrite o1.9 - -
			g1 atomicwrite o1.9 - -
			g1 write o1.0 - -`, []string{"data race: g0.5 write, g1.2 write"}},
		{"atomic and plain", two + `
			g0 atomicwrite o1.0 - -
			g1 read o1.0 - -`, []string{"data race: g0.5 atomicwrite, g1.1 read"}},
		{"a failed try orders nothing", two + `
			g0 acq o1.9 mutex
			g0 write o1.0 - -
			g1 tryfail o1.9
			g1 read o1.0 - -`, []string{"data race: g0.6 write, g1.2 read"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := analysistest.Find(t, Info, test.events); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestWitnesses checks on random schedules that every race that is reported is one, by its
// witness, and that the access with which the first one of happensbefore is complete is in
// one of them.
func TestWitnesses(t *testing.T) {
	n := 20_000
	if testing.Short() {
		n = 2000
	}
	r := rand.New(rand.NewPCG(1, 2))
	races := 0
	for range n {
		mix := analysistest.Mix{Goroutines: 1 + r.IntN(3), Events: 24, Atomics: r.IntN(2) == 0, Locks: r.IntN(2) == 0, Channels: r.IntN(3) == 0, Selects: r.IntN(2) == 0, WaitGroup: r.IntN(3) == 0, Conditions: r.IntN(3) == 0, Semaphores: r.IntN(3) == 0, Handoffs: r.IntN(4) == 0}
		text := analysistest.Random(r, mix)
		events := analysistest.Events(t, text)
		found := analysistest.FindPairs(t, Info, events, 0)
		for _, f := range found {
			analysistest.CheckWitness(t, events, f, analysistest.Rule{Locks: true, Others: true})
		}
		races += len(found)
		if observed := first(analysistest.FindPairs(t, happensbefore.Info, events, 0)); !mix.Channels && !mix.WaitGroup && !mix.Conditions && !mix.Handoffs && observed != nil {
			if !slices.ContainsFunc(slices.Collect(maps.Values(found)), func(f *analysis.Finding) bool { return f.Sites[1].Order == observed.Sites[1].Order }) {
				t.Errorf("the first race is not found: %v", observed.Sites)
			}
		}
		if t.Failed() {
			t.Fatal(text)
		}
	}
	if races < n/2 {
		t.Errorf("only %d races in %d schedules", races, n)
	}
}

// first returns the finding whose second access is first.
func first(found map[[2]int64]*analysis.Finding) (first *analysis.Finding) {
	for _, f := range found {
		if first == nil || f.Sites[1].Order < first.Sites[1].Order {
			first = f
		}
	}
	return first
}

// TestBounds checks on random schedules that what is found is a race also if older events are forgotten.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	missed := 0
	for range 1000 {
		text := analysistest.Random(r, analysistest.Mix{Goroutines: 2, Events: 40, Locks: true, Channels: true, Ends: r.IntN(2) == 0})
		events := analysistest.Events(t, text)
		narrow := Info
		narrow.New = func(c analysis.Config) analysis.Detector {
			c.Memory = r.Int64N(2000)
			return newDetector(c)
		}
		all, found := analysistest.FindPairs(t, Info, events, 0), analysistest.FindPairs(t, narrow, events, 0)
		for p, f := range found {
			analysistest.CheckWitness(t, events, f, analysistest.Rule{Locks: true, Others: true})
			if all[p] == nil {
				t.Errorf("the race of %v is found with a bound only", p)
			}
		}
		missed += len(all) - len(found)
		if t.Failed() {
			t.Fatal(text)
		}
	}
	if missed == 0 {
		t.Error("nothing is forgotten")
	}
}
