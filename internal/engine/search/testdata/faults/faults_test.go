// Package faults has targets that are searched while one of the searches breaks down.
package faults

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestHolds(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 3 {
		wg.Go(func() {
			mu.Lock()
			n++
			mu.Unlock()
		})
	}
	wg.Wait()
}

func TestFails(t *testing.T) {
	var n atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { n.Store(n.Load() + 1) })
	}
	wg.Wait()
	if n.Load() != 2 {
		t.Error("an update is lost")
	}
}

func FuzzBytes(f *testing.F) {
	f.Fuzz(func(t *testing.T, x, y byte) {
		var sum atomic.Int32
		var wg sync.WaitGroup
		wg.Go(func() { sum.Add(int32(x)) })
		if x > 3 && y > x {
			sum.Add(int32(y))
		}
		wg.Wait()
	})
}
