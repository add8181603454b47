package cause

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// An act is a step with one event.
type act struct {
	goroutine int32
	op        schedule.Op
	object    int32
}

// failing returns the run of acts, each of which is at a place of its own.
func failing(acts []act) *Run {
	r := &Run{}
	for i, a := range acts {
		r.Steps = append(r.Steps, Step{Transition: run.Transition{Decision: run.Decision{Goroutine: a.goroutine}, Op: a.op}, Event: i})
		r.Events = append(r.Events, run.Event{
			Goroutine: a.goroutine, Op: a.op, Object: run.ObjectID{Count: a.object}, Other: -1, Site: run.SiteID{Instr: int32(i)},
		})
	}
	return r
}

func TestFind(t *testing.T) {
	const x, y = 1, 2
	for _, test := range []struct {
		name  string
		acts  []act
		fails func(order []int) bool // whether the run fails whose steps come in an order
		want  *Cause
	}{
		{"lost wake-up", []act{{1, schedule.AtomicRead, x}, {2, schedule.CondSignal, y}, {1, schedule.CondWait, y}},
			func(order []int) bool { return slices.Index(order, 1) < slices.Index(order, 2) }, &Cause{1, 2, schedule.CondWait, 1}},
		// Both orders of the first accesses fail: the write has to come before the first of the reads.
		{"check then act", []act{{1, schedule.AtomicRead, x}, {2, schedule.AtomicRead, x}, {2, schedule.AtomicWrite, x}, {1, schedule.AtomicWrite, x}},
			func(order []int) bool {
				at := func(i int) int { return slices.Index(order, i) }
				return at(0) < at(2) && at(1) < at(3)
			}, &Cause{1, 3, schedule.AtomicWrite, 2}},
		{"in any order", []act{{1, schedule.AtomicWrite, x}, {2, schedule.AtomicWrite, x}},
			func([]int) bool { return true }, nil},
		{"reads only", []act{{1, schedule.AtomicRead, x}, {2, schedule.AtomicRead, x}},
			func([]int) bool { t.Error("two reads were exchanged"); return true }, nil},
		{"different variables", []act{{1, schedule.AtomicWrite, x}, {2, schedule.AtomicWrite, y}},
			func([]int) bool { t.Error("operations on different variables were exchanged"); return true }, nil},
	} {
		r := failing(test.acts)
		got, err := Find(t.Context(), r, func(_ context.Context, order []int) (Attempt, error) {
			if sorted := slices.Sorted(slices.Values(order)); len(sorted) != len(r.Steps) || sorted[len(sorted)-1] != len(sorted)-1 {
				t.Fatalf("%s: order %v", test.name, order)
			}
			a := Attempt{Passes: !test.fails(order)}
			for _, i := range order {
				a.Events = append(a.Events, r.Events[i])
			}
			return a, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if (got == nil) != (test.want == nil) || got != nil && *got != *test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// A run that passes is no cause unless the two steps have changed places in it: the order is followed only as far
// as that is possible.
func TestFindNotExchanged(t *testing.T) {
	r := failing([]act{{1, schedule.AtomicWrite, 1}, {2, schedule.AtomicWrite, 1}})
	got, err := Find(t.Context(), r, func(context.Context, []int) (Attempt, error) { return Attempt{Events: r.Events, Passes: true}, nil })
	if got != nil || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

// The work is bounded, and an error ends it.
func TestFindBounds(t *testing.T) {
	var acts []act
	for i := range int32(100) {
		acts = append(acts, act{i % 2, schedule.AtomicWrite, 1})
	}
	r, tries := failing(acts), 0
	got, err := Find(t.Context(), r, func(context.Context, []int) (Attempt, error) {
		tries++
		return Attempt{Events: r.Events, Passes: false}, nil
	})
	if got != nil || err != nil || tries != maxRuns {
		t.Errorf("%+v, %v after %d runs, want %d", got, err, tries, maxRuns)
	}
	acts = nil
	for range 500_000 { // as many accesses of one goroutine to one variable, which are no pairs
		acts = append(acts, act{0, schedule.AtomicWrite, 1})
	}
	acts = append(acts, act{1, schedule.AtomicWrite, 1}, act{0, schedule.AtomicWrite, 1})
	if n := len(pairs(failing(acts))); n == 0 || n > maxPairs {
		t.Errorf("%d pairs of a long run", n)
	}
	wrong := errors.New("wrong")
	if _, err := Find(t.Context(), r, func(context.Context, []int) (Attempt, error) { return Attempt{}, wrong }); !errors.Is(err, wrong) {
		t.Errorf("error %v", err)
	}
}
