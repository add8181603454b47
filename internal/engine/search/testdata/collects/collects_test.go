// Package collects has a test that collects garbage in some of its interleavings.
package collects

import (
	"runtime"
	"sync/atomic"
	"testing"
)

func Test(t *testing.T) {
	var a, b, cleaned atomic.Int64
	done := make(chan bool, 3)
	x := new([2]int)
	runtime.AddCleanup(x, func(int) { cleaned.Add(1) }, 1)
	go func() {
		a.Store(1)
		b.Add(1)
		done <- true
	}()
	go func() {
		b.Add(1)
		if a.Load() == 0 {
			runtime.GC()
		}
		done <- true
	}()
	go func() {
		b.Add(1)
		done <- true
	}()
	y := x
	x = nil
	b.Add(1)
	_ = *y
	for range 3 {
		<-done
	}
}
