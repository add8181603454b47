// Package forever has functions whose goroutines may go round for ever, although none of them is kept waiting.
package forever

import (
	"sync"
	"sync/atomic"
)

// lock: two goroutines take a lock again and again.
func lock() {
	var mu sync.Mutex
	n := 0
	turn := func() {
		for {
			mu.Lock()
			n = 1 - n
			mu.Unlock()
		}
	}
	go turn()
	turn()
}

// ended: one of them can be told to stop, and waits for the other one then.
func ended() {
	var stop atomic.Bool
	pass, done := make(chan int), make(chan int)
	go func() {
		for !stop.Load() {
			select {
			case <-pass:
			case <-done:
				stop.Store(true)
			}
		}
		done <- 0
	}()
	for {
		select {
		case pass <- 0:
		case done <- 0:
			<-done
			return
		}
	}
}
