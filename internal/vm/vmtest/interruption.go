package vmtest

import (
	"context"

	"github.com/everyway-go/everyway/internal/run"
)

// An Interruption is a context that is done once it has been asked so many times: a
// machine asks now and then while it runs code, at the same places in each run of a plan.
type Interruption struct {
	context.Context
	After int // looks; never, of its own, when it is not positive
	looks int
}

// Err implements [context.Context].
func (c *Interruption) Err() error {
	if c.looks++; c.looks == c.After {
		return context.Canceled
	}
	return c.Context.Err()
}

// Looks returns how many times the context has been asked.
func (c *Interruption) Looks() int { return c.looks }

// Stop is a scheduler that ends a run at the first choice that the plan leaves open.
type Stop struct{}

// Choose implements [vm.Scheduler].
func (Stop) Choose(*run.SchedulingPoint) int { return -1 }
