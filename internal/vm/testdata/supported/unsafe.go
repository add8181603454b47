// stops: unsafe.Add to a pointer
package main

import "unsafe"

var a, b int

func main() {
	println(*(*int)(unsafe.Add(unsafe.Pointer(&a), 1<<20)))
}
