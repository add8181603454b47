// Package stalls has programs whose outcomes depend on how long goroutines that could run can
// be kept waiting.
package stalls

import (
	"sync"
	"sync/atomic"
	"time"
)

// Two goroutines and main work at different times.
func workers() {
	var x atomic.Int32
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			time.Sleep(time.Duration(i+1) * time.Second)
			v := x.Load()
			x.Store(v + 1)
		})
	}
	x.Add(10)
	x.Add(10)
	wg.Wait()
	print(x.Load())
}

// What is set after a timer that fired early is due later.
func chain() {
	c := make(chan string, 3)
	time.AfterFunc(time.Second, func() {
		time.AfterFunc(time.Second, func() { c <- "b" })
		c <- "a"
	})
	time.AfterFunc(3*time.Second, func() { c <- "c" })
	go func() { c <- "d" }()
	print(<-c, <-c, <-c)
}

// A goroutine learns of the time by a TryLock that fails.
func tryLock() {
	var mu sync.Mutex
	var x atomic.Int32
	go func() {
		time.Sleep(time.Second)
		mu.Lock()
	}()
	go func() {
		if !mu.TryLock() {
			time.Sleep(time.Second)
			x.Store(1)
		} else {
			mu.Unlock()
		}
	}()
	go func() {
		time.Sleep(1500 * time.Millisecond)
		print(x.Load())
	}()
}

// A goroutine learns of the time by the default case of a select.
func defaultCase() {
	c := make(chan bool, 1)
	c <- true
	go func() {
		time.Sleep(time.Second)
		<-c
	}()
	timer := time.NewTimer(2500 * time.Millisecond)
	select {
	case <-c:
		print("full")
	default:
		select {
		case <-time.After(time.Second):
			print("soon")
		case <-timer.C:
			print("late")
		}
	}
}

// The first of two elements in a buffer was sent early.
func order() {
	c := make(chan int, 2)
	go func() {
		time.Sleep(time.Second)
		c <- 1
	}()
	go func() {
		c <- 2
		time.Sleep(time.Second)
		c <- 3
	}()
	time.Sleep(1800 * time.Millisecond)
	print(<-c, len(c))
}

// A time-out is stopped while it may fire.
func stopped() {
	var x atomic.Int32
	timer := time.AfterFunc(time.Second, func() { x.Add(1) })
	ticker := time.NewTicker(700 * time.Millisecond)
	<-ticker.C
	print(timer.Stop())
	<-ticker.C
	ticker.Stop()
	print(x.Load())
}

// A goroutine polls.
func polls() {
	var done atomic.Bool
	go func() {
		time.Sleep(2 * time.Second)
		done.Store(true)
	}()
	n := 0
	for !done.Load() && n < 4 {
		time.Sleep(time.Second)
		n++
	}
	print(n)
}

// Timers and a goroutine that can run compete for a lock.
func locked() {
	var mu sync.Mutex
	s := ""
	for i := range 2 {
		go func() {
			time.Sleep(time.Duration(i) * time.Second)
			mu.Lock()
			s += string(rune('a' + i))
			mu.Unlock()
		}()
	}
	time.Sleep(3 * time.Second)
	mu.Lock()
	print(s)
	mu.Unlock()
}
