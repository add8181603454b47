package vm_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
)

// A recomputer is a scheduler that compares the pending transitions that the machine has
// kept with those that it computes anew.
type recomputer struct {
	run.Scheduler
	t       *testing.T
	machine *vm.Machine
	points  int
}

func (a *recomputer) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Step {
		a.points++
		was := slices.Clone(p.Pending)
		if now := a.machine.Recompute(); !reflect.DeepEqual(was, now) {
			a.t.Fatalf("the pending transitions are kept as\n%+v\nbut is\n%+v", was, now)
		}
	}
	return a.Scheduler.Choose(p)
}

// TestTransitionsKept tests that the transitions that are kept between scheduling points
// are those that would be computed anew.
func TestTransitionsKept(t *testing.T) {
	for _, dir := range []string{"channels", "locks", "time", "mixed", "spins"} {
		p := loadFuncs(t, "concurrent/"+dir)
		points := 0
		for _, name := range p.some() {
			m := p.runner(t, name)
			for seed := range uint64(40) {
				m.Stall = stalls[int(seed)%len(stalls)]
				a := &recomputer{Scheduler: run.Random(seed), t: t, machine: m.Machine}
				m.run(t, &run.Plan{}, a)
				points += a.points
			}
		}
		if points == 0 {
			t.Errorf("%s: no choices", dir)
		}
	}
}

// TestWaitingNotRecomputed tests that the transitions of waiting goroutines are not
// computed again at each step of the others: ten times as many goroutines take ten times
// as many computations.
func TestWaitingNotRecomputed(t *testing.T) {
	p := loadFuncs(t, "concurrent/many")
	computations := func(fn string) uint64 {
		m := p.runner(t, fn)
		before := m.Computations()
		if trace, _ := m.run(t, &run.Plan{}, run.NonPreemptive{}); trace.Outcome != run.Finished {
			t.Fatalf("%s ended with %v: %s", fn, trace.Outcome, trace.Message)
		}
		return m.Computations() - before
	}
	if hundred, thousand := computations("hundred"), computations("thousand"); thousand > 11*hundred {
		t.Errorf("%d computations in a run of a hundred goroutines, %d in one of a thousand", hundred, thousand)
	}
	for _, what := range []string{"receive", "send", "sendFull", "selects", "lock", "rlock", "group", "cond"} {
		hundred, thousand := computations(what+"100"), computations(what+"1000")
		t.Log(what, hundred, thousand)
		if more := thousand - hundred; more > 10*900 {
			t.Errorf("%s: while two goroutines exchange values, 900 more that wait cost %d more computations", what, more)
		}
	}
}

// TestNoGarbage tests that a small run does not allocate.
func TestNoGarbage(t *testing.T) {
	m := loadFuncs(t, "concurrent/small").runner(t, "locked")
	plan, sched := &run.Plan{}, run.Random(1)
	n := testing.AllocsPerRun(500, func() {
		if _, err := m.Run(t.Context(), plan, sched); err != nil {
			t.Fatal(err)
		}
	})
	if n >= 1 {
		t.Errorf("%v allocations a run", n)
	}
}
