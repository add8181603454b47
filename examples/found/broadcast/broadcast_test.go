// Package broadcast has a test of github.com/dustin/go-broadcast.
package broadcast

import (
	"testing"

	"github.com/dustin/go-broadcast"
)

// TestUnregister: "Unregister a channel so that it no longer receives broadcasts." The
// broadcaster cannot take the request while it sends to that very channel.
func TestUnregister(t *testing.T) {
	b := broadcast.NewBroadcaster(2)
	ch := make(chan any)
	b.Register(ch)
	done := make(chan bool)
	go func() {
		<-ch
		b.Unregister(ch)
		close(done)
	}()
	b.Submit(1)
	b.Submit(2)
	<-done
	b.Close()
}
