package main

type pair struct {
	a int
	s string
}

func variadic(prefix string, xs ...int) int {
	n := 0
	for _, x := range xs {
		n += x
	}
	println(prefix, len(xs), cap(xs), n)
	return n
}

func modify(a [4]int) [4]int { a[0] = 99; return a }

// sink keeps a slice in memory: the compiler gives others room on the stack at
// first, more than append asks for.
var sink any

type matrix [3][3]float64

func growth[T any](name string, n int) {
	s := new([]T)
	sink = s
	last := -1
	print(name)
	for range n {
		var z T
		*s = append(*s, z)
		if cap(*s) != last {
			last = cap(*s)
			print(" ", last)
		}
	}
	println()
}

func main() {
	growth[byte]("byte", 5000)
	growth[int]("int", 5000)
	growth[string]("string", 2000)
	growth[pair]("pair", 1000)
	growth[[3]byte]("3byte", 1000)
	growth[*int]("pointer", 1000)
	growth[struct{}]("empty", 100)
	growth[[5]int]("5int", 600)
	s := []int{1, 2, 3, 4, 5}
	t := s[1:3]
	t = append(t, 100)
	println(s[3], len(t), cap(t))
	t = append(t, s...)
	t[0] = -1
	println(s[1], len(t), cap(t))
	u := append([]int(nil), s[:2]...)
	println(len(u), cap(u), u[1])
	println(copy(s, s[2:]), s[0], s[1], s[2], s[3], s[4])
	println(copy(s[1:], s), s[0], s[1], s[2], s[3], s[4])
	full := s[1:2:3]
	println(len(full), cap(full))
	clear(s)
	println(s[0], s[4])
	variadic("none")
	variadic("three", 1, 2, 3)
	variadic("spread", s[:2]...)
	a := [4]int{1, 2, 3, 4}
	b := modify(a)
	println(a[0], b[0], a == b, a == [4]int{1, 2, 3, 4})
	p := &a
	for i := range p {
		p[i] *= 2
	}
	for i, v := range a {
		a[3] = 1000
		print(i, ":", v, " ")
	}
	println()
	q := a[:]
	q[0]++
	println(a[0], len(p[1:3]), cap(p[1:3]))
	var m matrix
	for i := range m {
		for j := range m[i] {
			m[i][j] = float64(i*3 + j)
		}
	}
	n := m
	n[1][1] = -1
	println(m[1][1], n[1][1], m == n)
	ps := []pair{{1, "a"}, {2, "b"}}
	for i := range ps {
		ps[i].a += 10
	}
	for _, x := range ps {
		x.a = 0
	}
	ps = append(ps, pair{3, "c"})
	println(ps[0].a, ps[1].s, ps[2].s, ps[2] == pair{3, "c"})
	bs := []byte("hello")
	bs = append(bs, " world"...)
	bs[0] = 'J'
	println(string(bs), len(bs))
	println(copy(bs, "YYY"), string(bs[:5]))
	rs := []rune("héllo, 世界")
	println(len(rs), string(rs[7:]), string(rs[1]))
	arr := [5]byte(bs[:5])
	arr[1] = 'x'
	println(string(arr[:]), string(bs[:5]))
	ap := (*[3]byte)(bs)
	ap[2] = 'z'
	println(string(bs[:4]))
	empty := make([]struct{}, 10)
	println(len(empty), len(empty[2:5]))
	ss := make([][]string, 3)
	ss[1] = append(ss[1], "x", "y")
	println(len(ss[0]), len(ss[1]), ss[1][1])
	var nilS []int
	println(nilS == nil, len(nilS[:0]), append(nilS, 1)[0], append(nilS, nilS...) == nil)
	e := s[5:]
	println(len(e), cap(e))
	tooLong()
}

// A slice of elements without size may be as long as an int says, but no longer.
func tooLong() {
	defer func() { println(recover().(error).Error()) }()
	var all [1<<63 - 1]struct{}
	s := all[:]
	println(len(s))
	s = append(s, struct{}{})
	println("unreachable", len(s))
}
