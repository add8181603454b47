package vmtest

import (
	"context"

	"github.com/everyway-go/everyway/internal/run"
)

// An Interruption is a context that is cancelled once Err has been called a number of
// times. A machine calls Err now and then while it runs code, at the same places in each
// run of a plan.
type Interruption struct {
	context.Context
	After int // number of calls; if it is not positive, only the parent context counts
	calls int
}

// Err implements [context.Context].
func (c *Interruption) Err() error {
	if c.calls++; c.calls == c.After {
		return context.Canceled
	}
	return c.Context.Err()
}

// Calls returns how often Err has been called.
func (c *Interruption) Calls() int { return c.calls }

// Stop is a scheduler that ends a run at the first choice that the plan leaves open.
type Stop struct{}

// Choose implements [run.Scheduler].
func (Stop) Choose(*run.SchedulingPoint) int { return -1 }
