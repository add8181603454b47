// Package endless has a test whose goroutines can go on for ever.
package endless

import (
	"sync/atomic"
	"testing"
)

func TestEndless(t *testing.T) {
	var turn, other atomic.Int32
	go func() {
		for turn.Load() >= 0 {
			turn.Add(1)
			other.Add(1)
		}
	}()
	for other.Load() < 1000 {
		turn.Add(1)
	}
	turn.Store(-1 << 20)
}
