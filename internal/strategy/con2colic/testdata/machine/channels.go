package machine

import (
	"sync/atomic"
	"time"
)

// Unbuffered receives values from channels without a buffer.
func Unbuffered() {
	c, d := make(chan int), make(chan int)
	go func() { c <- 1 }()
	go func() { d <- 1 + <-c }()
	select {
	case v := <-c:
		if v == 1 {
			panic("degree 1")
		}
	case v := <-d:
		if v == 2 {
			panic("degree 2")
		}
	}
}

// Buffered receives values in the order in which two goroutines sent them.
func Buffered() {
	c := make(chan int, 2)
	go func() { c <- 1 }()
	go func() { c <- 2 }()
	a := <-c
	if a == 2 {
		if b := <-c; b == 1 {
			panic("degree 2")
		}
	}
	if a == 1 {
		panic("degree 1")
	}
}

// Full has a channel without room, which makes senders wait and values come late.
func Full() {
	c, started := make(chan int, 1), make(chan int, 2)
	go func() {
		c <- 1
		c <- 2
		started <- 3
	}()
	select {
	case <-started:
		panic("not without a receiver")
	case v := <-c:
		if v == 2 {
			panic("not before 1")
		}
	}
	select {
	case <-started:
		panic("degree 2")
	default:
		panic("degree 1")
	}
}

// Closed has a closed channel as a signal, and a second one after it.
func Closed() {
	done, more := make(chan struct{}), make(chan int, 1)
	go func() { close(done) }()
	go func() {
		<-done
		close(more)
	}()
	select {
	case <-done:
		panic("degree 1")
	case _, ok := <-more:
		if !ok {
			panic("degree 2")
		}
	}
}

// Select takes the default, or communicates with another goroutine.
func Select() {
	var taken atomic.Int32
	c := make(chan int, 1)
	go func() {
		select {
		case c <- 1:
		default:
			taken.Store(1)
		}
	}()
	select {
	case c <- 2:
	default:
		if taken.Load() == 0 && <-c == 1 {
			panic("degree 1")
		}
		return
	}
	if taken.Load() == 1 {
		go func() { taken.Store(2) }()
		if taken.Load() == 2 {
			panic("degree 2")
		}
	}
}

// Timeout has a timer that may fire before anything else happens, or not.
func Timeout() {
	var late atomic.Int32
	c := make(chan int, 1)
	go func() {
		time.Sleep(time.Second)
		late.Store(1)
		c <- 1
	}()
	select {
	case <-time.After(time.Millisecond):
		if late.Load() == 1 {
			panic("degree 1")
		}
	case v := <-c:
		if int(late.Load()) == v {
			panic("degree 2")
		}
	}
}

// Sleep has a goroutine that sleeps until the others have done what they can.
func Sleep() {
	var x, y atomic.Int32
	go func() {
		time.Sleep(time.Millisecond)
		x.Store(1)
	}()
	way := make(chan bool, 1)
	select {
	case way <- true:
		time.Sleep(time.Second)
		if x.Load() == 1 {
			panic("degree 1")
		}
	case way <- false:
		go func() {
			time.Sleep(2 * time.Millisecond)
			y.Store(x.Load() + 1)
		}()
		time.Sleep(time.Second)
		if y.Load() == 2 {
			panic("degree 2")
		}
	}
}
