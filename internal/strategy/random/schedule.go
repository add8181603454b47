package random

import (
	"math"
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/vm"
)

// maxDepth is the greatest depth of PCT runs: few bugs need more.
const maxDepth = 4

// Walk returns a scheduler that takes any of the options with equal chance.
func Walk(r *rand.Rand) vm.Scheduler { return walk{r} }

type walk struct{ rand *rand.Rand }

func (w walk) Choose(p *vm.Point) int {
	if p.Kind == vm.Value {
		return w.rand.IntN(p.N)
	}
	return w.rand.IntN(len(p.Options))
}

// PCT returns a scheduler by priorities for bugs of the given depth, in runs of
// about so many steps. A goroutine gets a random priority above depth when it
// first has an option. The one that can go on and has the highest priority
// takes the next step. At depth-1 steps chosen at random, the goroutine that
// has just taken one falls to a priority below all others.
func PCT(r *rand.Rand, depth, steps int) vm.Scheduler {
	p := &pct{rand: r, priority: map[int32]float64{}, change: map[int]int{}}
	for i := 1; i < depth; i++ {
		p.change[1+r.IntN(steps)] = i
	}
	return p
}

type pct struct {
	rand     *rand.Rand
	priority map[int32]float64 // by goroutine; timers are those of goroutine -1
	change   map[int]int       // step → the new priority, below zero so far
	step     int
}

// Choose implements vm.Scheduler.
func (p *pct) Choose(pt *vm.Point) int {
	if pt.Kind == vm.Value {
		return p.rand.IntN(pt.N)
	}
	best, ways := -1, 0
	for i := range pt.Options {
		g := pt.Options[i].Goroutine
		if _, known := p.priority[g]; !known {
			p.priority[g] = p.rand.Float64()
		}
		switch {
		case best < 0 || p.priority[g] > p.priority[pt.Options[best].Goroutine]:
			best, ways = i, 1
		case g == pt.Options[best].Goroutine: // its options stand together
			ways++
		}
	}
	return best + p.rand.IntN(ways)
}

// Stepping implements vm.Watcher.
func (p *pct) Stepping(o *vm.Option, _ *vm.Trace) bool {
	p.step++
	if low, ok := p.change[p.step]; ok {
		p.priority[o.Goroutine] = -float64(low)
	}
	return true
}

// Bound returns the probability with which a PCT run at least finds a bug of
// the given depth in a program of so many goroutines and steps.
func Bound(goroutines, steps, depth int) float64 {
	return 1 / (float64(goroutines) * math.Pow(float64(steps), float64(depth-1)))
}
