// Epochs has a loop that synchronises, as often as an input says.
package main

import (
	"sync"

	"github.com/everyway-go/everyway/sym"
)

func main() {
	n := sym.Range("n", 0, 3)
	var (
		mu    sync.Mutex
		total int
		wg    sync.WaitGroup
	)
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < n; i++ {
				mu.Lock()
				total += i
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	println(total)
}
