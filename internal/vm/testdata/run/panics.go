package main

import "runtime"

type point struct{ x, y int }

type shape interface{ Area() float64 }

type unhashable []int

func (unhashable) Area() float64 { return 0 }

type square struct{ side float64 }

func (s square) Area() float64 { return s.side * s.side }

func (p *point) Move(d int) { p.x += d }

// try prints what f panics with.
func try(name string, f func()) {
	defer func() {
		switch e := recover().(type) {
		case nil:
			println(name, "did not panic")
		case runtime.Error:
			println(name, "runtime error:", e.Error())
		case error:
			println(name, "error:", e.Error())
		case string:
			println(name, "string:", e)
		case int:
			println(name, "int:", e)
		default:
			println(name, "other")
		}
	}()
	f()
}

var (
	zero  int
	five  = 5
	minus = -1
	nilM  map[string]int
	nilP  *point
	nilF  func()
	array [3]int
	bytes = append(make([]byte, 0, 3), "abc"...)
	str   = "hello"

	shapes = []shape{(*square)(nil)}
)

func nested() (s string) {
	defer func() {
		s += " outer:" + recover().(string)
	}()
	defer func() {
		defer func() {
			s += "inner:" + recover().(string)
			panic("third")
		}()
		panic("second")
	}()
	panic("first")
}

func deferOrder() {
	for i := range 3 {
		defer println("deferred", i)
	}
	defer func() {
		println("recovered", recover().(int))
	}()
	panic(42)
}

func named() (n int, err string) {
	defer func() {
		if e := recover(); e != nil {
			n, err = n+100, e.(string)
		}
	}()
	n = 1
	panic("oops")
}

func indirectRecover() {
	defer func() {
		println("direct", recover() != nil)
	}()
	defer func() {
		func() { println("indirect", recover() != nil) }()
	}()
	panic("x")
}

type recoverer struct{ n int }

func (r recoverer) Recover()     { println("method", r.n, recover() != nil) }
func (r *recoverer) RecoverPtr() { println("pointer method", r.n, recover() != nil) }

type iface interface{ Recover() }

func recoverInMethod() {
	defer func() { println("left", recover() != nil) }()
	var i iface = recoverer{3}
	defer i.Recover()
	panic("y")
}

func recoverInBound() {
	defer func() { println("left", recover() != nil) }()
	r := &recoverer{4}
	f := r.RecoverPtr
	defer f()
	panic("z")
}

func goexit() {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { println("in goexit", recover() == nil) }()
		func() {
			defer println("inner deferred")
			runtime.Goexit()
		}()
		println("not reached")
	}()
	<-done
}

func goexitOvertaken() {
	done := make(chan bool)
	go func() {
		defer close(done)
		func() {
			defer func() { println("recovered", recover().(string)) }()
			defer func() { panic("during goexit") }()
			runtime.Goexit()
		}()
		println("not reached either")
	}()
	<-done
}

func main() {
	try("index", func() { _ = array[five] })
	try("negative index", func() { _ = bytes[minus] })
	try("string index", func() { _ = str[five] })
	try("slice index", func() { _ = bytes[five] })
	try("slice alen", func() { _ = str[:five+1] })
	try("slice acap", func() { _ = bytes[:five*100] })
	try("slice b", func() { _ = bytes[five-2 : zero+1] })
	try("slice low", func() { _ = str[five+4:] })
	try("slice negative", func() { _ = bytes[minus:] })
	try("slice3 acap", func() { _ = bytes[0 : 1 : five*100] })
	try("slice3 b", func() { _ = bytes[: five : zero+2] })
	try("slice3 c", func() { _ = bytes[five-2 : zero+1 : 3] })
	try("array slice", func() { _ = array[:five] })
	try("to array", func() { _ = [4]byte(bytes) })
	try("to array pointer", func() { _ = (*[4]byte)(bytes) })
	try("divide", func() { println(1 / zero) })
	try("modulo", func() { println(1 % zero) })
	try("shift", func() { println(1 << minus) })
	try("nil map", func() { nilM["a"] = 1 })
	try("nil pointer", func() { println(nilP.x) })
	try("nil store", func() { nilP.y = 1 })
	try("nil method", func() { nilP.Move(1) })
	try("nil func", func() { nilF() })
	try("deferred nil func", func() { defer nilF(); println("before") })
	try("nil interface", func() { var s shape; s.Area() })
	try("nil value method", func() { shapes[0].Area() })
	try("assert", func() { var a any = "s"; _ = a.(int) })
	try("assert nil", func() { var a any; _ = a.(int) })
	try("assert nil iface", func() { var a any; _ = a.(shape) })
	try("assert iface", func() { var a any = 3; _ = a.(shape) })
	try("assert from shape", func() { var s shape = square{2}; _ = s.(interface{ Perimeter() }) })
	try("uncomparable", func() { var a, b any = []int{1}, []int{1}; println(a == b) })
	try("unhashable", func() { m := map[any]int{}; m[map[int]int{}] = 1 })
	try("unhashable in an empty map", func() { m := map[any]int{}; _ = m[[]int{}] })
	try("unhashable in a nil map", func() { var m map[any]int; _, _ = m[struct{ a, b any }{1, []int{}}] })
	try("unhashable in an interface", func() { m := map[shape]int{}; _ = m[unhashable{}] })
	try("unhashable, not empty", func() { m := map[any]int{1: 2}; _ = m[[1]any{func() {}}] })
	try("unhashable, to be set", func() { m := map[any]int{}; m[any([]int{})]++ })
	try("delete, empty", func() { m := map[any]int{}; delete(m, any([2]any{1, map[int]int{}})) })
	try("delete, nil", func() { var m map[any]int; delete(m, any([]int{})) })
	try("delete, not empty", func() { m := map[any]int{1: 2}; delete(m, any([]int{})) })
	try("delete, hashable", func() { var m map[any]int; delete(m, any([2]any{1, nil})) })
	try("makeslice", func() { _ = make([]int, minus) })
	try("makeslice cap", func() { _ = make([]int, 2, five-4) })
	try("makechan", func() { _ = make(chan int, minus) })
	try("close nil", func() { var c chan int; close(c) })
	try("close closed", func() { c := make(chan int); close(c); close(c) })
	try("send closed", func() { c := make(chan int, 1); close(c); c <- 1 })
	try("panic nil", func() { panic(nil) })
	try("panic int", func() { panic(7) })
	try("none", func() {})
	println(nested())
	deferOrder()
	n, err := named()
	println(n, err)
	indirectRecover()
	recoverInMethod()
	recoverInBound()
	goexit()
	goexitOvertaken()
}
