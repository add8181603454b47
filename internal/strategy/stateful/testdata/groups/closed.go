package groups

import (
	"sync"
	"sync/atomic"
)

// ReceivesBeforeClose has a goroutine that waits at an empty channel in a state to which runs come that have had another value in
// the channel before. When it goes on, the channel is closed, so that its step is another one than the one that it was at; but it might
// have received that value.
func ReceivesBeforeClose() {
	var x, n atomic.Int32
	c := make(chan int32, 1)
	received := make(chan bool)
	go func() {
		if <-c == 2 {
			panic("received 2")
		}
		close(received)
	}()
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		c <- x.Load()
		<-c
		wg.Done()
	}()
	go func() {
		x.Store(2)
		x.Store(0)
		wg.Done()
	}()
	wg.Wait()
	wg.Add(2)
	go func() {
		n.CompareAndSwap(0, 1)
		wg.Done()
	}()
	go func() {
		n.CompareAndSwap(1, 0)
		wg.Done()
	}()
	wg.Wait()
	close(c)
	<-received
}
