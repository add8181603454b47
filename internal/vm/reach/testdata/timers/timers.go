// Package timers has functions that set 600 timers, of which nobody stops one.
package timers

import "time"

const n = 600

// Forgotten sets timers whose channels are not needed any more when the next one is set.
func Forgotten() {
	c := make(chan int, 1)
	for i := range n {
		c <- i
		select {
		case <-c:
		case <-time.After(time.Minute):
			panic("late")
		}
	}
}

// Tickers is Forgotten for tickers, which would go on for ever.
func Tickers() {
	for range n {
		time.NewTicker(time.Minute)
	}
	time.Sleep(time.Hour)
}

var all []*time.Timer

// Kept sets timers that a package variable leads to, and receives from all.
func Kept() {
	for range n {
		all = append(all, time.NewTimer(time.Minute))
	}
	for _, t := range all {
		<-t.C
	}
}

// Awaited has goroutines that wait for timers which nobody else knows, and one that is in a timer's function only.
func Awaited() {
	done := make(chan int)
	for range n {
		go func() {
			<-time.After(time.Minute)
			done <- 1
		}()
	}
	for range n {
		<-done
	}
	last := time.After(time.Hour)
	time.AfterFunc(2*time.Hour, func() {
		<-last
		done <- 1
	})
	Forgotten()
	<-done
}

// Reset sets timers again whose channels are gone.
func Reset() {
	var c <-chan time.Time
	var timers []*time.Timer
	for range n {
		t := time.NewTimer(time.Hour)
		timers, c, t.C = append(timers, t), t.C, nil
	}
	for _, t := range timers {
		if !t.Reset(time.Minute) {
			panic("was not active")
		}
	}
	<-c
}

// Due sets timers that are due, so that they may have been received from before.
func Due() {
	for range n {
		time.NewTimer(0)
	}
}
