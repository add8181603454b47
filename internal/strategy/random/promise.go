package random

import (
	"fmt"
	"math"
	"strings"
)

// maxDepth is the greatest depth of runs by PCT: few bugs need more.
const maxDepth = 3

// A promise is what the runs of a search by PCT would have found, and with what probability. It
// is about programs as large as the largest run. Runs that expected fewer steps do not count,
// since they could not have changed priorities in the last steps.
type promise struct {
	goroutines, steps int
	age               int // number of times that steps has grown
}

// size adds the size of a run.
func (p *promise) size(goroutines, steps int) {
	p.goroutines = max(p.goroutines, goroutines)
	if steps > p.steps {
		p.steps = steps
		p.age++
	}
}

// count counts a run.
func (p *promise) count(c *attempt) {
	e := c.of
	if e == nil || c.depth == 0 || c.steps < p.steps {
		return
	}
	if e.age != p.age {
		e.age, e.runs = p.age, [maxDepth]int{}
	}
	e.runs[c.depth-1]++
}

// found returns the least probability with which the runs of e find a bug of a depth. A bug of a
// depth is one of each greater depth too.
func (p *promise) found(e *entry, depth int) float64 {
	if e.age != p.age {
		return 0
	}
	missed := 1.0
	for d := depth; d <= maxDepth; d++ {
		missed *= math.Pow(1-Bound(p.goroutines, p.steps, d), float64(e.runs[d-1]))
	}
	return 1 - missed
}

// text describes the promise for the entry that has been run most often, empty if there is none.
func (p *promise) text(c *corpus) string {
	if p.goroutines < 2 || p.steps == 0 {
		return ""
	}
	var best *entry
	var found float64
	for _, e := range c.entries {
		if f := p.found(e, maxDepth); f > found {
			best, found = e, f
		}
	}
	if best == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "a bug among %d goroutines and %d steps", p.goroutines, p.steps)
	if !c.mutator.Empty() {
		b.WriteString(", with the input run most often,")
	}
	b.WriteString(" would have been found with probability >= ")
	for d := 1; d <= maxDepth; d++ {
		f := p.found(best, d)
		if f < minReported && d > 1 {
			break
		}
		if d > 1 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.2f at depth %d", min(math.Floor(100*f)/100, 0.99), d) // never certain
	}
	return b.String()
}

// minReported is the least probability that is reported for depths above 1.
const minReported = 0.01
