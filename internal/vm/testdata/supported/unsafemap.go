// stops: a *int of memory of another type
package main

import "unsafe"

func main() {
	m := map[int]int{1: 2}
	println(**(**int)(unsafe.Pointer(&m)))
}
