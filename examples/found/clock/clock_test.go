// Package clock has tests of github.com/benbjohnson/clock, "a mock clock that only moves
// forward programmatically".
package clock

import (
	"testing"
	"time"

	"github.com/benbjohnson/clock"
)

// TestAfter: "Add [...] should only be called from a single goroutine at a time", which it
// is. A timer that is due is sent twice, by Add and by After, to a channel with room for one.
func TestAfter(t *testing.T) {
	c := clock.NewMock()
	first := c.After(time.Second)
	go func() { c.After(time.Second) }()
	c.Add(time.Second)
	<-first
}
