package vm_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
)

// An asker is a scheduler that compares what goroutines are about to do with what
// they say when they are asked again.
type asker struct {
	run.Scheduler
	t       *testing.T
	machine *vm.Machine
	points  int
}

func (a *asker) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Step {
		a.points++
		was := slices.Clone(p.Pending)
		if now := a.machine.AskAgain(); !reflect.DeepEqual(was, now) {
			a.t.Fatalf("what is pending is remembered as\n%+v\nbut is\n%+v", was, now)
		}
	}
	return a.Scheduler.Choose(p)
}

// What is remembered of the options of goroutines is what they would say.
func TestOptionsRemembered(t *testing.T) {
	for _, dir := range []string{"channels", "locks", "time", "mixed", "spins"} {
		p := loadFuncs(t, "concurrent/"+dir)
		points := 0
		for _, name := range p.some() {
			m := p.runner(t, name)
			for seed := range uint64(40) {
				m.EagerTimers = seed%2 == 0
				a := &asker{Scheduler: run.Random(seed), t: t, machine: m.Machine}
				m.run(t, &run.Plan{}, a)
				points += a.points
			}
		}
		if points == 0 {
			t.Errorf("%s: no choices", dir)
		}
	}
}

// Goroutines that wait are not asked again at each step of the others: ten times as
// many goroutines are asked ten times as often.
func TestWaitingNotAsked(t *testing.T) {
	p := loadFuncs(t, "concurrent/many")
	asks := func(fn string) uint64 {
		m := p.runner(t, fn)
		before := m.Asks()
		if trace, _ := m.run(t, &run.Plan{}, run.NonPreemptive{}); trace.Outcome != run.Finished {
			t.Fatalf("%s ended with %v: %s", fn, trace.Outcome, trace.Message)
		}
		return m.Asks() - before
	}
	if hundred, thousand := asks("hundred"), asks("thousand"); thousand > 11*hundred {
		t.Errorf("asked %d times in a run of a hundred goroutines, %d times in one of a thousand", hundred, thousand)
	}
	for _, what := range []string{"receive", "send", "sendFull", "selects", "lock", "rlock", "group", "cond"} {
		hundred, thousand := asks(what+"100"), asks(what+"1000")
		t.Log(what, hundred, thousand)
		if more := thousand - hundred; more > 10*900 {
			t.Errorf("%s: while two goroutines exchange values, 900 more that wait are asked %d times more", what, more)
		}
	}
}

// A small run leaves no garbage.
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
