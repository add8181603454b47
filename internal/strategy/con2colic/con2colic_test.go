package con2colic

import (
	"testing"

	"github.com/everyway-go/everyway/internal/strategy/con2colic/internal/toy"
)

// search runs a search to its end, and returns for each side of each branch the
// degree at which it was covered, toy.Unreachable where it was not.
func search(t *testing.T, p *toy.Program, o Options, maxRuns int) ([]int, *Strategy) {
	t.Helper()
	degrees := make([]int, 2*p.Branches())
	for i := range degrees {
		degrees[i] = toy.Unreachable
	}
	c := New(o)
	c.shared = p.PlainObjects()
	m := toy.NewMachine(p)
	for runs := 0; ; runs++ {
		if runs > maxRuns {
			t.Fatalf("no end after %d runs and %d candidates", runs, c.Status().Candidates)
		}
		job, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		if job == nil {
			return degrees, c
		}
		s := c.scenario
		trace := m.Run(job.Plan, job.Scheduler)
		if s != nil {
			for i := range degrees {
				if trace.Covered[i/64]>>(i%64)&1 != 0 && degrees[i] == toy.Unreachable {
					degrees[i] = s.degree
				}
			}
		}
		if err := c.Learn(job, trace, m.Arena); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAgainstEnumeration compares what is covered at each degree with what an
// enumeration of all inputs and interleavings finds, on generated programs.
func TestAgainstEnumeration(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 300
	}
	checked := 0
	for seed := range uint64(n) {
		p := toy.Generate(seed)
		want, ok := toy.Enumerate(p, 30000)
		if !ok {
			continue
		}
		checked++
		const k = 3
		got, c := search(t, p, Default(k), 3000)
		for i, w := range want {
			if w > k {
				w = toy.Unreachable
			}
			if got[i] != w {
				t.Errorf("seed %d: branch %d side %d: covered at degree %d, want %d; open: %v", seed, i/2, i%2, got[i], w, c.Status().Open)
				break
			}
		}
	}
	t.Logf("%d programs checked", checked)
}
