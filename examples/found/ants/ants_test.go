// Package ants has tests of github.com/panjf2000/ants/v2.
package ants

import (
	"sync"
	"testing"
	"time"

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

// TestPanic: a caller that is about to wait also misses that a panic has ended the only
// worker.
func TestPanic(t *testing.T) {
	p, err := ants.NewPool(1, ants.WithDisablePurge(true), ants.WithPanicHandler(func(any) {}))
	if err != nil {
		t.Fatal(err)
	}
	p.Submit(func() { panic("task") })
	done := make(chan bool)
	go func() {
		p.Submit(func() {})
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Errorf("%d workers run, and Submit waits for one", p.Running())
	}
	p.Release()
}
