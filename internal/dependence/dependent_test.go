package dependence_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis/analysistest"
	"github.com/everyway-go/everyway/internal/analysis/order"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/schedule"
)

// TestIndependent checks on random schedules what the package promises: two events on the same
// thing, one after the other, that it calls independent can change places, so that what comes after
// them is as possible as before, and happens after the same.
func TestIndependent(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	swapped := map[[2]schedule.Op]int{}
	for range 1500 {
		mix := analysistest.Mix{Goroutines: 2, Events: 24, Atomics: r.IntN(2) == 0, Locks: r.IntN(2) == 0, Channels: r.IntN(2) == 0, Closes: r.IntN(2) == 0, Selects: r.IntN(3) == 0, WaitGroup: r.IntN(2) == 0, Conditions: r.IntN(2) == 0, Semaphores: r.IntN(2) == 0}
		text := analysistest.Random(r, mix)
		events := analysistest.Events(t, text)
		want := happensBefore(events)
		for i := range len(events) - 1 {
			e, f := &events[i], &events[i+1]
			if e.Goroutine == f.Goroutine || e.Object != f.Object || e.Object == 0 || e.Cell() != f.Cell() || e.Op == schedule.New || f.Op == schedule.New ||
				dependence.Dependent(dependence.OperationOf(e), dependence.OperationOf(f)) {
				continue
			}
			without := slices.Delete(slices.Clone(events), i, i+1)
			if possible(without[:i+1]) < i+1 {
				continue // the first event has enabled the second one
			}
			other := slices.Clone(events)
			other[i], other[i+1] = other[i+1], other[i]
			if n := possible(other); n < len(other) {
				t.Fatalf("%v and %v are independent, but then event %d is not possible:\n%s", e.Op, f.Op, n, text)
			}
			if got := happensBefore(other); !slices.EqualFunc(got, want, slices.Equal[vectorclock.Clock]) {
				t.Fatalf("%v and %v are independent, but happens-before is %v, not %v:\n%s", e.Op, f.Op, got, want, text)
			}
			swapped[[2]schedule.Op{min(e.Op, f.Op), max(e.Op, f.Op)}]++
		}
	}
	for _, pair := range [][2]schedule.Op{
		{schedule.Read, schedule.Read}, {schedule.AtomicRead, schedule.AtomicRead}, {schedule.RLock, schedule.RLock}, {schedule.RUnlock, schedule.RUnlock},
		{schedule.WaitGroupAdd, schedule.WaitGroupAdd}, {schedule.CondWait, schedule.CondWake}, {schedule.SemRelease, schedule.SemRelease},
	} {
		if swapped[pair] == 0 {
			t.Errorf("no %v and %v have changed places, in %v", pair[0], pair[1], swapped)
		}
	}
}

// possible returns how many of the events are possible, each after those before it.
func possible(events []schedule.Event) int {
	state := schedule.NewState(schedule.NewTable())
	for i := range events {
		e := events[i].Clone()
		if state.Next(&e) != nil {
			return i
		}
	}
	return len(events)
}

// happensBefore returns what has happened before the end of each goroutine.
func happensBefore(events []schedule.Event) (clocks []vectorclock.Clock) {
	state, relation := schedule.NewState(schedule.NewTable()), order.New()
	for i := range events {
		e := events[i].Clone()
		if state.Next(&e) != nil {
			return nil
		}
		relation.Event(&e)
	}
	for g := range schedule.GoroutineID(state.Goroutines()) {
		clocks = append(clocks, slices.Clone(relation.Clock(g)))
	}
	return clocks
}
