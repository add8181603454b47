// Package clockwork has tests of github.com/jonboulle/clockwork, "a simple fake clock".
package clockwork

import (
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
)

// TestReset: a ticker that was reset and stopped ticks on.
func TestReset(t *testing.T) {
	c := clockwork.NewFakeClock()
	ticker := c.NewTicker(time.Second)
	ticker.Reset(time.Second)
	ticker.Stop()
	c.Advance(time.Second)
	select {
	case <-ticker.Chan():
		t.Error("a stopped ticker has ticked")
	default:
	}
}
