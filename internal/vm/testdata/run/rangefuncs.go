// Functions that are ranged over and break the rules.
package main

import "runtime"

// try prints what f panics with.
func try(name string, f func()) {
	defer func() {
		switch e := recover().(type) {
		case nil:
			println(name, "did not panic")
		case runtime.Error:
			println(name, e.Error())
		case string:
			println(name, "string:", e)
		default:
			println(name, "other")
		}
	}()
	f()
}

// after returns a function that calls the body of the loop again and again, whatever it returns.
func after(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			println(yield(i))
		}
	}
}

// quiet calls the body likewise, and recovers from what it panics with.
func quiet(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		defer func() { recover() }()
		for i := range n {
			yield(i)
		}
	}
}

// leave leaves loops in several ways.
func leave(f func(func(int) bool), how int) int {
outer:
	for i := range f {
		for j := range after(1) {
			switch {
			case how == 1 && i == 1:
				break outer
			case how == 2:
				continue outer
			case how == 3:
				return 10*i + j
			}
		}
		if how == 4 {
			goto end
		}
	}
	return -1
end:
	return -2
}

func main() {
	for how := range 5 {
		try("after", func() { println(leave(after(2), how)) })
		try("quiet", func() { println(leave(quiet(2), how)) })
	}
	var kept func(int) bool
	keep := func(yield func(int) bool) { kept = yield }
	for range keep {
		println("never")
	}
	try("kept", func() { kept(1) })
	try("kept again", func() { kept(1) })
	for range func(yield func(int) bool) { kept = yield; yield(1) } {
		break
	}
	try("left", func() { kept(1) })
	try("returned", func() {
		func() int {
			for i := range func(yield func(int) bool) { kept = yield; yield(1) } {
				return i
			}
			return 0
		}()
		kept(1)
	})
	try("panic in the body", func() {
		for range after(1) {
			panic("body")
		}
	})
	try("panic that is recovered", func() {
		for range quiet(1) {
			panic("body")
		}
		println("never")
	})
	try("after a panic", func() {
		for range func(yield func() bool) {
			func() {
				defer func() { recover() }()
				yield()
			}()
			yield()
		} {
			panic("body")
		}
	})
	try("within the body", func() {
		var again func() bool
		for range func(yield func() bool) { again = yield; yield() } {
			again()
		}
	})
	try("exit", func() {
		done := make(chan bool)
		go func() {
			defer close(done)
			for range quiet(2) {
				runtime.Goexit()
			}
		}()
		<-done
	})
}
