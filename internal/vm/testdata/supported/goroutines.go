// Channels, select, locks, atomics and contexts.
package main

import (
	"context"
	"sync"
	"sync/atomic"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	results := make(chan int)
	var wg sync.WaitGroup
	var n atomic.Int32
	for i := range 3 {
		wg.Go(func() {
			select {
			case results <- i:
				n.Add(1)
			case <-ctx.Done():
			}
		})
	}
	<-results
	cancel()
	wg.Wait()
	if n.Load() == 0 {
		panic("nothing was sent")
	}
}
