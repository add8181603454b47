// Locks is the program of Fig. 3.1: which lock the goroutines take depends on an input.
package main

import (
	"sync"

	"github.com/everyway-go/everyway/sym"
)

var (
	a, b sync.Mutex
	n, m int
)

func main() {
	x := sym.Int("x")
	y := sym.Int("y")
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if x == 0 {
				a.Lock()
				n++
				a.Unlock()
			} else {
				b.Lock()
				if y > 7 {
					m += y
				}
				b.Unlock()
			}
		}()
	}
	wg.Wait()
	println(n, m)
}
