// stops: accesses to a variable of which package unsafe has made parts
package main

import "unsafe"

func main() {
	x := uint64(0)
	b := (*[8]byte)(unsafe.Pointer(&x))
	begun := make(chan int)
	go func() {
		begun <- 1
		b[3] = 1
	}()
	<-begun
	b[4] = 1
}
