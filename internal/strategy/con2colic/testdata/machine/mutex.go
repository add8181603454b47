// A goroutine sees another's update of a variable under a lock, and then that
// of a third.
package main

import "sync"

var (
	mu   sync.Mutex
	x, y int
)

func main() {
	var wg sync.WaitGroup
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
