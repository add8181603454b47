package mixed

import (
	"sync"
	"sync/atomic"
)

// want: 6
func pipeline() {
	a, b := make(chan int, 2), make(chan int, 2)
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 3 {
			a <- i + 1
		}
		close(a)
	})
	wg.Go(func() {
		for v := range a {
			b <- v
		}
		close(b)
	})
	sum := 0
	for v := range b {
		sum += v
	}
	wg.Wait()
	print(sum)
}

// want: 22
func manyLocks() {
	var a, b sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	var n atomic.Int32
	x, y := 0, 0
	wg.Go(func() {
		a.Lock()
		x++
		a.Unlock()
		rw.RLock()
		n.Add(1)
		rw.RUnlock()
	})
	wg.Go(func() {
		b.Lock()
		y++
		b.Unlock()
		rw.RLock()
		n.Add(1)
		rw.RUnlock()
	})
	wg.Wait()
	print(x+y, n.Load())
}
