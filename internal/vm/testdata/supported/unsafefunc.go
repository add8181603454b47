// stops: a *uintptr of memory of another type
package main

import "unsafe"

func main() {
	f := func() int { return 1 }
	println(**(**uintptr)(unsafe.Pointer(&f)))
}
