package deadlock

import (
	"slices"

	"github.com/everyway-go/everyway/internal/solve/order"
)

// constraints returns literals that hold if the wait, which is request n of the path, is for ever. The result is
// not ok if a goroutine that is not in the path can end it.
func (c *circles) constraints(n int) (literals []order.Lit, ok bool) {
	r := c.requests[c.path[n]]
	if r.wait == nil {
		return nil, true
	}
	next := c.requests[c.path[(n+1)%len(c.path)]]
	left := r.wait.Partners
	if !r.wait.All {
		left = []int{r.wait.Partner(c.Steps, next.thread)}
	}
	for _, p := range left {
		if !slices.ContainsFunc(c.path, func(i int) bool { return c.requests[i].thread == c.Steps[p].Goroutine }) {
			return nil, false
		}
		literals = append(literals, c.problem.Kept(p).Not())
	}
	for _, i := range r.wait.Done {
		literals = append(literals, c.problem.Kept(i))
	}
	// Two that wait at one channel may be partners now.
	for _, i := range c.path {
		if s := c.requests[i]; s != r && s.wait != nil && s.wait.Meets(r.wait) {
			return nil, false
		}
	}
	return literals, true
}
