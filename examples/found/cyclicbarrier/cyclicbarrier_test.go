// Package cyclicbarrier has tests of github.com/marusama/cyclicbarrier: "CyclicBarrier is a
// synchronizer that allows a set of goroutines to wait for each other to reach a common
// execution point".
package cyclicbarrier

import (
	"context"
	"sync"
	"testing"

	"github.com/marusama/cyclicbarrier"
)

// TestCancel: the barrier is in the broken state if a goroutine is interrupted "while
// waiting". One whose context is cancelled after all have come breaks the next round.
func TestCancel(t *testing.T) {
	b := cyclicbarrier.New(2)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	var err error
	wg.Go(func() { b.Await(ctx) })
	wg.Go(func() {
		err = b.Await(context.Background())
		cancel()
	})
	wg.Wait()
	cancel()
	if err == nil && b.IsBroken() {
		t.Error("all have come, and the barrier is broken")
	}
}

// TestReset: "Await waits until all parties have invoked await on this barrier." The last one
// to come runs the action and then releases those who wait. If Reset comes in between, it
// releases those of the next round.
func TestReset(t *testing.T) {
	come := make(chan bool)
	b := cyclicbarrier.NewWithAction(2, func() error { close(come); return nil })
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { b.Await(context.Background()) })
	}
	next := make(chan error)
	go func() {
		<-come
		b.Reset()
		next <- b.Await(ctx)
	}()
	wg.Wait()
	cancel()
	if err := <-next; err == nil {
		t.Error("one of two parties has come, and Await has returned")
	}
}
