package run

import (
	"math/rand/v2"

	"github.com/everyway-go/everyway/schedule"
)

// RunOn is the scheduler that switches between goroutines only when it must: it
// lets the goroutine that took the last step go on, and otherwise chooses the
// oldest that can. Goroutines that yield are chosen, in turns, when no other can
// go on, and timers fire only when nothing else is possible. Of values it chooses
// the first.
type NonPreemptive struct{}

// Choose implements Scheduler.
func (NonPreemptive) Choose(p *SchedulingPoint) int {
	const (
		goesOn = iota
		other
		nextToYield
		yields
		waiting
		none
	)
	best, bestRank := 0, none
	past := false // the options of the last goroutine
	for i := range p.Enabled {
		o := &p.Enabled[i]
		last := o.Goroutine >= 0 && o.Goroutine == p.Last
		rank := other
		switch {
		case Waits(o):
			rank = waiting
		case o.Op == schedule.Yield && past:
			rank = nextToYield
		case o.Op == schedule.Yield:
			rank = yields
		case last:
			rank = goesOn
		}
		past = past || last
		if rank < bestRank {
			best, bestRank = i, rank
		}
	}
	return best
}

// Continues implements Continuing.
func (NonPreemptive) Continues() bool { return true }

// Continued implements Continuing.
func (NonPreemptive) Continued() {}

// Fair is RunOn but for every 64th step that it chooses, which goes to the options in
// turn: goroutines run on, as they mostly do natively, but none for ever.
type Fair struct{ steps, turn int }

const fairSteps = 64

// Choose implements Scheduler.
func (f *Fair) Choose(p *SchedulingPoint) int {
	if p.Kind == Step {
		if f.steps++; f.steps%fairSteps == 0 {
			f.turn++
			return f.turn % len(p.Enabled)
		}
	}
	return NonPreemptive{}.Choose(p)
}

// Continues implements Continuing.
func (f *Fair) Continues() bool { return (f.steps+1)%fairSteps != 0 }

// Continued implements Continuing.
func (f *Fair) Continued() { f.steps++ }

// waits reports whether o is for time to pass.
func Waits(o *Transition) bool { return o.Goroutine < 0 || o.Op == schedule.Sleep }

// A random scheduler chooses evenly among the options.
type random struct{ *rand.Rand }

// Random returns a scheduler whose choices follow from seed alone.
func Random(seed uint64) Scheduler {
	return random{rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
}

// Choose implements Scheduler.
func (r random) Choose(p *SchedulingPoint) int {
	if p.Kind == Value {
		return r.IntN(p.N)
	}
	return r.IntN(len(p.Enabled))
}
