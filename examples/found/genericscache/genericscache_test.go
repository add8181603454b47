// Package genericscache has a test of github.com/Code-Hex/go-generics-cache: "Cache is a
// thread safe cache."
package genericscache

import (
	"context"
	"sync"
	"testing"
	"time"

	cache "github.com/Code-Hex/go-generics-cache"
)

// TestDeleteExpired: DeleteExpired, which a goroutine of the cache calls every minute, counts
// the items that may expire, releases the lock, and then pops as many from the queue.
func TestDeleteExpired(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := cache.NewContext[string, int](ctx)
	c.Set("a", 1, cache.WithExpiration(time.Hour))
	var wg sync.WaitGroup
	wg.Go(func() { c.DeleteExpired() })
	wg.Go(func() { c.Delete("a") })
	wg.Wait()
}
