package vm_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/run"
)

// A script takes the steps of a list, chosen at random beyond it, and ends the
// run before the step after the limit.
type script struct {
	steps []run.Transition
	limit int
	r     *rand.Rand

	taken   []run.Transition
	options [][]run.Transition // enabled before each step
	missing bool               // a step of the list was not enabled
}

func same(a, b *run.Transition) bool {
	return a.Goroutine == b.Goroutine && a.Alt == b.Alt
}

func (s *script) Choose(p *run.SchedulingPoint) int {
	if p.Kind == run.Value {
		return 0
	}
	s.options = append(s.options, append([]run.Transition(nil), p.Enabled...))
	if n := len(s.taken); n < len(s.steps) {
		for i := range p.Enabled {
			if same(&p.Enabled[i], &s.steps[n]) {
				return i
			}
		}
		s.missing = true
		return -1
	}
	if len(s.taken) >= s.limit {
		return -1
	}
	return s.r.IntN(len(p.Enabled))
}

func (s *script) Stepping(o *run.Transition, _ *run.Trace) bool {
	if len(s.options) == len(s.taken) {
		s.options = append(s.options, []run.Transition{*o}) // there was no choice
	}
	n := len(s.taken)
	if n < len(s.steps) && !same(o, &s.steps[n]) {
		s.missing = true
		return false
	}
	if n >= s.limit {
		return false
	}
	s.taken = append(s.taken, *o)
	return true
}

// stalls are values of run.Settings.Stall.
var stalls = []time.Duration{0, run.AnyStall, 1500 * time.Millisecond}

// Two steps that are not dependent can be exchanged: both orders lead to the
// same state, with the same clocks.
func TestIndependentStepsCommute(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	compared := map[string]int{}
	for _, dir := range []string{"channels", "locks", "time", "mixed", "spins", "bubbles"} {
		p := loadFuncs(t, "concurrent/"+dir)
		for _, name := range p.names {
			m := p.runner(t, name)
			for i := range 30 {
				m.Stall = stalls[i%len(stalls)]
				walk := &script{limit: 100, r: r}
				m.run(t, &run.Plan{}, walk)
				if len(walk.taken) == 0 {
					continue
				}
				at := r.IntN(len(walk.taken))
				options := walk.options[at]
				for i := range options {
					for k := range options[:i] {
						a, b := options[i], options[k]
						if run.Dependent(&a, &b) != run.Dependent(&b, &a) {
							t.Errorf("%s: dependence of\n%+v and\n%+v is not symmetric", name, a, b)
						}
						if run.Dependent(&a, &b) {
							continue
						}
						states := [2]string{}
						over := false
						for order, pair := range [2][2]run.Transition{{a, b}, {b, a}} {
							s := &script{steps: append(append([]run.Transition(nil), walk.taken[:at]...), pair[0], pair[1]), limit: at + 2, r: r}
							trace, _ := m.run(t, &run.Plan{}, s)
							over = over || trace.Outcome == run.Failed && len(s.taken) < at+2
							if s.missing && trace.Outcome == run.Stopped {
								t.Errorf("%s: after\n%+v\nthe independent\n%+v is not possible", name, pair[0], pair[1])
								over = true
							}
							states[order] = m.State()
						}
						if !over && states[0] != states[1] {
							t.Errorf("%s: the independent steps\n%+v\n%+v lead to\n%s\nand\n%s", name, a, b, states[0], states[1])
						}
						compared[a.Op.String()+", "+b.Op.String()]++
					}
				}
			}
			if t.Failed() {
				return
			}
		}
	}
	for _, pair := range []string{"lock, lock", "wait group add, wait group add", "send, receive"} {
		if compared[pair] == 0 {
			t.Errorf("no independent %s were compared", pair)
		}
	}
	t.Log(compared)
}
