package worker

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestWithGrace checks that minimising ends a short time after the search is to end, and not
// before.
func TestWithGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, limit := range []time.Duration{0, time.Minute} {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			longer, stop := withGrace(ctx)
			time.Sleep(limit + grace - 1)
			synctest.Wait()
			if longer.Err() != nil {
				t.Errorf("limit %v: ended before the time", limit)
			}
			time.Sleep(2)
			synctest.Wait()
			if longer.Err() == nil {
				t.Errorf("limit %v: goes on", limit)
			}
			stop()
			cancel()
		}
		longer, stop := withGrace(t.Context())
		stop()
		if longer.Err() == nil {
			t.Error("goes on when it is stopped")
		}
	})
}
