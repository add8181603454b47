// Package chanx has a test of github.com/smallnest/chanx.
package chanx

import (
	"context"
	"testing"

	"github.com/smallnest/chanx"
)

// TestLen: Len has a value receiver. Calling it copies the channel with its atomic counter,
// by plain reads.
func TestLen(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ch := chanx.NewUnboundedChan[int](ctx, 1)
	done := make(chan bool)
	go func() {
		for i := range 3 {
			ch.In <- i
		}
		close(done)
	}()
	ch.Len()
	<-done
}
