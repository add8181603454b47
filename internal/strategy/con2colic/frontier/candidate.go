package frontier

import "github.com/everyway-go/everyway/internal/strategy/con2colic/forest"

// A Candidate is an interference scenario candidate (definition 7.1 of the paper): a scenario
// whose sink is to be covered.
type Candidate struct {
	*forest.Scenario
	// join is a wait for a wait group for which events of other goroutines were added, 0 if
	// there is none, and joined is the goroutine of the last one. It is enough to add them in
	// the order of their goroutines: that leads to every set of them.
	join   forest.NodeID
	joined int32

	popped bool // it is not in a worklist
}

// relax lifts the restrictions on extensions of c that d, which is otherwise equal, does not
// have. It reports whether c has more extensions than before.
func (c *Candidate) relax(d *Candidate) bool {
	switch {
	case c.join == 0 || c.join == d.join && c.joined <= d.joined:
		return false
	case c.join == d.join:
		c.joined = d.joined
	default:
		c.join, c.joined = 0, 0
	}
	return true
}

// A worklist holds the candidates of one degree that have not been checked.
type worklist struct {
	first, rest []*Candidate // first: those that may cover something new
}

func (w *worklist) push(c *Candidate) { w.first = append(w.first, c) }

func (w *worklist) empty() bool { return len(w.first)+len(w.rest) == 0 }

// pop removes and returns the next candidate, one whose sink is uncovered if there is
// any. It returns nil if there is none.
func (w *worklist) pop(uncovered func(*Candidate) bool) *Candidate {
	for len(w.first) > 0 {
		c := w.first[0]
		w.first = w.first[1:]
		if uncovered(c) {
			return c
		}
		w.rest = append(w.rest, c)
	}
	if len(w.rest) == 0 {
		return nil
	}
	c := w.rest[0]
	w.rest = w.rest[1:]
	return c
}

// An obstacle is a cause for which a candidate is not realizable.
type obstacle struct {
	*Candidate
	forest.Cause
}
