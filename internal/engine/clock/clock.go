package clock

import (
	"context"
	"time"

	"github.com/everyway-go/everyway/internal/cputime"
)

// A Clock tells the time, in which budgets are given and how long something has taken. A nil Clock
// tells that of the world.
type Clock struct {
	base  time.Time
	used  func() time.Duration // the processor time of this process so far
	share int                  // how many searches are under way at once, among which the processor time is divided
}

// Processor returns a clock for a process that makes some searches at once, at least 1: while all of them are busy, it
// goes on by what each of them has had of the processors on average. What else the process does, such as collecting
// garbage, counts as theirs.
func Processor(searches int) *Clock {
	return &Clock{base: time.Now(), used: cputime.Now, share: searches}
}

// Now returns the time.
func (c *Clock) Now() time.Time {
	if c == nil {
		return time.Now()
	}
	return c.base.Add(c.used() / time.Duration(c.share))
}

// Since returns how much time has passed since t.
func (c *Clock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// Until returns how much time passes until t.
func (c *Clock) Until(t time.Time) time.Duration { return t.Sub(c.Now()) }

// look is how often a clock of the processors is looked at: not oftener, since that takes processor time, and not much
// less often, or searches would have more time than they are given.
const look = 5 * time.Millisecond

// WithDeadline returns a copy of ctx that ends at a time of c, at the latest.
func (c *Clock) WithDeadline(ctx context.Context, end time.Time) (context.Context, context.CancelFunc) {
	return c.WithDeadlineCause(ctx, end, context.DeadlineExceeded)
}

// WithDeadlineCause returns a copy of ctx that ends at a time of c, at the latest, and then for that cause.
func (c *Clock) WithDeadlineCause(ctx context.Context, end time.Time, cause error) (context.Context, context.CancelFunc) {
	if c == nil {
		return context.WithDeadlineCause(ctx, end, cause)
	}
	limited, cancel := context.WithCancelCause(ctx)
	if c.Until(end) <= 0 {
		cancel(cause)
		return limited, func() {}
	}
	go func() {
		ticks := time.NewTicker(look)
		defer ticks.Stop()
		for {
			select {
			case <-limited.Done():
				return
			case <-ticks.C:
				if c.Until(end) <= 0 {
					cancel(cause)
					return
				}
			}
		}
	}()
	return limited, func() { cancel(context.Canceled) }
}

// WithTimeout returns a copy of ctx that ends when so much time of c has passed, at the latest.
func (c *Clock) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return c.WithDeadline(ctx, c.Now().Add(d))
}
