// Package bubbles has functions that run in bubbles of testing/synctest.
package bubbles

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// bubble runs f in a bubble and prints the panic that ends it, if any.
func bubble(f func()) {
	defer func() {
		if x := recover(); x != nil {
			print(fmt.Sprint(x))
		}
	}()
	synctest.Test(new(testing.T), func(*testing.T) { f() })
}

// Time passes at once, and does not wait for what goes on outside.
//
// want: 3s
func clock() {
	bubble(func() {
		start := time.Now()
		time.Sleep(3 * time.Second)
		print(time.Since(start).String())
	})
}

// want: ab
func sleepers() {
	bubble(func() {
		go func() { time.Sleep(time.Second); print("a") }()
		time.Sleep(2 * time.Second)
		print("b")
	})
}

// Those that wake at the same time go on in any order.
//
// want: 1
// want: 2
func together() {
	bubble(func() {
		var last atomic.Int32
		go func() { time.Sleep(time.Second); last.Store(1) }()
		go func() { time.Sleep(time.Second); last.Store(2) }()
		time.Sleep(time.Second)
		synctest.Wait()
		print(last.Load())
	})
}

// want: 6
func waitForAll() {
	bubble(func() {
		var n atomic.Int32
		for i := range 3 {
			go func() { n.Add(int32(i) + 1) }()
		}
		synctest.Wait()
		print(n.Load())
	})
}

// A result is there before the time-out.
//
// want: work
func inTime() {
	bubble(func() {
		c := make(chan bool, 1)
		go func() { c <- true }()
		select {
		case <-c:
			print("work")
		case <-time.After(time.Second):
			print("timeout")
		}
	})
}

// want: work
// want: timeout
func justInTime() {
	bubble(func() {
		c := make(chan bool, 1)
		go func() { time.Sleep(time.Second); c <- true }()
		select {
		case <-c:
			print("work")
		case <-time.After(time.Second):
			print("timeout")
		}
	})
}

// The function of a timer whose time has come may still be stopped.
//
// want: ran
// want: stopped
func stopInTime() {
	bubble(func() {
		t := time.AfterFunc(time.Second, func() { print("ran") })
		time.Sleep(time.Second)
		if t.Stop() {
			print("stopped")
		}
	})
}

// want: 2 ticks
func ticker() {
	bubble(func() {
		t := time.NewTicker(time.Second)
		defer t.Stop()
		<-t.C
		<-t.C
		print("2 ticks")
	})
}

// What a channel has to give when the time has come is there.
//
// want: there
func past() {
	bubble(func() {
		t := time.NewTimer(time.Second)
		time.Sleep(time.Second)
		select {
		case <-t.C:
			print("there")
		default:
			print("not there")
		}
	})
}

// want: context deadline exceeded
func deadline() {
	bubble(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		time.Sleep(time.Second - 1)
		synctest.Wait()
		if ctx.Err() != nil {
			print("too early")
		}
		time.Sleep(1)
		synctest.Wait()
		print(ctx.Err().Error())
	})
}

// A goroutine that waits for a mutex is not durably blocked: time does not pass.
//
// want: 0s
func mutex() {
	bubble(func() {
		var mu sync.Mutex
		start := time.Now()
		mu.Lock()
		go func() {
			mu.Lock()
			print(time.Since(start).String())
			mu.Unlock()
		}()
		mu.Unlock()
		time.Sleep(time.Second)
	})
}

// A goroutine that waits for a mutex keeps Wait from returning for ever.
//
// want: deadlock: fatal error: all goroutines are asleep - deadlock!
func mutexHeld() {
	bubble(func() {
		var mu sync.Mutex
		mu.Lock()
		go func() { mu.Lock() }()
		synctest.Wait()
		print("returned")
	})
}

// want: woken
func cond() {
	bubble(func() {
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		go func() {
			mu.Lock()
			c.Wait()
			mu.Unlock()
			print("woken")
		}()
		synctest.Wait()
		c.Signal()
	})
}

// want: 1s
func group() {
	bubble(func() {
		start := time.Now()
		var wg sync.WaitGroup
		wg.Go(func() { time.Sleep(time.Second) })
		wg.Wait()
		print(time.Since(start).String())
	})
}

// want: deadlock: all goroutines in bubble are blocked leak: goroutine blocked for ever: chan receive leak: goroutine blocked for ever: select (no cases)
func stuck() {
	bubble(func() { select {} })
}

// want: deadlock: main bubble goroutine has exited but blocked goroutines remain leak: goroutine blocked for ever: chan receive
func remains() {
	bubble(func() {
		c := make(chan int)
		go func() { <-c }()
	})
}

// Time stops when the function has returned.
//
// want: deadlock: main bubble goroutine has exited but blocked goroutines remain leak: goroutine blocked for ever: time.sleep
func tooLate() {
	bubble(func() {
		go func() { time.Sleep(1) }()
	})
}

// want: wait already in progresswait already in progress
func twoWait() {
	bubble(func() {
		done := make(chan bool)
		wait := func() {
			defer func() {
				if x := recover(); x != nil {
					print(fmt.Sprint(x))
				}
				done <- true
			}()
			synctest.Wait()
		}
		for range 3 {
			go wait()
		}
		<-done
		<-done
		<-done
	})
}

// A channel that was made outside is no durable place to block: time does not pass
// while a goroutine outside may still send.
//
// want: 0s
func outside() {
	c := make(chan bool)
	go func() { c <- true }()
	bubble(func() {
		start := time.Now()
		<-c
		print(time.Since(start).String())
	})
}

// want: fatal error: fatal error: send on synctest channel from outside bubble
func trespass() {
	out := make(chan chan int, 1)
	bubble(func() { out <- make(chan int, 1) })
	(<-out) <- 1
}

// What goes on outside is not waited for, and does not wait.
//
// want: 0
// want: 1
func beside() {
	var gone atomic.Int32
	go func() { gone.Store(1) }()
	bubble(func() {
		time.Sleep(time.Second)
		print(gone.Load())
	})
}

// What was done before the others blocked or ended has happened before Wait returns.
//
// want: 3
func ordered() {
	bubble(func() {
		n, m := 0, 0
		c := make(chan bool)
		go func() { n++ }()
		go func() { m++; <-c; m++ }()
		synctest.Wait()
		n += m
		close(c)
		synctest.Wait()
		print(n + m - 1)
	})
}
