package sat

import (
	"fmt"
	"slices"
)

// Checker is a Proof that checks each step as it comes, by propagation
// over all clauses until nothing changes. It is slow, but there is little in it
// to get wrong.
type Checker struct {
	clauses map[string][]Lit // by their text
	count   map[string]int
	steps   int
	last    []Lit
	wrong   error
}

// NewChecker returns a checker of a new proof.
func NewChecker() *Checker { return &Checker{clauses: map[string][]Lit{}, count: map[string]int{}} }

// Err returns what is wrong with the first step that is, or nil.
func (c *Checker) Err() error { return c.wrong }

// Steps returns the number of clauses derived.
func (c *Checker) Steps() int { return c.steps }

// Last returns the clause derived last.
func (c *Checker) Last() []Lit { return c.last }

// Axiom implements Proof.
func (c *Checker) Axiom(clause []Lit) { c.add(clause) }

// Derive implements Proof.
func (c *Checker) Derive(clause []Lit) {
	c.steps++
	c.last = slices.Clone(clause)
	if c.wrong == nil && !c.follows(clause) {
		c.wrong = fmt.Errorf("step %d of the proof: %v does not follow", c.steps, clause)
	}
	c.add(clause)
}

// Delete implements Proof.
func (c *Checker) Delete(clause []Lit) {
	k := clauseKey(clause)
	if c.wrong == nil && c.count[k] == 0 {
		c.wrong = fmt.Errorf("after step %d of the proof: %v is deleted and not there", c.steps, clause)
	}
	if c.count[k]--; c.count[k] == 0 {
		delete(c.clauses, k)
	}
}

func (c *Checker) add(clause []Lit) {
	k := clauseKey(clause)
	c.clauses[k] = slices.Clone(clause)
	c.count[k]++
}

// clauseKey returns the same text for clauses of the same literals.
func clauseKey(clause []Lit) string {
	sorted := slices.Clone(clause)
	slices.Sort(sorted)
	return fmt.Sprint(sorted)
}

// follows assumes that the clause is false and propagates to a contradiction.
func (c *Checker) follows(clause []Lit) bool {
	isTrue := map[Lit]bool{}
	for _, l := range clause {
		if isTrue[l] {
			return true // l or not l
		}
		isTrue[l.Not()] = true
	}
	for changed := true; changed; {
		changed = false
	next:
		for _, d := range c.clauses {
			open := none
			for _, l := range d {
				switch {
				case isTrue[l]:
					continue next
				case isTrue[l.Not()] || l == open:
				case open == none:
					open = l
				default:
					continue next
				}
			}
			if open == none {
				return true
			}
			isTrue[open] = true
			changed = true
		}
	}
	return false
}
