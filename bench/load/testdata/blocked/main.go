// Blocked has many goroutines wait on a channel. It prints the bytes of memory that
// each takes.
package main

import (
	"fmt"
	"runtime"
)

const n = 10_000

func main() {
	var before, after runtime.MemStats
	gate := make(chan int)
	done := make(chan int)
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range n {
		go func() {
			<-gate
			done <- 1
		}()
	}
	for range 10 {
		runtime.Gosched() // all are blocked then
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	fmt.Println((after.StackInuse + after.HeapInuse - before.StackInuse - before.HeapInuse) / n)
	close(gate)
	for range n {
		<-done
	}
}
