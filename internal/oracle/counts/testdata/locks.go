package programs

import (
	"sync"
	"sync/atomic"
)

// lockinc: n goroutines add to a variable under a lock.
func lockinc(n int) {
	var mu sync.Mutex
	var x atomic.Int32
	each(n, func(int) {
		mu.Lock()
		x.Store(x.Load() + 1)
		mu.Unlock()
	})
}

// lock2inc: n goroutines add to two variables under a lock.
func lock2inc(n int) {
	var mu sync.Mutex
	var x, y atomic.Int32
	each(n, func(int) {
		mu.Lock()
		x.Store(x.Load() + 1)
		y.Store(y.Load() + 1)
		mu.Unlock()
	})
}

// stack: one goroutine pushes n times and another pops n times, each time under
// a lock (stack_ok of SCTBench).
func stack(n int) {
	var mu sync.Mutex
	elems := make([]int, 0, n)
	all(
		func() {
			for i := range n {
				mu.Lock()
				if len(elems) == n {
					panic("overflow")
				}
				elems = append(elems, i)
				mu.Unlock()
			}
		},
		func() {
			for range n {
				mu.Lock()
				if top := len(elems) - 1; top >= 0 {
					elems = elems[:top]
				}
				mu.Unlock()
			}
		},
	)
}

// circular: a sender and a receiver take turns with a buffer that holds one
// message, n attempts each, each under a lock (circular_buffer_ok of SCTBench).
func circular(n int) {
	var mu sync.Mutex
	buffer := make([]int, n)
	sent, received := 0, 0
	all(
		func() {
			for range n {
				mu.Lock()
				if sent == received {
					buffer[sent%n] = sent
					sent++
				}
				mu.Unlock()
			}
		},
		func() {
			for range n {
				mu.Lock()
				if sent > received {
					if buffer[received%n] != received {
						panic("not what was sent")
					}
					received++
				}
				mu.Unlock()
			}
		},
	)
}

// philosophers: each of n takes the two forks beside it, the lower one first.
func philosophers(n int) {
	forks := make([]sync.Mutex, n)
	each(n, func(i int) {
		a, b := i, (i+1)%n
		if a > b {
			a, b = b, a
		}
		forks[a].Lock()
		forks[b].Lock()
		forks[b].Unlock()
		forks[a].Unlock()
	})
}

// rwlock: a writer and n readers.
func rwlock(n int) {
	var mu sync.RWMutex
	x := 0
	each(n+1, func(i int) {
		if i == 0 {
			mu.Lock()
			x++
			mu.Unlock()
		} else {
			mu.RLock()
			_ = x
			mu.RUnlock()
		}
	})
}

// kernel: three goroutines take a lock n times each. With n = 5 that is 30 steps.
// Nobody waits for their ends.
func kernel(n int) {
	var mu sync.Mutex
	x := 0
	for range 3 {
		go func() {
			for range n {
				mu.Lock()
				x++
				mu.Unlock()
			}
		}()
	}
}
