package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"unsafe"
)

func at(what string) {
	_, file, line, ok := runtime.Caller(1)
	fmt.Println(what, filepath.Base(file), line, ok)
}

// The caller of a deferred function is where the function returns.
func returns(early bool) {
	defer func() {
		_, _, line, _ := runtime.Caller(1)
		fmt.Println("deferred by line", line)
	}()
	if early {
		return
	}
	at("late")
}

// Callers counts itself as number 0.
func stack(skip int) {
	pcs := make([]uintptr, 10)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(skip, pcs)])
	for {
		f, more := frames.Next()
		fmt.Print(" ", f.Function)
		if !more || f.Function == "main.main" {
			break
		}
	}
	fmt.Println()
}

type pair[T any] struct {
	first  T
	second int
}

func (p *pair[T]) offset() uintptr { return unsafe.Offsetof(p.second) }

func main() {
	returns(true)
	returns(false)
	for skip := range 3 {
		stack(skip)
	}
	fmt.Println((&pair[byte]{}).offset(), (&pair[string]{}).offset())
	directives()
}

func where() {
	_, file, line, _ := runtime.Caller(1)
	fmt.Println(file, line)
}

func directives() {
//line foo.go:10
	where()
//line sub/bar.go:20
	where()
//line :30
	where()
//line /abs/baz.go:40:2
	where()
//line :50:3
	where()
}
