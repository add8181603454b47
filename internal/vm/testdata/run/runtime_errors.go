// The errors of the language, as values and as texts.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"
	"unsafe"
)

type I interface{ M() }
type T struct{ a, b int }

func (T) M()  {}
func (*T) P() {}

type big struct{ x [1 << 16]int }

func try(name string, f func()) {
	defer func() {
		x := recover()
		_, isError := x.(error)
		re, isRuntime := x.(runtime.Error)
		fmt.Printf("%s: %v (%T %v %v)\n", name, x, x, isError, isRuntime)
		if isRuntime {
			re.RuntimeError()
			var target runtime.Error
			fmt.Println("\t", errors.As(fmt.Errorf("wrapped: %w", re), &target), target.Error() == re.Error())
		}
	}()
	f()
}

func main() {
	var (
		s    []int
		m    map[string]int
		p    *T
		i    I
		e    any
		c    chan int
		f    func()
		zero int
		n    = -1
		five = 5
		arr  [3]int
		str  = "abc"
		b    *big
	)
	s = make([]int, 3, 4)
	try("index", func() { s[five]++ })
	try("negative index", func() { s[n]++ })
	try("array", func() { arr[five]++ })
	try("string", func() { _ = str[five] })
	try("slice high", func() { _ = s[:five] })
	try("slice low", func() { _ = s[five:] })
	try("slice order", func() { _ = s[2:zero] })
	try("slice string", func() { _ = str[five:] })
	try("slice full", func() { _ = s[0:2:five] })
	try("slice to array", func() { _ = [4]int(s[:3]) })
	try("map", func() { m["x"] = 1 })
	try("pointer", func() { p.a++ })
	try("far pointer", func() { b.x[1<<15]++ })
	try("method of nil interface", func() { i.M() })
	try("method value of nil interface", func() { _ = i.M })
	try("method of nil pointer", func() { p.M() })
	try("function", func() { f() })
	try("division", func() { _ = five / zero })
	try("remainder", func() { _ = five % zero })
	try("shift", func() { _ = five << n })
	try("make slice", func() { _ = make([]int, n) })
	try("make slice cap", func() { _ = make([]int, 2, zero) })
	try("make chan", func() { _ = make(chan int, n) })
	try("close nil", func() { close(c) })
	try("close twice", func() { c := make(chan int); close(c); close(c) })
	try("send on closed", func() { c := make(chan int, 1); close(c); c <- 1 })
	try("assert nil", func() { _ = e.(int) })
	try("assert other", func() { e = "x"; _ = e.(int) })
	try("assert interface", func() { _ = e.(I) })
	try("assert missing pointer method", func() { e = T{}; _ = e.(interface{ P() }) })
	try("unhashable", func() { _ = map[any]int{[]int{}: 1} })
	try("unsafe slice of nil", func() { _ = unsafe.Slice((*int64)(nil), uint64(five)<<60) })
	try("unsafe string of nil", func() { _ = unsafe.String(nil, uint64(five)<<60) })
	try("uncomparable", func() { x, y := any([]int{}), any([]int{}); _ = x == y })
	try("nil panic", func() { panic(nil) })
	try("wait group", func() { new(sync.WaitGroup).Done() })
	try("custom", func() { panic(fmt.Errorf("own %d", 1)) })
	try("ticker", func() { time.NewTicker(0) })
	try("repeat", func() { strings.Repeat("x", n) })

	buf := make([]byte, 4096)
	text := string(buf[:runtime.Stack(buf, false)])
	first, _, _ := strings.Cut(text, "\n")
	fmt.Println("stack of", first, strings.Contains(text, "main.main()"), strings.Contains(text, "runtime_errors.go:"))
	fmt.Println(strings.Contains(string(debug.Stack()), "debug.Stack()"))
	before := runtime.NumGoroutine()
	done := make(chan bool)
	go func() { <-done }()
	runtime.Gosched()
	fmt.Println(runtime.NumGoroutine()-before, runtime.GOMAXPROCS(0) > 0, runtime.NumCPU() > 0)
	close(done)
	fmt.Fprintln(os.Stderr)
	var q *T
	defer fmt.Println("deferred")
	q.a = 1
}
