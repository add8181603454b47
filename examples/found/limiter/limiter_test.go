// Package limiter has a test of github.com/ulule/limiter/v3.
package limiter

import (
	"context"
	"testing"
	"time"

	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"
)

// TestClean: the cleaner of the memory store finds a counter expired and deletes it. If it
// was used in between, and so began a new period, what it had counted is lost.
func TestClean(t *testing.T) {
	store := memory.NewStoreWithOptions(limiter.StoreOptions{
		Prefix:          "test",
		CleanUpInterval: 2 * time.Second,
	})
	rate := limiter.Rate{Period: time.Second, Limit: 1}
	ctx := context.Background()
	store.Get(ctx, "a", rate)
	time.Sleep(2 * time.Second)
	first, _ := store.Get(ctx, "a", rate)
	second, _ := store.Get(ctx, "a", rate)
	if !first.Reached && !second.Reached {
		t.Error("two requests were let through in a period, with a limit of one")
	}
}
