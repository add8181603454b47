package class

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/analysistest"
	"github.com/everyway-go/everyway/internal/analysis/syncp"
)

func TestRaces(t *testing.T) {
	for _, test := range []struct {
		name, events string
		want         map[string]int // number of findings by detector
	}{
		{"a plain race", analysistest.Two + `
			g0 write o1.0 i64:1 -
			g1 write o1.0 i64:1 -`, map[string]int{"strict": 1, "said": 1, "huang": 1, "loose": 1}},
		{"a section that can be left out", analysistest.Two + `
			g0 write o1.0 - -
			g0 acq o1.9 mutex
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 write o1.0 - -`, map[string]int{"strict": 1, "said": 1, "huang": 1, "loose": 1}},
		{"sections in another order", analysistest.Two + `
			g0 acq o1.9 mutex
			g0 write o1.0 i64:1 -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 rel o1.9
			g1 write o1.0 i64:2 -`, map[string]int{"strict": 0, "said": 1, "huang": 1, "loose": 1}},
		{"a flag that is not branched on", analysistest.Two + `
			g0 write o1.0 i64:1 -
			g0 acq o1.9 mutex
			g0 write o1.1 i64:1 -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 read o1.1 i64:1 v1
			g1 rel o1.9
			g1 write o1.0 i64:2 -`, map[string]int{"strict": 0, "said": 0, "huang": 1, "loose": 2}},
		{"a flag that is branched on", analysistest.Two + `
			g0 write o1.0 i64:1 -
			g0 acq o1.9 mutex
			g0 write o1.1 i64:1 -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 read o1.1 i64:1 v1
			g1 rel o1.9
			g1 branch v1 true
			g1 write o1.0 i64:2 -`, map[string]int{"strict": 0, "said": 0, "huang": 0, "loose": 2}},
		{"a flag of which it is not known what depends on it", analysistest.Two + `
			g0 write o1.0 i64:1 -
			g0 acq o1.9 mutex
			g0 write o1.1 i64:1 -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 read o1.1 i64:1 -
			g1 rel o1.9
			g1 write o1.0 i64:2 -`, map[string]int{"strict": 0, "said": 0, "huang": 0, "loose": 2}},
		{"another write of the same value", analysistest.Two + `
			g0 acq o1.9 mutex
			g0 write o1.1 i64:1 -
			g0 rel o1.9
			g0 write o1.0 i64:1 -
			g0 acq o1.9 mutex
			g0 write o1.1 i64:1 -
			g0 rel o1.9
			g1 acq o1.9 mutex
			g1 read o1.1 i64:1 -
			g1 rel o1.9
			g1 write o1.0 i64:2 -`, map[string]int{"strict": 1, "said": 1, "huang": 1, "loose": 3}},
		{"additions to a wait group change places", analysistest.SwappedAdds, map[string]int{"strict": 0, "said": 1, "huang": 1, "loose": 1}},
		{"a channel stays in order", analysistest.Two + `
			g0 write o1.0 - -
			g0 send o2 - - -
			g1 receive o2 - - -
			g1 write o1.0 - -`, map[string]int{"strict": 0, "said": 0, "huang": 0, "loose": 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, info := range []analysis.Info{Strict, Said, Huang, Loose} {
				found := analysistest.FindPairs(t, info, analysistest.Events(t, test.events), 1000)
				if len(found) != test.want[info.Name] {
					t.Errorf("%s finds %v, want %d", info.Name, found, test.want[info.Name])
				}
			}
		})
	}
}

// TestBruteForce checks on random schedules that each detector finds exactly the races of its
// class, that what it finds in others is a race, and that each class is part of the next.
func TestBruteForce(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 200
	}
	detectors := []analysis.Info{syncp.Info, Strict, Said, Huang, Loose}
	rules := []analysistest.Rule{
		{Locks: true, Others: true},
		{Reads: analysistest.SameValue, Locks: true, Writes: true, Others: true},
		{Reads: analysistest.SameValue, Others: true},
		{Reads: analysistest.SameBranches, Others: true},
	}
	r := rand.New(rand.NewPCG(9, 10))
	var totals [5]int
	for range n {
		mix := analysistest.Mix{Goroutines: 1 + r.IntN(2), Events: 20, Atomics: r.IntN(2) == 0, Locks: r.IntN(4) > 0, Channels: r.IntN(3) == 0, Selects: r.IntN(2) == 0, WaitGroup: r.IntN(3) == 0, Conditions: r.IntN(3) == 0, Semaphores: r.IntN(3) == 0, Handoffs: r.IntN(4) == 0, Branches: r.IntN(3) > 0}
		text := analysistest.Random(r, mix)
		events := analysistest.Events(t, text)
		var narrower map[[2]int64]*analysis.Finding
		for i, info := range detectors {
			found := analysistest.FindPairs(t, info, events, 1000)
			totals[i] += len(found)
			for p := range narrower {
				if found[p] == nil {
					t.Errorf("the race of %v is found by %s, but not by %s", p, detectors[i-1].Name, info.Name)
				}
			}
			narrower = found
			if i == 0 || i == len(rules) {
				continue
			}
			for _, f := range found {
				analysistest.CheckWitness(t, events, f, rules[i])
			}
			if !mix.Channels && !mix.WaitGroup && !mix.Handoffs {
				for p := range analysistest.Races(t, events, rules[i]) {
					if found[p] == nil {
						t.Errorf("the race of %v is not found by %s", p, info.Name)
					}
				}
			}
		}
		if t.Failed() {
			t.Fatal(text)
		}
	}
	t.Logf("races of %d schedules in syncp, strict, said, huang and loose: %v", n, totals)
	if !slices.IsSorted(totals[:]) || totals[0] == totals[1] || totals[2] == totals[3] {
		t.Errorf("the schedules do not tell the classes apart: %v", totals)
	}
}

// TestWindows checks on random schedules that what is found in narrow windows is found in a wide
// one, with a witness.
func TestWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 200 {
		text := analysistest.Random(r, analysistest.Mix{Goroutines: 2, Events: 40, Locks: true, Channels: true, Branches: true, Ends: true})
		events := analysistest.Events(t, text)
		all := analysistest.FindPairs(t, Huang, events, 1000)
		narrow := Huang
		narrow.New = func(c analysis.Config) analysis.Detector {
			c.Memory = r.Int64N(2000)
			return Huang.New(c)
		}
		for p, f := range analysistest.FindPairs(t, narrow, events, 10) {
			analysistest.CheckWitness(t, events, f, analysistest.Rule{Reads: analysistest.SameBranches, Others: true})
			if all[p] == nil {
				t.Errorf("the race of %v is found in a narrow window only", p)
			}
		}
		if t.Failed() {
			t.Fatal(text)
		}
	}
}
