package time

import (
	"context"
	"math"
	"time"
)

// Main may be late: it then starts to sleep when the other has woken.
//
// want: ab
// want: ba
func sleepers() {
	done := make(chan bool)
	go func() { time.Sleep(2 * time.Second); print("b"); done <- true }()
	time.Sleep(time.Second)
	print("a")
	<-done
}

// want: work
// want: timeout
func timeout() {
	c := make(chan bool, 1)
	go func() { c <- true }()
	select {
	case <-c:
		print("work")
	case <-time.After(time.Second):
		print("timeout")
	}
}

// want: 2
func ticker() {
	t := time.NewTicker(time.Second)
	<-t.C
	<-t.C
	t.Stop()
	print("2")
}

// want: 3.000000001s
func clock() {
	start := time.Now()
	time.Sleep(3 * time.Second)
	print(time.Since(start).String())
}

// want: ran
// want: stopped
func afterFunc() {
	done := make(chan bool, 1)
	t := time.AfterFunc(time.Second, func() { done <- true })
	go func() {}()
	if t.Stop() {
		print("stopped")
		return
	}
	<-done
	print("ran")
}

// want: context deadline exceeded
func deadline() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	<-ctx.Done()
	print(ctx.Err().Error())
}

// What is centuries away never comes.
//
// want: deadlock: fatal error: all goroutines are asleep - deadlock!
func never() {
	<-time.After(math.MaxInt64)
	print("late")
}

// want: once
func longPeriod() {
	t := time.NewTicker(math.MaxInt64)
	t.Reset(1)
	<-t.C
	t.Reset(math.MaxInt64 - 1)
	select {
	case <-t.C:
		print("again")
	case <-time.After(time.Hour):
		print("once")
	}
}

// A goroutine that lives on a ticker does not keep the run from ending, and is no leak.
//
// want: 12345
func livesOnTicker() {
	t := time.NewTicker(time.Second)
	go func() {
		for i := 1; ; i++ {
			<-t.C
			print(i)
		}
	}()
}

// Nor is one that sleeps again and again. What another goroutine waits for, it might do later.
//
// want: 12345
func sleepsOn() {
	c := make(chan bool)
	go func() { <-c }()
	go func() {
		for i := 1; i < 100; i++ {
			print(i)
			time.Sleep(time.Second)
		}
		close(c)
	}()
}

// What a timer starts may set it again.
//
// want: 12345
func setsItself() {
	i := 0
	var tick func()
	tick = func() {
		i++
		print(i)
		time.AfterFunc(time.Second, tick)
	}
	time.AfterFunc(time.Second, tick)
}

// What ends by itself has time to do so.
//
// want: done
func endsLater() {
	go func() {
		for range 4 {
			time.Sleep(time.Second)
		}
		print("done")
	}()
}

// Who waits in a select for a timer, or to send, meets a receiver whose time comes as well.
//
// want: fired
// want: sent
func sendsWhenDue() {
	c, out := make(chan int), make(chan bool)
	go func() {
		time.Sleep(time.Second)
		select {
		case <-c:
		case <-out:
		}
	}()
	select {
	case <-time.After(time.Second):
		print("fired")
	case c <- 1:
		print("sent")
	}
	close(out)
}
