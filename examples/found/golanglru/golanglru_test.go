// Package golanglru has a test of github.com/hashicorp/golang-lru/v2.
package golanglru

import (
	"testing"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
)

// TestValues: "Values returns a slice of the values in the cache, from oldest to newest.
// Expired entries are filtered out." For each that is, a zero value is returned, until the
// cache's goroutine has deleted it. That goroutine has to be kept waiting: -stall 5ms.
func TestValues(t *testing.T) {
	c := expirable.NewLRU[string, int](2, nil, 100*time.Millisecond)
	c.Add("a", 1)
	time.Sleep(101 * time.Millisecond)
	for _, v := range c.Values() {
		if v != 1 {
			t.Errorf("the value %d is in the cache", v)
		}
	}
}
