package random

import (
	"math"
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// PCT returns a scheduler by priorities for bugs of the given depth, in runs of about the given
// number of steps (Burckhardt et al., ASPLOS 2010, section 2.4). A goroutine has a random
// priority when it first appears, and the enabled one with the highest priority takes the
// next step. After depth-1 steps chosen at random, the goroutine that took the step has a
// priority below all others.
//
// With priorities alone a goroutine that waits in a loop would spin for ever. So one that
// yields has a priority below all others, and a run of many more steps than expected
// continues as a random walk.
func PCT(r *rand.Rand, depth, steps int) run.Scheduler {
	p := &pct{rand: r, priority: map[int32]float64{}, lowest: -float64(depth), patience: patience(steps)}
	for i := range depth - 1 {
		p.changes = append(p.changes, change{after: 1 + r.IntN(max(steps, 1)), priority: -1 - float64(i)})
	}
	return p
}

type pct struct {
	stepCounter
	rand     *rand.Rand
	priority map[int32]float64 // by goroutine, -1 for timers
	changes  []change
	lowest   float64 // priority of the last goroutine that yielded
	patience int
}

// A change gives the goroutine that takes a step a new priority after it.
type change struct {
	after    int // the step's number
	priority float64
}

// patience returns the number of steps that a run takes by priorities when the given number is
// expected.
func patience(steps int) int { return 4*steps + 400 }

// Choose implements run.Scheduler.
func (p *pct) Choose(pt *run.SchedulingPoint) int {
	if pt.Kind == run.Value {
		return p.rand.IntN(pt.N)
	}
	p.count(pt.Pending, p.change)
	if p.steps > p.patience {
		return p.rand.IntN(len(pt.Enabled))
	}
	return highest(pt.Enabled, p.priorityOf, p.rand)
}

// Stepping implements run.Watcher.
func (p *pct) Stepping(t *run.Transition, trace *run.Trace) bool {
	p.count(trace.Pending, p.change)
	p.step(t)
	if t.Op == schedule.Yield {
		p.lowest--
		p.priority[t.Goroutine] = p.lowest
	}
	return true
}

func (p *pct) priorityOf(g int32) float64 {
	v, ok := p.priority[g]
	if !ok {
		v = p.rand.Float64()
		p.priority[g] = v
	}
	return v
}

// change makes the priority changes that are due after a step.
func (p *pct) change(step int, g int32) {
	for _, c := range p.changes {
		if c.after == step {
			p.priority[g] = c.priority
		}
	}
}

// Bound returns the least probability with which a run by PCT finds a bug of the given depth in a
// program of so many goroutines and steps.
func Bound(goroutines, steps, depth int) float64 {
	return 1 / (float64(goroutines) * math.Pow(float64(steps), float64(depth-1)))
}
