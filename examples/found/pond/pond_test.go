// Package pond has a test of github.com/alitto/pond/v2.
package pond

import (
	"errors"
	"sync"
	"testing"

	"github.com/alitto/pond/v2"
)

// TestStop: "If the pool has been stopped, this method will return ErrPoolStopped." A call
// that waits for room in the queue returns context.Canceled instead.
func TestStop(t *testing.T) {
	p := pond.NewPool(1, pond.WithQueueSize(1))
	for range 2 {
		p.Go(func() {})
	}
	var err error
	var wg sync.WaitGroup
	wg.Go(func() { err = p.Go(func() {}) })
	p.StopAndWait()
	wg.Wait()
	if err != nil && !errors.Is(err, pond.ErrPoolStopped) {
		t.Errorf("the pool has been stopped, and Go returned %v", err)
	}
}
