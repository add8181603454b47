// Package golimiter has a test of github.com/sethvargo/go-limiter.
package golimiter

import (
	"context"
	"testing"
	"time"

	"github.com/sethvargo/go-limiter/memorystore"
)

// TestSweep: "SweepMinTTL is the minimum amount of time a session must be inactive before
// clearing it from the entries." The sweep reads the clock first. What is used after that
// was last used in the future, which the sweep takes for 584 years ago. The sweep has to be
// kept waiting: -stall 5ms.
func TestSweep(t *testing.T) {
	ctx := context.Background()
	s, err := memorystore.New(&memorystore.Config{
		Tokens:        1,
		Interval:      time.Millisecond,
		SweepInterval: 3 * time.Millisecond,
		SweepMinTTL:   time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Take(ctx, "a")
	time.Sleep(4 * time.Millisecond)
	s.Take(ctx, "a")
	if limit, _, _ := s.Get(ctx, "a"); limit == 0 {
		t.Error("a session was cleared that had just been active")
	}
	s.Close(ctx)
}
