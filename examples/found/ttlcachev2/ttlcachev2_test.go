// Package ttlcachev2 has a test of github.com/ReneKroon/ttlcache/v2.
package ttlcachev2

import (
	"sync"
	"testing"
	"time"

	"github.com/ReneKroon/ttlcache/v2"
)

// TestSetClose: "Set is a thread-safe way to add new items to the map." It tells the cache's
// goroutine of a new time of expiration, through a channel that nobody reads after Close.
func TestSetClose(t *testing.T) {
	c := ttlcache.NewCache()
	c.SetTTL(time.Millisecond)
	var wg sync.WaitGroup
	wg.Go(func() { c.Set("a", 1) })
	c.Close()
	wg.Wait()
}
