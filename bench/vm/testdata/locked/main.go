// Command locked is a run of three goroutines in 32 steps: see ../../handover.go for
// the same under control of native code.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	var mu sync.Mutex
	var n atomic.Int32
	var wg sync.WaitGroup
	x := 0
	work := func() {
		for range 3 {
			mu.Lock()
			x++
			mu.Unlock()
			n.Add(1)
		}
	}
	wg.Add(2)
	for range 2 {
		go func() {
			work()
			wg.Done()
		}()
	}
	work()
	wg.Wait()
	if x != 9 || n.Load() != 9 {
		panic("lost")
	}
}
