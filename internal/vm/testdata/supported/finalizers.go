// Finalizers and cleanups are accepted and never run.
package main

import "runtime"

func main() {
	x := new(int)
	runtime.SetFinalizer(x, func(*int) { panic("finalizer") })
	runtime.AddCleanup(new(int), func(int) { panic("cleanup") }, 1)
	x = nil
	runtime.GC()
	runtime.Gosched()
}
