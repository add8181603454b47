// Package tinylru has tests of github.com/tidwall/tinylru: "A fast little LRU cache."
package tinylru

import (
	"testing"

	"github.com/tidwall/tinylru"
)

// TestClear: "Resize sets the maximum size of an LRU cache", and "Clear will remove all
// key/values from the LRU cache". It forgets the size as well.
func TestClear(t *testing.T) {
	var cache tinylru.LRU
	cache.Resize(1)
	cache.Clear()
	cache.Set(1, 1)
	cache.Set(2, 2)
	if n := cache.Len(); n != 1 {
		t.Errorf("%d items, want 1", n)
	}
}
