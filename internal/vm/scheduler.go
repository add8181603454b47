package vm

import (
	"math/rand/v2"

	"github.com/everyway-go/everyway/schedule"
)

// RunOn is the scheduler that switches between goroutines only when it must: it
// lets the goroutine that took the last step go on, and otherwise chooses the
// oldest that can. Timers fire only when nothing else is possible. Of values it
// chooses the first.
type RunOn struct{}

// Choose implements Scheduler.
func (RunOn) Choose(p *Point) int {
	first := 0
	for i := range p.Options {
		o := &p.Options[i]
		if o.Goroutine >= 0 && o.Goroutine == p.Last && !waits(o) {
			return i
		}
		if f := &p.Options[first]; waits(f) && !waits(o) {
			first = i
		}
	}
	return first
}

// waits reports whether o is for time to pass.
func waits(o *Option) bool { return o.Goroutine < 0 || o.Op == schedule.Sleep }

// A random scheduler chooses evenly among the options.
type random struct{ *rand.Rand }

// Random returns a scheduler whose choices follow from seed alone.
func Random(seed uint64) Scheduler {
	return random{rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
}

// Choose implements Scheduler.
func (r random) Choose(p *Point) int {
	if p.Kind == Value {
		return r.IntN(p.N)
	}
	return r.IntN(len(p.Options))
}
