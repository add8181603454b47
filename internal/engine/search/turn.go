package search

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/everyway-go/everyway/internal/engine/clock"
)

// A turn is a part of a search that is made without a break. The zero turn lasts until the
// search ends.
type turn struct {
	first  bool          // it ends before the first long phase of a mix
	slice  time.Duration // after which the search is paused when others wait
	others func() bool   // reports whether others wait; nil if there are none

	clock *clock.Clock
	began time.Time // of the clock, when the worker was ready
}

// over reports whether the search is to be paused.
func (t *turn) over() bool {
	return t.others != nil && t.clock.Since(t.began) >= t.slice && t.others()
}

// overBefore reports whether the search is to be paused before a phase, which is likely to be short
// or is not. Phases that are not divided cannot be interrupted without loss.
func (t *turn) overBefore(ph phase, short bool) bool {
	return t.over() || t.first && !short && ph.runs == 0 && t.others != nil && t.others()
}

// A totalSpent says that the time for all targets is over.
type totalSpent time.Duration

func (t totalSpent) Error() string { return fmt.Sprintf("the total of %v is spent", time.Duration(t)) }

// stopReason says why a context has ended.
func stopReason(ctx context.Context) string {
	if isTotalSpent(ctx) {
		return context.Cause(ctx).Error()
	}
	return "interrupted"
}

// isTotalSpent reports whether a context has ended because the time for all targets is over.
func isTotalSpent(ctx context.Context) bool {
	spent := totalSpent(0)
	return errors.As(context.Cause(ctx), &spent)
}
