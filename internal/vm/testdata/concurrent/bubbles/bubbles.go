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

// What else is due at the time of a timer may come before the timer sends to who waits for it.
//
// want: sent, not there
// want: sent, there
// want: not sent, not there
func beforeTheTimer() {
	bubble(func() {
		c := make(chan bool)
		t := time.NewTimer(time.Second)
		time.AfterFunc(time.Second, func() {
			select {
			case c <- true:
				print("sent, ")
			default:
				print("not sent, ")
			}
			select {
			case <-t.C:
				print("there")
			default:
				print("not there")
			}
		})
		select {
		case <-c:
		case <-t.C:
		}
	})
}

// A timer sends to who has waited for it longest.
//
// want: first second
func longest() {
	bubble(func() {
		t := time.NewTimer(time.Second)
		go func() {
			<-t.C
			print("first ")
			t.Reset(time.Second)
		}()
		synctest.Wait()
		<-t.C
		print("second")
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

// A long run is looked through for deadlocks now and then: here a timer of the bubble is due at
// those points, and nothing else can happen.
//
// want: 5m0s
func timerChain() {
	bubble(func() {
		twoSteps()
		start := time.Now()
		done := make(chan bool)
		var chain func(n int)
		chain = func(n int) {
			if n == 0 {
				close(done)
				return
			}
			time.AfterFunc(time.Second, func() { chain(n - 1) })
		}
		chain(300)
		<-done
		print(time.Since(start).String())
	})
}

// want: 5m0s
func tickerChain() {
	bubble(func() {
		twoSteps()
		start := time.Now()
		t := time.NewTicker(time.Second)
		defer t.Stop()
		for range 300 {
			<-t.C
		}
		print(time.Since(start).String())
	})
}

// want: 5m0s
func timerChannels() {
	bubble(func() {
		twoSteps()
		start := time.Now()
		for range 300 {
			done := make(chan bool)
			go func() {
				<-time.After(time.Second)
				close(done)
			}()
			<-done
		}
		print(time.Since(start).String())
	})
}

// twoSteps takes two steps. After them a timer is due at steps of even number.
func twoSteps() {
	ch := make(chan int, 2)
	ch <- 0
	ch <- 0
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

// Who is blocked when Wait returns does wait: a select finds it.
//
// want: sent 1
func foundAfterWait() {
	bubble(func() {
		c, out := make(chan int), make(chan int, 1)
		go func() { out <- <-c }()
		synctest.Wait()
		select {
		case c <- 1:
			print("sent ")
		default:
			print("none ")
			close(c)
		}
		print(<-out)
	})
}

// want: sent 1
func senderFoundAfterWait() {
	bubble(func() {
		c := make(chan int)
		go func() { c <- 1 }()
		synctest.Wait()
		select {
		case v := <-c:
			print("sent ", v)
		default:
			print("none")
		}
	})
}

// A value goes to who waits, not into the buffer.
//
// want: 0 1
func handedOver() {
	bubble(func() {
		c, out := make(chan int, 2), make(chan int, 1)
		go func() { out <- <-c }()
		synctest.Wait()
		c <- 1
		print(len(c), " ")
		print(<-out)
	})
}

// want: 0 a1
func handedOverBeforeClose() {
	bubble(func() {
		a, b, out := make(chan int, 1), make(chan int, 1), make(chan string, 1)
		go func() {
			select {
			case v := <-a:
				out <- fmt.Sprint("a", v)
			case <-b:
				out <- "b"
			}
		}()
		synctest.Wait()
		a <- 1
		close(b)
		print(len(a), " ")
		print(<-out)
	})
}

// A close makes those who wait go on at once: the value comes too late.
//
// want: 1 b
func closedBeforeSend() {
	bubble(func() {
		a, b, out := make(chan int, 1), make(chan int), make(chan string, 1)
		go func() {
			select {
			case <-a:
				out <- "a"
			case <-b:
				out <- "b"
			}
		}()
		synctest.Wait()
		close(b)
		a <- 1
		print(len(a), " ")
		print(<-out)
	})
}

// A receive from a full buffer lets the value of who waits in.
//
// want: 1 2 1 2
func fullBuffer() {
	bubble(func() {
		c := make(chan int, 2)
		c <- 1
		c <- 2
		go func() { c <- 3 }()
		synctest.Wait()
		print(<-c, " ", len(c), " ")
		close(c)
		n := 0
		for range c {
			n++
		}
		print(n-1, " ", n)
	})
}

// want: 1 panic: send on closed channel
// want: panic: send on closed channel1
func closedUnderSender() {
	bubble(func() {
		c := make(chan int, 1)
		c <- 1
		go func() {
			defer func() { print("panic: ", fmt.Sprint(recover())) }()
			c <- 2
		}()
		synctest.Wait()
		close(c)
		print(<-c, " ")
	})
}

// First come, first served; among those who came between two Waits the order is open.
//
// want: a12
// want: a21
func firstCome() {
	bubble(func() {
		c, out := make(chan int), make(chan string, 3)
		go func() {
			<-c
			out <- "a"
		}()
		synctest.Wait()
		for i := range 2 {
			go func() {
				<-c
				out <- fmt.Sprint(i + 1)
			}()
		}
		synctest.Wait()
		for range 3 {
			c <- 0
			synctest.Wait()
			print(<-out)
		}
	})
}

// Senders that wait are served in order, too, and before one that comes later.
//
// want: 0 1 2
func sendersInOrder() {
	bubble(func() {
		c := make(chan int, 1)
		c <- 0
		go func() { c <- 1 }()
		synctest.Wait()
		go func() { c <- 2 }()
		synctest.Wait()
		go func() { c <- 3 }()
		print(<-c, " ", <-c, " ", <-c)
		<-c
	})
}

// Those who wait come before those who come later.
//
// want: first second
func beforeLater() {
	bubble(func() {
		c, out := make(chan int), make(chan string, 2)
		go func() {
			<-c
			out <- "first "
		}()
		synctest.Wait()
		go func() {
			<-c
			out <- "second"
		}()
		c <- 0
		print(<-out)
		c <- 0
		print(<-out)
	})
}

// When time moves, the others are blocked.
//
// want: sent
func foundAfterSleep() {
	bubble(func() {
		c := make(chan int)
		go func() { <-c }()
		time.Sleep(time.Second)
		select {
		case c <- 1:
			print("sent")
		default:
			print("none")
		}
	})
}

// Of a time-out and a send at the same time either comes first.
//
// want: late none
// want: sent value
func timeoutOrSend() {
	bubble(func() {
		c, out := make(chan int), make(chan string, 2)
		go func() {
			select {
			case <-c:
				out <- " value"
			case <-time.After(time.Second):
				out <- "late"
			}
		}()
		time.Sleep(time.Second)
		select {
		case c <- 1:
			print("sent")
			print(<-out)
		default:
			print(<-out)
			print(" none")
		}
	})
}

// Two senders find the same one waiting; the other value goes into the buffer.
//
// want: a1 b0
// want: b1 a0
func twoSenders() {
	bubble(func() {
		c, out := make(chan string, 1), make(chan string, 1)
		go func() { out <- <-c }()
		synctest.Wait()
		for _, s := range []string{"a", "b"} {
			go func() { c <- s }()
		}
		synctest.Wait()
		first := <-out
		print(first, len(c), " ", <-c, len(c))
	})
}

// A select finds one of several that wait, with other things going on.
//
// want: d none
// want: w sent
func searched() {
	bubble(func() {
		c, d, out := make(chan int), make(chan int, 1), make(chan string, 2)
		go func() {
			select {
			case <-c:
				out <- "w"
			case <-d:
				out <- "d"
			}
		}()
		synctest.Wait()
		var first, second string
		var wg sync.WaitGroup
		wg.Go(func() { d <- 1 })
		wg.Go(func() {
			select {
			case c <- 1:
				first = "sent"
			default:
				first = "none"
			}
		})
		wg.Wait()
		second = <-out
		print(second, " ", first)
	})
}

// A select that waits links its channels: who is served on one of them does not wait at the
// other any more.
//
// want: 17 - b
// want: 6 17 0
func linked() {
	bubble(func() {
		c, d := make(chan int), make(chan int, 1)
		select1, receive1 := "-", "-"
		go func() {
			select {
			case v := <-c:
				select1 = fmt.Sprint(v)
			case v := <-d:
				select1 = fmt.Sprint(v)
			}
		}()
		synctest.Wait()
		go func() {
			if v, ok := <-c; ok {
				receive1 = fmt.Sprint(v)
			}
		}()
		synctest.Wait()
		go func() { d <- 6 }()
		go func() { c <- 17 }()
		synctest.Wait()
		print(select1, " ", receive1, " ")
		if receive1 == "-" {
			print("b")
			close(c)
		} else {
			print(len(d))
		}
	})
}

// A sender that waits is served before the close, or panics.
//
// want: 1 2
// want: 1 closed
func servedBeforeClose() {
	bubble(func() {
		c := make(chan int, 1)
		c <- 1
		go func() {
			defer func() { recover() }()
			c <- 2
		}()
		synctest.Wait()
		first, d := 0, make(chan int, 1)
		go func() {
			d <- 1
			first = <-c
		}()
		close(c)
		synctest.Wait()
		print(first, " ")
		if v, ok := <-c; ok {
			print(v)
		} else {
			print("closed")
		}
	})
}
