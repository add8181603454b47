// A collection runs the finalizers and cleanups of objects that nothing can reach, and makes
// weak pointers to them nil.
package main

import (
	"runtime"
	"weak"
)

type node struct {
	name string
	next *node
}

func main() {
	done := make(chan bool)
	w := make3(done)
	runtime.GC()
	<-done
	<-done
	if w.Value() != nil {
		panic("not collected")
	}
}

// make3 makes an object with a finalizer, one with a cleanup, and a weak pointer to a third.
func make3(done chan bool) weak.Pointer[node] {
	runtime.SetFinalizer(&node{name: "a"}, func(*node) { done <- true })
	runtime.AddCleanup(&node{name: "b"}, func(c chan bool) { c <- true }, done)
	return weak.Make(&node{name: "c"})
}
