// Given gives functions to those of the standard library that the machine carries out itself.
package main

import (
	"runtime"
	"sync"
	"time"
)

type thing struct{ n int }

func main() {
	var m sync.Map
	m.Store(1, 2)
	m.Range(func(k, v any) bool { return k != v })
	time.AfterFunc(time.Second, func() { m.Clear() }).Stop()
	t := &thing{}
	runtime.AddCleanup(t, func(n int) {}, t.n)
	runtime.SetFinalizer(t, func(*thing) {})
	var once sync.Once
	once.Do(func() { m.Delete(1) })
}
