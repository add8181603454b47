// Package timers has programs with timers, closed channels and readings of the clock.
package timers

import (
	"sync"
	"sync/atomic"
	"time"
)

// Tickers leaves goroutines that live on tickers, each on its own.
func Tickers() {
	for i := range 3 {
		go func() {
			ticker := time.NewTicker(time.Second / time.Duration(i+1))
			for {
				<-ticker.C
			}
		}()
	}
}

// Polling has a goroutine that looks whether a timer has fired that it has set last, which its end makes known.
func Polling() {
	other := time.NewTimer(time.Second)
	timer := time.NewTimer(time.Second)
	<-other.C
	select {
	case <-timer.C:
	default:
		panic("not yet")
	}
}

// Closed has goroutines that find the same channel closed.
func Closed() {
	done := make(chan int)
	close(done)
	var wg sync.WaitGroup
	for range 4 {
		never := make(chan int)
		wg.Add(1)
		go func() {
			defer wg.Done()
			select {
			case <-done:
			case <-never:
			}
		}()
	}
	wg.Wait()
}

// Count has goroutines that are alike, and reads the clock before they count and afterwards.
func Count() {
	began := time.Now()
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 5 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			n++
			mu.Unlock()
		}()
	}
	wg.Wait()
	if n != 5 || time.Since(began) < 0 {
		panic("lost")
	}
}

// Clocks has goroutines that read the clock themselves, under a lock: none reads an earlier time than the one before it.
func Clocks() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var last time.Time
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			now := time.Now()
			if now.Before(last) {
				panic("earlier")
			}
			last = now
			mu.Unlock()
		}()
	}
	wg.Wait()
}

// Sleepers has goroutines that sleep, two at a time, for no longer than others may be kept waiting.
func Sleepers() {
	var wg sync.WaitGroup
	var active atomic.Int32
	turns := make(chan bool, 2)
	for range 4 {
		turns <- true
		wg.Add(1)
		go func() {
			defer wg.Done()
			if active.Add(1) > 2 {
				panic("more than two")
			}
			time.Sleep(time.Microsecond)
			active.Add(-1)
			<-turns
		}()
	}
	wg.Wait()
}

// ClosedTwice has a goroutine that goes on when a channel is closed, which is tried once more later.
func ClosedTwice() {
	var later atomic.Bool
	c, done := make(chan int), make(chan int)
	go func() {
		<-c
		if !later.Load() {
			panic("early")
		}
		close(done)
	}()
	close(c)
	later.Store(true)
	func() {
		defer func() { recover() }()
		close(c)
	}()
	<-done
}
