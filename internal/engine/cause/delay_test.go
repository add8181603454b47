package cause

import (
	"context"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A program is what goroutines do, each in its order, and what they would do after a run that has failed.
type program struct {
	run   *Run
	more  []act                  // the steps that others could still take
	fails func(order []int) bool // whether a run fails, by the places of its steps; those of more come after those of the run
	tried []Delay                // so far
}

func newProgram(acts, more []act, fails func(order []int) bool) *program {
	return &program{run: failing(acts), more: more, fails: fails}
}

func transition(a act) run.Transition {
	return run.Transition{Decision: run.Decision{Goroutine: a.goroutine}, Op: a.op, Object: run.ObjectID{Count: a.object}, Cells: 1, Partner: -1}
}

// try makes a run with a delay: others take the steps of the run and those that come after it.
func (p *program) try(_ context.Context, d Delay) (Delayed, error) {
	p.tried = append(p.tried, d)
	var order []int
	for i := range d.Step {
		order = append(order, i)
	}
	g := p.run.Steps[d.Step].Goroutine
	var made Delayed
	var rest []int
	for i := d.Step; i < len(p.run.Steps)+len(p.more); i++ {
		t := run.Transition{}
		if i < len(p.run.Steps) {
			t = p.run.Steps[i].Transition
		} else {
			t = transition(p.more[i-len(p.run.Steps)])
		}
		if t.Goroutine == g || len(made.Ahead) == d.Others {
			rest = append(rest, i)
			continue
		}
		made.Ahead = append(made.Ahead, t)
		order = append(order, i)
	}
	made.Passes = !p.fails(append(order, rest...))
	return made, nil
}

func TestFindMissed(t *testing.T) {
	const x, y = 1, 2
	after := func(order []int, i, j int) bool { return slices.Index(order, i) > slices.Index(order, j) }
	for _, test := range []struct {
		name       string
		acts, more []act
		fails      func(order []int) bool
		want       *Missed
	}{
		// The goroutine 2 waits for y for ever, which 1 holds.
		{"locks in a circle", []act{{1, schedule.Lock, x}, {2, schedule.Lock, y}}, []act{{1, schedule.Lock, y}},
			func(order []int) bool { return after(order, 2, 1) },
			&Missed{First: 1, Op: schedule.Lock, Delay: Delay{1, 1}}},
		// Two more steps come before the one that matters.
		{"a step far away", []act{{1, schedule.AtomicRead, x}}, []act{{2, schedule.AtomicRead, y}, {2, schedule.AtomicRead, x}, {2, schedule.AtomicWrite, x}, {2, schedule.AtomicRead, x}},
			func(order []int) bool { return after(order, 3, 0) },
			&Missed{First: 0, Op: schedule.AtomicRead, Delay: Delay{0, 3}}},
		// The nearest one.
		{"several", []act{{1, schedule.AtomicRead, x}, {1, schedule.AtomicRead, x}, {1, schedule.AtomicRead, x}}, []act{{2, schedule.AtomicWrite, x}},
			func(order []int) bool { return after(order, 3, 1) },
			&Missed{First: 1, Op: schedule.AtomicRead, Delay: Delay{1, 1}}},
		{"in every order", []act{{1, schedule.AtomicRead, x}}, []act{{2, schedule.AtomicWrite, x}}, func([]int) bool { return true }, nil},
		{"nobody else", []act{{1, schedule.AtomicRead, x}}, nil, func([]int) bool { return true }, nil},
	} {
		p := newProgram(test.acts, test.more, test.fails)
		for i := range p.run.Steps {
			p.run.Steps[i].Transition = transition(test.acts[i])
		}
		got, err := FindMissed(t.Context(), p.run, len(p.run.Events), p.try)
		if err != nil {
			t.Fatal(err)
		}
		if got != nil {
			got.Runs = 0
		}
		if (got == nil) != (test.want == nil) || got != nil && *got != *test.want {
			t.Errorf("%s: %+v, want %+v, after %v", test.name, got, test.want, p.tried)
		}
	}
}

// A step is not delayed whose order with what others do makes no difference, nor one after the failure.
func TestFindMissedMatters(t *testing.T) {
	const x, y = 1, 2
	acts := []act{{1, schedule.AtomicRead, y}, {1, schedule.AtomicRead, x}, {1, schedule.AtomicRead, y}, {1, schedule.AtomicRead, x}}
	p := newProgram(acts, []act{{2, schedule.AtomicWrite, x}}, func([]int) bool { return true })
	for i := range p.run.Steps {
		p.run.Steps[i].Transition = transition(acts[i])
	}
	if _, err := FindMissed(t.Context(), p.run, 3, p.try); err != nil {
		t.Fatal(err)
	}
	var tried []int
	for _, d := range p.tried {
		tried = append(tried, d.Step)
	}
	// Of the third step nothing is known before.
	if want := []int{2, 1}; !slices.Equal(tried, want) {
		t.Errorf("delayed %v, want %v", tried, want)
	}
}

// The work is bounded.
func TestFindMissedBounds(t *testing.T) {
	var acts []act
	for i := range int32(1000) {
		acts = append(acts, act{i % 2, schedule.AtomicWrite, 1})
	}
	p := newProgram(acts, nil, func([]int) bool { return true })
	for i := range p.run.Steps {
		p.run.Steps[i].Transition = transition(acts[i])
	}
	got, err := FindMissed(t.Context(), p.run, len(p.run.Events), p.try)
	if got != nil || err != nil || len(p.tried) > maxRuns || len(p.tried)*len(acts) > maxSteps {
		t.Errorf("%+v, %v after %d runs", got, err, len(p.tried))
	}
}
