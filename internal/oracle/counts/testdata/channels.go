package programs

import (
	"sync"
	"sync/atomic"
)

// queue: two goroutines send n messages each into a buffer of two, two others
// receive n each.
func queue(n int) {
	c := make(chan int, 2)
	each(4, func(i int) {
		for range n {
			if i%2 == 0 {
				c <- i
			} else {
				<-c
			}
		}
	})
}

// meetings: n goroutines send a message each, n others receive one each, without
// a buffer.
func meetings(n int) {
	c := make(chan int)
	each(2*n, func(i int) {
		if i < n {
			c <- i
		} else {
			<-c
		}
	})
}

// bluetooth: a driver is stopped while n requests are under way (the mended
// model of Qadeer and Wu, KISS, PLDI 2004; see examples/bluetooth).
func bluetooth(n int) {
	var pending atomic.Int32
	var stopping, stopped atomic.Bool
	var once sync.Once
	idle := make(chan struct{})
	pending.Store(1)
	leave := func() {
		if pending.Add(-1) == 0 {
			once.Do(func() { close(idle) })
		}
	}
	each(n+1, func(i int) {
		if i == 0 {
			stopping.Store(true)
			leave()
			<-idle
			stopped.Store(true)
			return
		}
		pending.Add(1)
		if !stopping.Load() && stopped.Load() {
			panic("request on a stopped device")
		}
		leave()
	})
}
