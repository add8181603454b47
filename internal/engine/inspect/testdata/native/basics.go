package main

import (
	"errors"
	"fmt"
	"strings"
)

type point struct {
	x, y int
	tag  string
}

type node struct {
	val  int
	next *node
}

type shape interface{ area() float64 }

type square struct{ side float64 }

func (s square) area() float64 { return s.side * s.side }

func add(a, b int) (sum int, err error) {
	if a < 0 {
		err = errors.New("negative")
		return
	}
	sum = a + b
	if sum > 10 {
		return 10, nil
	}
	return sum, nil
}

func safe(n int) (res string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
		}
	}()
	res = "start"
	if n == 0 {
		panic("zero")
	}
	res = strings.Repeat("x", n)
	return res, nil
}

func (p *point) move(dx int) int {
	old := p.x
	p.x += dx
	p.tag = "moved"
	return old
}

func loops() int {
	total := 0
	for i := 0; i < 3; i++ {
		sq := i * i
		total += sq
	}
	xs := []int{4, 5, 6}
	for i, x := range xs {
		if x == 5 {
			continue
		}
		total += x * i
	}
	for k := range 2 {
		total += k
	}
	m := map[string]int{"a": 1}
	for k, v := range m {
		total += len(k) + v
	}
	for i, r := range "hé" {
		total += i
		_ = r
	}
	n := 3
	for n > 0 {
		n--
		total++
	}
	return total
}

func closures() []int {
	var fs []func() int
	for i := 0; i < 3; i++ {
		j := i * 10
		fs = append(fs, func() int {
			j += i
			return j
		})
	}
	out := []int{}
	for _, f := range fs {
		v := f()
		out = append(out, v)
	}
	count := 0
	inc := func() {
		count++
	}
	inc()
	inc()
	return append(out, count)
}

func kinds(v any) string {
	switch x := v.(type) {
	case int:
		y := x + 1
		return fmt.Sprint(y)
	case string:
		z := x + "!"
		return z
	case nil:
		return "nil"
	case shape:
		a := x.area()
		return fmt.Sprint(a)
	default:
		return fmt.Sprintf("%T", x)
	}
}

func shadow(x int) int {
	if x := x + 1; x > 2 {
		y := x
		x := y * 2
		return x
	}
	for x := range 2 {
		_ = x
	}
	return x
}

func swap(a, b string) (string, string) {
	a, b = b, a
	c := a
	a = "done"
	return c, a + b
}

func comparisons(a, b int) bool {
	less := a < b
	equal := a == b
	both := less || equal
	if less {
		a++
	}
	if !both {
		return false
	}
	return equal || a >= b
}

func constants() int {
	x := 5
	y := 7
	x = 6
	s := "text"
	f := 2.5
	var zero point
	var p *node
	b := true
	if b {
		y = 8
	}
	_, _, _, _ = s, f, zero, p
	return x + y
}

func arrays() [3]int {
	var a [3]int
	for i := range a {
		a[i] = i + 1
	}
	b := a
	b[0] = 9
	s := b[1:]
	s[0] = 7
	q := &b[2]
	*q = 8
	return b
}

func generic[T any](xs []T, keep func(T) bool) (out []T) {
	for _, x := range xs {
		ok := keep(x)
		if ok {
			out = append(out, x)
		}
	}
	return out
}

func labels() int {
	n := 0
outer:
	for i := range 3 {
		for j := range 3 {
			if j == 2 {
				continue outer
			}
			if i == 2 {
				break outer
			}
			n += i*10 + j
		}
	}
	return n
}

func sequence(yield func(int) bool) {
	for i := range 3 {
		if !yield(i * 2) {
			return
		}
	}
}

func rangeFunc() int {
	sum := 0
	for v := range sequence {
		sum += v
		if v == 2 {
			sum *= 2
		}
	}
	return sum
}

func fact(n int) int {
	if n <= 1 {
		return 1
	}
	rest := fact(n - 1)
	return n * rest
}

func kindsInLoop(list []any) int {
	n := 0
	for _, v := range list {
		switch x := v.(type) {
		case int:
			n++
			n += x
		case string:
			n++
			n += len(x)
		}
	}
	return n
}

func complexes() complex128 {
	c := complex(1, 2)
	d := c * c
	re := real(d)
	var u8 uint8 = 200
	u8 += 100
	r := 'x'
	i16 := int16(-3)
	f32 := float32(0.1)
	_, _, _, _ = re, r, i16, f32
	return d
}

func pointers() int {
	n := 3
	p := &n
	*p = 4
	q := new(int)
	*q += n
	pt := &point{x: 1}
	pt.y = *q
	r := *pt
	return *p + r.y
}

func main() {
	fmt.Println(pointers())
	sum, err := add(1, 2)
	fmt.Println(sum, err)
	_, err = add(-1, 2)
	fmt.Println(err)
	sum, _ = add(9, 9)
	res, err := safe(2)
	fmt.Println(res, err)
	res, err = safe(0)
	fmt.Println(res, err)
	p := point{1, 2, "p"}
	old := p.move(3)
	fmt.Println(old, p)
	pp := &p
	pp.y = 5
	var list *node
	for i := range 3 {
		list = &node{i, list}
	}
	list.next.next.next = list
	fmt.Println(list.val)
	fmt.Println(loops(), closures())
	for _, v := range []any{1, "s", nil, square{2}, 2.5} {
		k := kinds(v)
		fmt.Println(k)
	}
	fmt.Println(shadow(1), shadow(5))
	a, b := swap("a", "b")
	fmt.Println(a, b, comparisons(1, 2), comparisons(2, 2), comparisons(3, 2))
	fmt.Println(constants(), arrays())
	evens := generic([]int{1, 2, 3, 4}, func(n int) bool { return n%2 == 0 })
	words := generic([]string{"a", "bb"}, func(s string) bool { return len(s) > 1 })
	fmt.Println(evens, words, labels(), rangeFunc(), fact(4))
	n := kindsInLoop([]any{1, "xx", 2.0, 3})
	fmt.Println(n, complexes())
	var sh shape = square{3}
	m := map[point]*node{p: list}
	f := sh.area
	fmt.Println(f(), len(m))
}
