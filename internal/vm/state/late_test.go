package state

import (
	"math/rand/v2"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/schedule"
)

// TestLateIndex compares the latest of the steps on which a transition depends, by the index, with
// that which looking at all of them gives.
func TestLateIndex(t *testing.T) {
	found := 0
	for seed := range sample.Of(3000, 1000, 200) {
		r := rand.New(rand.NewPCG(uint64(seed), 0))
		var steps []LateStep
		var index LateIndex
		time := int64(0)
		for range 60 {
			time += r.Int64N(3)
			steps = append(steps, LateStep{Transition: anyTransition(r, r.Int32N(4)), Time: time})
			if r.IntN(4) == 0 {
				index.Add(steps, len(steps))
			}
		}
		index.Add(steps, len(steps))
		for range 20 {
			// It is of another goroutine: of its own steps and its partner's, clocks tell.
			of := anyTransition(r, 9)
			want, got := int64(-1), int64(-1)
			for i := range steps {
				if run.Dependent(&steps[i].Transition, &of) {
					want = max(want, steps[i].Time)
				}
			}
			for list := range index.Lists(&of) {
				for i := range list.Steps {
					if list.Steps[i].Time > list.Latest {
						t.Errorf("seed %d: a step is later than the latest of its list", seed)
					}
					if run.Dependent(&list.Steps[i].Transition, &of) {
						got = max(got, list.Steps[i].Time)
					}
				}
			}
			if got != want {
				t.Errorf("seed %d: the latest step on which %+v depends is at %d, want %d", seed, of, got, want)
			}
			if want >= 0 {
				found++
			}
		}
	}
	if found < 1000 {
		t.Errorf("%d transitions depend on others: too few", found)
	}
}

// anyTransition returns a transition of a goroutine with few objects, so that many are alike.
func anyTransition(r *rand.Rand, goroutine int32) run.Transition {
	object := func() run.ObjectID { return run.ObjectID{Goroutine: 0, Count: 1 + r.Int32N(4)} }
	maybe := func(n int) bool { return r.IntN(n) == 0 }
	t := run.Transition{
		Decision: run.Decision{Kind: run.Step, Goroutine: goroutine},
		Op:       schedule.Op(r.IntN(int(schedule.TimePass) + 1)),
		Object:   object(), Offset: r.Int32N(2), Cells: 1, Partner: -1, State: r.Int64N(2), Delta: r.Int64N(3),
		Compares: maybe(8), Commutes: maybe(8), Queued: maybe(8), Contingent: maybe(16), Enabled: true,
	}
	switch {
	case maybe(16):
		t.Object = run.NoObject
	case maybe(32):
		t.Object = run.GoroutinesObject
	case maybe(16):
		t.Object = run.ClockObject
	}
	if maybe(8) {
		t.From = run.Range{Object: object(), Cells: 1}
	}
	if maybe(8) {
		t.Queue = object()
	}
	if maybe(8) {
		t.Bubble = object()
	}
	if t.Spins = maybe(8); t.Spins || maybe(16) {
		t.Awaits = []run.Range{{Object: object(), Cells: 1}}
	}
	return t
}
