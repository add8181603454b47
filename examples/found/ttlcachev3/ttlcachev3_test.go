// Package ttlcachev3 has tests of github.com/jellydator/ttlcache/v3: "Range calls fn for
// each unexpired item in the cache."
package ttlcachev3

import (
	"sync"
	"testing"

	"github.com/jellydator/ttlcache/v3"
)

// TestRangeDelete: Range releases the lock while it calls fn. If the item is deleted
// meanwhile, no other item follows it, and Range ends.
func TestRangeDelete(t *testing.T) {
	c := ttlcache.New[int, int]()
	for i := range 3 {
		c.Set(i, i, ttlcache.NoTTL)
	}
	var wg sync.WaitGroup
	wg.Go(func() { c.Delete(2) })
	visited := 0
	c.Range(func(*ttlcache.Item[int, int]) bool {
		visited++
		return true
	})
	wg.Wait()
	if visited < 2 {
		t.Errorf("Range visited %d items; two were there all the time", visited)
	}
}

// TestRangeGet: Get moves an item to the front, where Range does not come any more.
func TestRangeGet(t *testing.T) {
	c := ttlcache.New[int, int]()
	for i := range 2 {
		c.Set(i, i, ttlcache.NoTTL)
	}
	var wg sync.WaitGroup
	wg.Go(func() { c.Get(0) })
	visited := 0
	c.Range(func(*ttlcache.Item[int, int]) bool {
		visited++
		return true
	})
	wg.Wait()
	if visited != 2 {
		t.Errorf("Range visited %d of 2 items", visited)
	}
}
