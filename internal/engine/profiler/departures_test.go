package profiler

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// At a node of a tree with n children n-1 runs depart, whatever the order of the runs, and one run
// departs nowhere.
func TestDepartures(t *testing.T) {
	arena := expr.NewArena()
	conditions := []expr.ID{arena.Var("x", 1), arena.Var("y", 1)}
	var runs []*run.Trace
	want := map[string]int{}
	rng := rand.New(rand.NewPCG(1, 2))
	var grow func(t *run.Trace, depth int)
	grow = func(t *run.Trace, depth int) {
		n := 1 + rng.IntN(3)
		if depth == 0 {
			n = 0
		}
		if n == 0 {
			runs = append(runs, t)
			return
		}
		of := "decisions"
		branch := rng.IntN(3) == 0
		if branch {
			of, n = "conditions", 2
		}
		for i := range n {
			c := t.Clone()
			if branch {
				x := conditions[rng.IntN(2)]
				if i > 0 {
					x = arena.Not(x)
				}
				c.Path = append(c.Path, run.Condition{Decision: int32(len(c.Decisions)), Cond: x})
			} else {
				c.Decisions = append(c.Decisions, run.Decision{Goroutine: int32(i)})
			}
			grow(c, depth-1)
		}
		want[of] += n - 1
	}
	grow(&run.Trace{Path: []run.Condition{{Cond: conditions[1], Kind: run.Assumed}}}, 8)
	for range 5 {
		rng.Shuffle(len(runs), func(i, k int) { runs[i], runs[k] = runs[k], runs[i] })
		d := NewDepartures()
		got := map[string]int{}
		for i, r := range runs {
			of := elements(r, nil)
			common, any := d.add(beginnings(r, arena, of, nil))
			switch {
			case any != (i > 0):
				t.Fatalf("run %d: any is %v", i, any)
			case i > 0 && of[common].condition:
				got["conditions"]++
			case i > 0:
				got["decisions"]++
			}
			if again, _ := d.add(beginnings(r, arena, of, nil)); again != len(of) {
				t.Fatalf("a run that was there has %d elements of %d in common", again, len(of))
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d runs: got %v, want %v", len(runs), got, want)
		}
	}
}

// Elements are in the order in which they happened, without what was only assumed.
func TestElements(t *testing.T) {
	r := &run.Trace{
		Decisions: make([]run.Decision, 3),
		Path:      []run.Condition{{Decision: 0}, {Decision: 1, Kind: run.Assumed}, {Decision: 1}, {Decision: 1}, {Decision: 3}},
	}
	want := "[{0 true} {0 false} {2 true} {3 true} {1 false} {2 false} {4 true}]"
	if got := fmt.Sprint(elements(r, nil)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
