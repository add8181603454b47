// Package channels has a test of github.com/eapache/channels.
package channels

import (
	"testing"

	"github.com/eapache/channels"
)

// TestSharedBufferLen: Len of a SharedBuffer reads a counter that the buffer's goroutine
// writes, with nothing between them.
func TestSharedBufferLen(t *testing.T) {
	buf := channels.NewSharedBuffer(2)
	ch := buf.NewChannel()
	ch.In() <- 1
	if n := buf.Len(); n > 2 {
		t.Errorf("%d elements in a buffer of 2", n)
	}
	<-ch.Out()
	ch.Close()
	buf.Close()
}
