// Package ants has a test of github.com/panjf2000/ants/v2.
package ants

import (
	"sync"
	"testing"

	"github.com/panjf2000/ants/v2"
)

// TestRelease: Release wakes the callers that wait for a worker, so that they do not block
// for ever. One that is about to wait misses that, and the end of the last worker too.
func TestRelease(t *testing.T) {
	p, err := ants.NewPool(1, ants.WithDisablePurge(true))
	if err != nil {
		t.Fatal(err)
	}
	p.Submit(func() {})
	var wg sync.WaitGroup
	wg.Go(func() { p.Submit(func() {}) })
	p.Release()
	wg.Wait()
}
