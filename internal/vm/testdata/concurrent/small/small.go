// Package small has runs that a search makes by the million.
package small

import (
	"sync"
	"sync/atomic"
)

// locked is a run of three goroutines in 32 steps.
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
	if x != 9 || n.Load() != 9 {
		panic("lost")
	}
}

// switching is a run of two goroutines that does little but take steps.
func switching() {
	var x, y atomic.Int32
	go store(&x)
	store(&y)
}

func store(x *atomic.Int32) {
	for range 500 {
		x.Store(1)
	}
}

func nothing() {}

var (
	jobs  = make(chan int)
	table []int
)

// tables starts a worker and then computes for long.
func tables() {
	go func() {
		for range jobs {
		}
	}()
	for i := range 1 << 18 {
		table = append(table[:i%1000], i)
	}
}

// adders has several interleavings.
func adders() {
	var n [2]atomic.Int32
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { n[i].Add(1); n[1-i].Add(1); n[i].Add(1) })
	}
	wg.Wait()
}
