// Package machine has a function for each primitive. Each panics with "degree k"
// at a point that needs k interferences.
package machine

import (
	"sync"
	"sync/atomic"
)

// Mutex has a goroutine that reads another's update under a lock, and that of a
// third one that read it.
func Mutex() {
	var (
		mu   sync.Mutex
		wg   sync.WaitGroup
		x, y int
	)
	wg.Go(func() {
		mu.Lock()
		x = 1
		mu.Unlock()
	})
	wg.Go(func() {
		mu.Lock()
		a := x
		mu.Unlock()
		if a == 1 {
			mu.Lock()
			y = a + 1
			mu.Unlock()
		}
	})
	mu.Lock()
	b := y
	mu.Unlock()
	if b == 2 {
		panic("degree 2")
	}
	mu.Lock()
	c := x
	mu.Unlock()
	if c == 1 {
		panic("degree 1")
	}
	wg.Wait()
}

// RWMutex has two readers that overlap, so that one can count the other.
func RWMutex() {
	var (
		mu      sync.RWMutex
		readers atomic.Int32
		value   int
	)
	read := func() (v, overlap int) {
		mu.RLock()
		defer mu.RUnlock()
		n := readers.Add(1)
		v = value
		readers.Add(-1)
		return v, int(n)
	}
	go func() {
		mu.Lock()
		value = 1
		mu.Unlock()
	}()
	go read()
	v, n := read()
	if n == 2 && v == 1 {
		panic("degree 2")
	}
	if n == 2 {
		panic("degree 1")
	}
}

// TryLock fails while another goroutine holds the lock, which is an order and no
// interference.
func TryLock() {
	var (
		mu     sync.Mutex
		failed atomic.Int32
	)
	try := func() {
		if !mu.TryLock() {
			failed.Add(1)
			return
		}
		mu.Unlock()
	}
	go try()
	go try()
	mu.Lock()
	switch failed.Load() {
	case 1:
		panic("degree 1")
	case 2:
		panic("degree 2")
	}
	mu.Unlock()
}

// WaitGroup waits, which is an order and no interference, and reads what others
// wrote meanwhile, which is one.
func WaitGroup() {
	var (
		one, both sync.WaitGroup
		x, y      int
	)
	one.Add(1)
	both.Add(2)
	go func() {
		defer both.Done()
		one.Wait()
		y = x + 1
	}()
	go func() {
		defer both.Done()
		x = 1
		one.Done()
	}()
	way := make(chan bool, 1)
	select {
	case way <- true:
		one.Wait()
		if x == 1 {
			panic("degree 1")
		}
	case way <- false:
		both.Wait()
		if y == 2 {
			panic("degree 2")
		}
	}
}

// Cond has a goroutine that waits for what another one makes true.
func Cond() {
	var (
		mu              sync.Mutex
		ready, answered int
	)
	changed := sync.NewCond(&mu)
	go func() {
		mu.Lock()
		ready = 1
		changed.Signal()
		mu.Unlock()
	}()
	go func() {
		mu.Lock()
		for ready == 0 {
			changed.Wait()
		}
		answered = 1
		changed.Broadcast()
		mu.Unlock()
	}()
	mu.Lock()
	if ready == 1 && answered == 0 {
		panic("degree 1")
	}
	for answered == 0 {
		changed.Wait()
	}
	mu.Unlock()
	panic("degree 2")
}

// Once has goroutines that read what the first of them did.
func Once() {
	var (
		once sync.Once
		by   atomic.Int32
	)
	go once.Do(func() { by.Store(1) })
	once.Do(func() { by.Store(2) })
	switch by.Load() {
	case 1:
		panic("degree 2") // that it was done, and by whom
	case 2:
		go func() { by.Store(3) }()
		if by.Load() == 3 {
			panic("degree 1")
		}
	}
}

// Atomics has the outcomes of a compare-and-swap, and a count.
func Atomics() {
	var state, count atomic.Int32
	go func() {
		if !state.CompareAndSwap(0, 1) {
			count.Add(1)
		}
	}()
	if !state.CompareAndSwap(0, 2) {
		panic("degree 1")
	}
	if count.Load() == 1 {
		panic("degree 2")
	}
}

// Plain has variables without protection, which are interleaved when they turn out
// to be shared.
func Plain() {
	var x, y int
	go func() { x = 1 }()
	go func() {
		if x == 1 {
			y = 1
		}
	}()
	if y == 1 {
		panic("degree 2")
	}
	if x == 1 {
		panic("degree 1")
	}
}
