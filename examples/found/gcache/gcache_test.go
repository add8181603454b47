// Package gcache has tests of github.com/bluele/gcache, which is "goroutine safe".
package gcache

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bluele/gcache"
)

// TestRemove: Get loads the value of a key that is not in the cache. A load that is done
// is forgotten only after those that wait for it have been woken, so a Get after Remove
// returns the value that was removed.
func TestRemove(t *testing.T) {
	var loads atomic.Int32
	c := gcache.New(1).LRU().LoaderFunc(func(any) (any, error) { return loads.Add(1), nil }).Build()
	var wg sync.WaitGroup
	wg.Go(func() { c.Get("a") })
	wg.Go(func() {
		if !c.Remove("a") {
			return
		}
		if v, err := c.Get("a"); err != nil || v != int32(2) {
			t.Errorf("Get returned %v, %v after that value had been removed", v, err)
		}
	})
	wg.Wait()
}

// TestSize: a simple cache does not evict items that are to expire, and grows beyond its
// size. It needs no interleaving.
func TestSize(t *testing.T) {
	c := gcache.New(1).Simple().Build()
	c.SetWithExpire("a", 1, time.Hour)
	c.SetWithExpire("b", 1, time.Hour)
	if n := c.Len(false); n > 1 {
		t.Errorf("a cache of size 1 has %d items", n)
	}
}
