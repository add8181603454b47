package run

import (
	"math/rand/v2"

	"github.com/everyway-go/everyway/schedule"
)

// NonPreemptive is the scheduler that switches between goroutines only when it must: it
// continues the goroutine that took the last step or, if that is disabled, the oldest
// enabled one. Goroutines that yield are chosen, in turn, when no other is enabled, and
// timers fire and time passes only when nothing else is possible. Among values it chooses the
// first.
type NonPreemptive struct{}

// Choose implements Scheduler.
func (NonPreemptive) Choose(p *SchedulingPoint) int {
	const (
		continues = iota
		other
		nextToYield
		yields
		passing
		waiting
		none
	)
	best, bestRank := 0, none
	past := false // whether the transitions of the last goroutine have been passed
	for i := range p.Enabled {
		t := &p.Enabled[i]
		last := t.Goroutine >= 0 && t.Goroutine == p.Last
		rank := other
		switch {
		case t.Op == schedule.TimePass:
			rank = passing
		case t.AwaitsTime():
			rank = waiting
		case t.Op == schedule.Yield && past:
			rank = nextToYield
		case t.Op == schedule.Yield:
			rank = yields
		case last:
			rank = continues
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

// Fair is like NonPreemptive, except that in every 64th step it takes the enabled
// transitions in turn. Goroutines run for a long time without being interrupted, as they
// mostly do natively, but none can starve the others.
type Fair struct{ steps, turn int }

// fairSteps is the number of steps after which Fair takes another transition.
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

// AwaitsTime reports whether t is a step of time: it passes, a timer fires, or a goroutine
// wakes from sleep.
func (t *Transition) AwaitsTime() bool { return t.Goroutine < 0 || t.Op == schedule.Sleep }

// IsEarly reports whether t needs time to pass while goroutines that could run are kept
// waiting (see Settings.Stall).
func (t *Transition) IsEarly() bool {
	return t.State > 0 && (t.Op == schedule.TimerFire || t.Op == schedule.Sleep)
}

// Random returns a scheduler that makes random choices, determined by seed.
func Random(seed uint64) Scheduler {
	return RandomWalk(rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)))
}

// RandomWalk returns a scheduler that chooses uniformly among the possibilities.
func RandomWalk(r *rand.Rand) Scheduler { return randomWalk{r} }

type randomWalk struct{ *rand.Rand }

// Choose implements Scheduler.
func (r randomWalk) Choose(p *SchedulingPoint) int {
	if p.Kind == Value {
		return r.IntN(p.N)
	}
	return r.IntN(len(p.Enabled))
}
