package p

import "unsafe"

type point struct{ x, y int }

type line struct {
	from, to point
	name     string
}

type empty struct{}

func fields(l *line, p point) int {
	l.from = p
	l.to.x = l.from.y
	q := l.to
	q.x++
	return q.x + q.y
}

func structs(a, b point) (bool, point) {
	c := point{a.x, b.y}
	if a == b {
		c.x = 0
	}
	return a != c, c
}

func arrays(i int) (int, [3]int) {
	var a [3]int
	a[1] = i
	b := a
	b[i] = 2
	return b[0] + a[2], b
}

func constants(x float64, b bool) (float64, complex128, string, uint64, bool) {
	return x * 2.5, 1 + 2i, "text", 1 << 63, !b
}

func unsigned(x uint8, y uint64, z int8) (uint8, bool, bool, int8, uint8) {
	return x + 200, x < 100, y < 100, z / -1, x &^ 0xf0
}

func shifts(x int32, n uint, k int) (int32, int32, int32, int32) {
	return x << n, x >> k, x << 40, x >> 40
}

func conversions(x int64, f float32, s string, b []byte) (int8, float64, []byte, string, []rune, string, uint32) {
	return int8(x), float64(f), []byte(s), string(b), []rune(s), string(rune(x)), uint32(f)
}

func types(x any, s []int) (int, bool, *[2]int, [2]int) {
	switch y := x.(type) {
	case int:
		return y, true, nil, [2]int{}
	case point:
		return y.x, false, (*[2]int)(s), [2]int(s)
	case interface{ Len() int }:
		return y.Len(), false, nil, [2]int{}
	}
	return 0, x == nil, nil, [2]int{}
}

func maps(m map[point]string, k point) (string, bool) {
	v, ok := m[k]
	m[k] = v + "x"
	delete(m, point{})
	return m[point{1, 2}], ok && len(m) > 0
}

func slices(s []int, t string, a *[4]int, i int) ([]int, string, []int) {
	s[i], a[i] = a[1], s[0]
	return s[i : i+1 : cap(s)], t[i:], a[:2]
}

func channels(c chan int, d <-chan string, e chan<- point) (int, string) {
	for v := range c {
		c <- v
	}
	select {
	case v, ok := <-c:
		if ok {
			return v, ""
		}
	case s := <-d:
		return 0, s
	case e <- point{1, 2}:
	default:
	}
	return len(c), <-d
}

func zero(c chan empty, m map[string]empty, p *empty) (empty, bool) {
	c <- empty{}
	m["a"] = <-c
	*p = m["b"]
	_, ok := m["c"]
	return *p, ok
}

func extremes(a, b, c int, s, t string) (int, string, float64) {
	return min(a, b, c), max(s, t), max(0.5, float64(a))
}

func unsafely(p *point, s string) (uintptr, []point, *byte) {
	return uintptr(unsafe.Pointer(p)) + unsafe.Sizeof(*p), unsafe.Slice(p, 2), unsafe.StringData(s)
}

func conditions(a, b int, p *point, ok bool) bool {
	if (a < b || p != nil) && !ok {
		return a == 1
	}
	return ok
}

type list[T any] struct {
	next *list[T]
	val  T
}

func (l *list[T]) push(v T) *list[T] { return &list[T]{l, v} }

func generic() *list[string] {
	var l *list[string]
	return l.push("a").push("b")
}

func nils(p *int) bool {
	switch x := any(nil); x {
	case nil:
		return p == nil
	}
	return false
}

func unusedAddress(i int) {
	var a [3]int
	_ = &a[1]
	_ = &a[i]
}

func narrowIndex(t *[256]int, s string, i uint8, j int16) (int, byte, string) {
	return t[i], s[j], s[i:]
}
