package random

import (
	"fmt"
	"math"
	"strings"
)

// maxDepth is the greatest depth of PCT runs: few bugs need more.
const maxDepth = 3

// A promise sums up what the PCT runs of a search would have found. It speaks of
// programs as large as the largest run: each run that expected fewer steps than
// that is left out, since it could not have changed priorities in the last ones.
type promise struct {
	goroutines, steps int
	age               int // how often steps has grown
}

// size takes how large a run was.
func (p *promise) size(goroutines, steps int) {
	p.goroutines = max(p.goroutines, goroutines)
	if steps > p.steps {
		p.steps = steps
		p.age++
	}
}

// count takes a run.
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

// found returns the probability with which the runs of e at least find a bug of
// some depth. A bug of a depth is one of each greater depth too: it does no harm
// to ask for orders that come by themselves.
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

// text says what is promised, for the entry that has been run most often.
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
		if f < worthSaying && d > 1 {
			break
		}
		if d > 1 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.2f at depth %d", min(math.Floor(100*f)/100, 0.99), d) // never certain
	}
	return b.String()
}

// worthSaying is the least probability that is told.
const worthSaying = 0.01
