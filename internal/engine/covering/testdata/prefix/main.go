// Prefix ends early for some inputs.
package main

import (
	"fmt"
	"os"
	"sync"

	"github.com/everyway-go/everyway/sym"
)

func main() {
	n := sym.Int("n")
	if n < 1 {
		fmt.Fprintln(os.Stderr, "n is positive")
		os.Exit(2)
	}
	if n > 1000 {
		panic("n is large")
	}
	var (
		mu    sync.Mutex
		total int
		once  sync.Once
		cond  = sync.NewCond(&mu)
		done  bool
	)
	ch := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 2 {
			v := <-ch
			mu.Lock()
			total += v
			mu.Unlock()
		}
		once.Do(func() {
			mu.Lock()
			done = true
			cond.Signal()
			mu.Unlock()
		})
	})
	for i := range 2 {
		ch <- i * n
	}
	mu.Lock()
	for !done {
		cond.Wait()
	}
	mu.Unlock()
	wg.Wait()
	if n == 5 {
		once.Do(func() {})
	}
	fmt.Println(total)
}
