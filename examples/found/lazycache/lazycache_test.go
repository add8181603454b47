// Package lazycache has tests of github.com/bep/lazycache: "Cache is a thread-safe resizable
// LRU cache." The function that creates a value "is not called with the cache lock held".
package lazycache

import (
	"sync"
	"testing"

	"github.com/bep/lazycache"
)

// TestDeleteFunc: DeleteFunc holds the lock while it waits for a value that is being
// created, and the function that creates it uses the cache.
func TestDeleteFunc(t *testing.T) {
	c := lazycache.New(lazycache.Options[string, int]{MaxEntries: 2})
	var wg sync.WaitGroup
	wg.Go(func() {
		c.GetOrCreate("a", func(string) (int, error) {
			c.Get("b")
			return 1, nil
		})
	})
	wg.Go(func() { c.DeleteFunc(func(string, int) bool { return true }) })
	wg.Wait()
}

// TestEvict: so does Set, when it evicts that value and there is a function to call.
func TestEvict(t *testing.T) {
	c := lazycache.New(lazycache.Options[string, int]{MaxEntries: 1, OnEvict: func(string, int) {}})
	var wg sync.WaitGroup
	wg.Go(func() {
		c.GetOrCreate("a", func(string) (int, error) {
			c.Get("b")
			return 1, nil
		})
	})
	wg.Go(func() { c.Set("b", 1) })
	wg.Wait()
}
