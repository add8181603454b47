// Package cache2go has tests of github.com/muesli/cache2go, a "concurrency-safe golang
// caching library".
package cache2go

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/muesli/cache2go"
)

// TestMostAccessed: MostAccessed reads the access count of an item without the item's lock.
func TestMostAccessed(t *testing.T) {
	c := cache2go.Cache("table")
	c.Add("a", 0, 1)
	var wg sync.WaitGroup
	wg.Go(func() { c.Value("a") })
	wg.Go(func() { c.MostAccessed(1) })
	wg.Wait()
}

// TestCallback: SetAddedItemCallback reads the list of callbacks without the table's lock.
func TestCallback(t *testing.T) {
	c := cache2go.Cache("table")
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { c.SetAddedItemCallback(func(*cache2go.CacheItem) {}) })
	}
	wg.Wait()
}

// TestReplaced: the check for expired items releases the table's lock between finding an
// item and deleting its key, and so deletes one that was added in between.
func TestReplaced(t *testing.T) {
	c := cache2go.Cache("table")
	c.Add("a", time.Millisecond, 1)
	time.Sleep(time.Millisecond)
	c.Add("a", time.Hour, 2)
	time.Sleep(time.Millisecond)
	if !c.Exists("a") {
		t.Error("an item with a life span of an hour is gone")
	}
}

// TestDeleteTwice: for the same reason, two calls of Delete both delete the one item.
func TestDeleteTwice(t *testing.T) {
	c := cache2go.Cache("table")
	c.Add("a", 0, 1)
	var deleted atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, err := c.Delete("a"); err == nil {
				deleted.Add(1)
			}
		})
	}
	wg.Wait()
	if n := deleted.Load(); n != 1 {
		t.Errorf("one item was deleted %d times", n)
	}
}
