package main

import (
	"fmt"
	"io"
	"reflect"
	"runtime"
	"time"
	"unsafe"
	"weak"
)

// A node is large enough, and has a pointer, so that gc collects it by itself.
type node struct {
	name string
	next *node
}

func (n *node) Read([]byte) (int, error) { return 0, io.EOF }

var global *node

func main() {
	done := make(chan string)
	wait := func() {
		for {
			runtime.GC()
			select {
			case what := <-done:
				fmt.Println(what)
				return
			case <-time.After(time.Millisecond):
				// The last finalizer may not have returned, so that its object was reachable.
			}
		}
	}

	// A finalizer runs once, with the object.
	func() {
		n := &node{name: "a"}
		runtime.SetFinalizer(n, func(n *node) { done <- "finalized " + n.name })
	}()
	wait()

	// The parameter may be an interface, and there may be results.
	func() {
		n := &node{name: "b"}
		runtime.SetFinalizer(n, func(r io.Reader) (int, string) { done <- "finalized " + r.(*node).name; return 1, "x" })
	}()
	wait()

	// A list is finalized from its head on, one by one.
	func() {
		tail := &node{name: "tail"}
		head := &node{name: "head", next: tail}
		for _, n := range []*node{tail, head} {
			runtime.SetFinalizer(n, func(n *node) { done <- "finalized " + n.name })
		}
	}()
	wait()
	wait()

	// Cleanups.
	func() {
		n := &node{name: "c"}
		runtime.AddCleanup(n, func(s string) { done <- "cleaned " + s }, n.name)
		runtime.AddCleanup(n, func(s string) { done <- "never " + s }, n.name).Stop()
	}()
	wait()

	// A result of a call by reflection keeps neither the arguments nor other results alive.
	watched := func(name string) *node {
		n := &node{name: name}
		runtime.SetFinalizer(n, func(n *node) { done <- "finalized " + n.name })
		return n
	}
	result := func() reflect.Value {
		fn := reflect.ValueOf(func(*node) (struct{}, *node) { return struct{}{}, watched("h") })
		return fn.Call([]reflect.Value{reflect.ValueOf(watched("h"))})[0]
	}()
	wait()
	wait()
	runtime.KeepAlive(result)

	// Weak pointers.
	n := &node{name: "d", next: &node{name: "e"}}
	w, part := weak.Make(n), weak.Make(&n.next)
	fmt.Println(w == weak.Make(n), weak.Make(&n.name) == weak.Make(&n.name), w.Value().name, *part.Value() == n.next)
	other := weak.Make(n.next)
	runtime.GC()
	fmt.Println(w.Value() == n, other.Value().name)
	n.next = nil
	runtime.GC()
	fmt.Println(w.Value() == n, other.Value() == nil)
	n = nil
	runtime.GC()
	fmt.Println(w.Value() == nil, part.Value() == nil)
	var zero weak.Pointer[node]
	fmt.Println(zero == weak.Make[node](nil), zero.Value() == nil, unsafe.Sizeof(zero) == unsafe.Sizeof(n))

	// A finalizer can bring an object back to life.
	func() {
		n := &node{name: "f"}
		w = weak.Make(n)
		runtime.SetFinalizer(n, func(n *node) { global = n; done <- "revived " + n.name })
	}()
	wait()
	fmt.Println(w.Value() == nil, weak.Make(global) == w, global.name)

	// A finalizer can be taken away.
	kept := &node{name: "g"}
	runtime.SetFinalizer(kept, func(n *node) { done <- "finalized " + n.name })
	runtime.SetFinalizer(kept, nil)
	runtime.SetFinalizer(kept, func(n *node) { done <- "finalized again " + n.name })
	runtime.GC()
	runtime.KeepAlive(kept)
	wait()

	func() {
		defer func() { fmt.Println(recover()) }()
		runtime.AddCleanup(global, func(*node) {}, global)
	}()
}
