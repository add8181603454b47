package deadlock

import (
	"context"
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/reorder"
	"github.com/everyway-go/everyway/internal/analysis/wait"
	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/solve/order"
	"github.com/everyway-go/everyway/schedule"
)

// circles looks for requests that lead to each other in a circle.
type circles struct {
	*detector
	requests []*request
	leads    [][]int // by request: those that it leads to
	path     []int
	problem  *reorder.Problem
	// left is how many more requests may be put into paths, and candidates how many circles decided.
	left, candidates int
}

// search reports the circles that are deadlocks.
func (c *circles) search(ctx context.Context) error {
	c.left, c.candidates = maxExtensions, maxCandidates
	c.leads = make([][]int, len(c.requests))
	at := map[schedule.Cell][]int{} // requests for which others may wait at a lock
	for i, r := range c.requests {
		for _, cell := range r.occupied() {
			at[cell] = append(at[cell], i)
		}
	}
	byThread := map[schedule.GoroutineID][]int{}
	for i, r := range c.requests {
		byThread[r.thread] = append(byThread[r.thread], i)
	}
	for i, r := range c.requests {
		if r.wait != nil {
			for _, thread := range r.wait.Threads(c.Steps) {
				for _, j := range byThread[thread] {
					s := c.requests[j]
					if _, ok := c.waitsFor(r, s); ok && thread != r.thread && !c.Exclude(r.held, s.held) {
						c.leads[i] = append(c.leads[i], j)
					}
				}
			}
			continue
		}
		for _, j := range at[r.cell] {
			s := c.requests[j]
			if _, ok := c.waitsFor(r, s); ok && r.thread != s.thread && !c.Exclude(r.held, s.held) {
				c.leads[i] = append(c.leads[i], j)
			}
		}
	}
	for i, r := range c.requests {
		if r.wait != nil {
			continue // a circle without a lock is none: the schedule has gone through it
		}
		c.path = append(c.path[:0], i)
		if err := c.extend(ctx); err != nil {
			return err
		}
	}
	return nil
}

// extend adds requests to the path until it is a circle. Its first request is the least one of the circle that is
// for a lock.
func (c *circles) extend(ctx context.Context) error {
	last := c.path[len(c.path)-1]
	if slices.Contains(c.leads[last], c.path[0]) {
		c.candidates--
		return c.decide(ctx) // longer circles are none without the shorter one
	}
	for _, next := range c.leads[last] {
		if c.left == 0 || c.candidates == 0 {
			return nil
		}
		c.left--
		if next < c.path[0] && c.requests[next].wait == nil || !c.fits(next) {
			continue
		}
		c.path = append(c.path, next)
		if err := c.extend(ctx); err != nil {
			return err
		}
		c.path = c.path[:len(c.path)-1]
	}
	return nil
}

// fits reports whether a request can be at the end of the path: it is of another goroutine than those
// before it, no lock keeps them apart, none but the last leads to it, and it leads to none but the first.
// Otherwise there is a shorter circle.
func (c *circles) fits(next int) bool {
	r := c.requests[next]
	for i, p := range c.path {
		s := c.requests[p]
		if s.thread == r.thread || c.Exclude(s.held, r.held) {
			return false
		}
		if i < len(c.path)-1 && slices.Contains(c.leads[p], next) || i > 0 && slices.Contains(c.leads[next], p) {
			return false
		}
	}
	return true
}

// decide reports the path, which is a circle, if it is a deadlock.
func (c *circles) decide(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	key, located := c.places()
	if located && c.known[key] || c.isOrdered() {
		return nil
	}
	if c.problem == nil {
		c.problem = c.Problem()
	}
	var all []order.Lit
	for n, i := range c.path {
		r := c.requests[i]
		literals, ok := c.constraints(n)
		if !ok {
			return nil
		}
		all = append(all, literals...)
		if !r.asked {
			r.next, r.asked = c.problem.Next(r.steps...), true
		}
		all = append(all, r.next)
	}
	if !c.problem.Possible(all...) {
		return nil
	}
	c.known[key] = located
	var on []schedule.Case
	var own []schedule.GoroutineID
	for _, i := range c.path {
		r := c.requests[i]
		own = append(own, c.Steps[r.steps[0]].Site.Goroutine)
		if r.wait != nil && r.wait.All {
			on = append(on, wait.Cases(&c.Steps[r.steps[0]])...)
		}
	}
	if f := c.finding(); len(on) > 0 {
		c.found = append(c.found, found{f, c.ends.Mark(on, own...)})
	} else {
		c.report(f)
	}
	return nil
}

// places returns a text that circles at the same places of the program have in common, and whether the
// places are known.
func (c *circles) places() (key string, located bool) {
	located = true
	var list []schedule.LocationID
	for _, i := range c.path {
		l := c.Steps[c.requests[i].steps[0]].Site.Location
		located = located && l != 0
		list = append(list, l)
	}
	slices.Sort(list)
	return fmt.Sprint(list), located
}

// isOrdered reports whether one of the requests is only made when another has been granted.
func (c *circles) isOrdered() bool {
	for _, i := range c.path {
		for _, j := range c.path {
			// The first step needs least.
			first, other := c.requests[i].steps, c.requests[j].steps
			if i != j && c.Steps[first[0]].Follows(&c.Steps[other[len(other)-1]]) {
				return true
			}
		}
	}
	return false
}

// finding returns the finding of the path in the order that was found last.
func (c *circles) finding() *analysis.Finding {
	f := &analysis.Finding{Kind: analysis.Deadlock, Certainty: analysis.Predicted}
	if c.Reads == dependence.AnyReads {
		f.Certainty = analysis.Suspected
	}
	var writers, others []int
	for n, i := range c.path {
		r := c.requests[i]
		at := c.problem.Chosen(r.steps)
		before := c.requests[c.path[(n+len(c.path)-1)%len(c.path)]]
		if held, _ := c.waitsFor(before, r); held >= 0 {
			h := c.Steps[at].Held[held]
			f.Sites = append(f.Sites, c.taken[taking{h.Cell, h.Since}])
		}
		f.Sites = append(f.Sites, c.Steps[at].Site)
		if r.writer {
			writers = append(writers, at)
		} else {
			others = append(others, at)
		}
	}
	if c.witness.Add(f.Sites...) {
		f.Witness = c.problem.Witness(append(writers, others...)...)
	}
	return f
}
