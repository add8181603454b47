package main

import "iter"

type node struct {
	left, right *node
	v           int
}

func (n *node) insert(v int) *node {
	if n == nil {
		return &node{v: v}
	}
	if v < n.v {
		n.left = n.left.insert(v)
	} else {
		n.right = n.right.insert(v)
	}
	return n
}

func (n *node) all(yield func(int) bool) bool {
	return n == nil || n.left.all(yield) && yield(n.v) && n.right.all(yield)
}

func (n *node) All() iter.Seq[int] {
	return func(yield func(int) bool) { n.all(yield) }
}

func count(n int) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		defer println("count ends")
		for i := range n {
			if !yield(i, string(rune('a'+i))) {
				return
			}
		}
	}
}

func find(want int) (found string) {
	for i, s := range count(10) {
		defer func() { println("deferred in loop", i, found) }()
		if i == want {
			return s
		}
	}
	return "none"
}

func nestedLoops() string {
	s := ""
outer:
	for i := range count(5) {
		for j := range count(5) {
			if j == 2 {
				continue outer
			}
			if i == 2 {
				break outer
			}
			s += string(rune('0'+i)) + string(rune('0'+j)) + " "
		}
	}
	return s
}

type number interface{ ~int | ~float64 }

func sum[T number](xs ...T) (t T) {
	for _, x := range xs {
		t += x
	}
	return
}

type stack[T any] struct{ items []T }

func (s *stack[T]) push(x T) { s.items = append(s.items, x) }
func (s *stack[T]) pop() (x T, ok bool) {
	if len(s.items) == 0 {
		return
	}
	x = s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return x, true
}

type celsius float64

type base struct{ name string }

func (b base) Name() string      { return b.name }
func (b *base) SetName(s string) { b.name = s }

type derived struct {
	*base
	extra int
}

type namer interface {
	Name() string
	SetName(string)
}

func classify(x any) string {
	switch v := x.(type) {
	case nil:
		return "nil"
	case int, int64:
		return "integer"
	case string:
		return "string " + v
	case []int:
		return "slice " + string(rune('0'+len(v)))
	case error:
		return "error " + v.Error()
	case func() int:
		return "func " + string(rune('0'+v()))
	case namer:
		return "namer " + v.Name()
	case struct{ a, b int }:
		return "struct"
	case *int:
		return "pointer"
	}
	return "unknown"
}

type myErr struct{}

func (myErr) Error() string { return "mine" }

func fibs() func() int {
	a, b := 0, 1
	return func() int {
		defer func() { a, b = b, a+b }()
		return a
	}
}

func ackermann(m, n int) int {
	switch {
	case m == 0:
		return n + 1
	case n == 0:
		return ackermann(m-1, 1)
	}
	return ackermann(m-1, ackermann(m, n-1))
}

func multi() (a int, b string, c [2]int, d any) { return 1, "two", [2]int{3, 4}, 5 }

func main() {
	var root *node
	for _, v := range []int{5, 2, 8, 1, 9, 3} {
		root = root.insert(v)
	}
	for v := range root.All() {
		if v > 8 {
			break
		}
		print(v, " ")
	}
	println()
	println(find(2))
	println(nestedLoops())
	next, stop := iter.Pull2(count(3))
	for {
		i, s, ok := next()
		if !ok {
			break
		}
		println("pulled", i, s)
	}
	stop()
	println(sum(1, 2, 3), sum(1.5, 2.5), sum[celsius](1, 2))
	var st stack[string]
	st.push("a")
	st.push("b")
	x, ok := st.pop()
	println(x, ok, len(st.items))
	d := derived{&base{"base"}, 1}
	d.SetName("changed")
	var n namer = d
	println(n.Name(), d.base.name)
	f := d.Name
	g := (*base).SetName
	g(d.base, "again")
	println(f(), d.Name(), base.Name(*d.base))
	for _, x := range []any{nil, 1, int64(2), "s", []int{1, 2}, myErr{}, func() int { return 7 }, d, struct{ a, b int }{}, new(int), 1.5} {
		println(classify(x))
	}
	h := fibs()
	for range 10 {
		print(h(), " ")
	}
	println()
	println(ackermann(2, 3))
	a, b, c, e := multi()
	println(a, b, c[1], e.(int))
	var funcs []func() int
	for i := 0; i < 3; i++ {
		funcs = append(funcs, func() int { i *= 10; return i })
	}
	for _, f := range funcs {
		print(f(), " ", f(), " ")
	}
	println()
	i := 0
loop:
	if i < 3 {
		i++
		goto loop
	}
	switch {
	case i == 3:
		println("three")
		fallthrough
	case i == 100:
		println("fell")
	default:
		println("default")
	}
	var arr [3]struct {
		p *int
		f float32
	}
	arr[1].f = 2.5
	arr2 := arr
	arr2[1].p = &i
	println(arr[1].f, arr2[1].p == &i, arr == arr2, *arr2[1].p)
	func() {
		defer func(x int) { println("arg", x, i) }(i)
		i = 50
	}()
	done := make(chan struct{})
	go func(s string) { defer close(done); println("spawned", s) }("arg")
	<-done
	select {
	case <-done:
		println("closed")
	default:
		println("default")
	}
	any(n).(namer).SetName("end")
	println(n.Name())
	var anon interface {
		Name() string
	} = &base{"anon"}
	_, isNamer := anon.(namer)
	println(isNamer)
	type local struct{ a, b any }
	println(local{1, "x"} == local{1, "x"}, local{1, 2} == local{1, int8(2)})
}
