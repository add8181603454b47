// Package small has runs that a search makes by the million.
package small

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// locked is a run of three goroutines in 31 steps.
//
// want: 9 9
func locked() {
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
	print(x, " ", n.Load())
}

// switching is a run of two goroutines that does nothing but take steps.
//
// want: done
func switching() {
	go yield()
	yield()
	print("done")
}

func yield() {
	for range 500 {
		runtime.Gosched()
	}
}
