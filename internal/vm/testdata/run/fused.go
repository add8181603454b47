// Pairs of instructions that the machine runs as one, and functions that are an
// instruction each: in loops, with values at the edges, and where the second or the
// first of a pair panics.
package main

import (
	"fmt"
	"math"
	"math/bits"
)

type vector struct{ x, y, z float64 }

type node struct {
	key  uint32
	n    int
	next *node
}

func (v *vector) add(w *vector, f float64) {
	v.x += w.x * f
	v.y -= w.y * f * f
	v.z = v.z*w.z - f*w.x + w.y
	w.x = v.x*f + w.x*f
}

func (n *node) find(key uint32) *node {
	for ; n != nil; n = n.next {
		if n.key <= key {
			return n
		}
	}
	return nil
}

func (n *node) count() { n.n++ }

func (n *node) below(key uint32) bool {
	if key < n.key {
		return true
	}
	return n.key == 3 && n.next == nil
}

func (n *node) length() int {
	k := 1
	if n.next != nil {
		k += n.next.length()
	}
	return k
}

func upTo(a []int, x int) (n int) {
	for i := range a {
		if a[i] <= x {
			n++
		}
	}
	return n
}

func (n *node) both() (int, *node) { return n.n + 1, n.next }

func same(a, b *node) (int, int) {
	x, y := 0, 0
	if a == b {
		x = 1
	}
	if a != b {
		y = 1
	}
	return x, y
}

func less(a, b float64) string {
	s := ""
	if a < b {
		s += "<"
	}
	if a <= b {
		s += "≤"
	}
	if !(a < b) {
		s += "≮"
	}
	if !(a <= b) {
		s += "≰"
	}
	return s
}

func ordered(a []float64) bool {
	for i := 0; i+1 < len(a); i++ {
		if !(a[i] <= a[i+1]) {
			return false
		}
	}
	return true
}

func xorshift(x uint64, y int64) (uint64, int64) {
	for range 100 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		y ^= y << 3
		y ^= y >> 5
	}
	return x, y
}

func class(c byte, n int) int {
	switch n {
	case 1, 3, 5, 7:
		return 10
	}
	if c != 'a' && c != 'b' && c != 'c' {
		return 20
	}
	return 30
}

func digits(s string) (n int) {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' {
			continue
		}
		n = n*10 + int(s[i]&15)
	}
	return n
}

func partition(a []int, pivot int) (i, j int) {
	i, j = 0, len(a)-1
	for i <= j {
		for a[i] < pivot {
			i++
		}
		for a[j] > pivot {
			j--
		}
		if i <= j {
			a[i], a[j] = a[j], a[i]
			i++
			j--
		}
	}
	return i, j
}

func zeros(a []int) (n int) {
	for _, x := range a {
		if x != 0 {
			continue
		}
		n++
	}
	return n
}

func flags(x int) int        { return x & 5 }
func nothing() (string, int) { return "", 0 }
func first(a, b int) int     { return a }
func swap(a, b int) (int, int) {
	return first(b, a), first(a, b)
}

// kept has no deferred call to make when d is false.
func kept(x int, d bool) int {
	if d {
		defer nothing()
	}
	return x
}

// try calls f and prints with what it panics.
func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func main() {
	v, w := &vector{1, 2, 3}, &vector{0.5, -0.25, 8}
	for i := range 20 {
		v.add(w, float64(i)/7)
	}
	fmt.Println(*v, *w)

	list := &node{9, 1, &node{7, 2, &node{3, 3, nil}}}
	list.count()
	fmt.Println(list.find(8).n, list.find(2) == nil, list.n)
	n, next := list.both()
	fmt.Println(n, next.key)
	fmt.Println(same(list, list))
	fmt.Println(same(list, list.next))
	inf, nan := math.Inf(1), math.NaN()
	for _, p := range [][2]float64{{1, 2}, {2, 1}, {1, 1}, {nan, 1}, {1, nan}, {-inf, inf}, {0, math.Copysign(0, -1)}} {
		fmt.Println(p, less(p[0], p[1]), ordered(p[:]))
	}
	fmt.Println(xorshift(88172645463325252, -5))
	for n := range 9 {
		fmt.Print(class(byte('a'+n), n), " ", flags(n), " ")
	}
	fmt.Println(digits("4-0/7"))
	fmt.Println(nothing())
	fmt.Println(swap(1, 2))
	fmt.Println(kept(1, false), kept(2, true))
	a := []int{5, 0, 3, 9, 0, 1, 7, 5, 0}
	fmt.Println(zeros(a))
	fmt.Println(list.below(9), list.below(8), list.length(), upTo(a, 5))
	fmt.Println(partition(a, 5))
	fmt.Println(a)

	var none *node
	var nov *vector
	try(func() { none.count() })
	try(func() { fmt.Println(none.both()) })
	try(func() { v.add(nov, 2) })
	try(func() { nov.add(w, 2) })
	try(func() { partition(a[:1], 99) })
	try(func() { partition(a[:2], -1) })

	rotate := bits.RotateLeft16
	for _, n := range []int{0, 1, 7, 8, 31, 32, 63, 64, 100, -1, -9, math.MinInt} {
		fmt.Println(n, bits.RotateLeft8(0x8d, n), rotate(0x8d31, n), bits.RotateLeft32(0x8d31_0f07, n), bits.RotateLeft64(0x8d31_0f07_0000_0001, n), bits.RotateLeft(1, n))
	}
	for _, x := range []float64{0, 2, 1e300, -1, inf, nan, math.Copysign(0, -1)} {
		fmt.Println(math.Sqrt(x), math.Float64bits(math.Float64frombits(math.Float64bits(x)))>>1, math.Float32frombits(math.Float32bits(float32(x))))
	}
}
