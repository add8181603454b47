// Command programs runs the function that its first argument names, on a stack of at most as
// many bytes as the second one says, if there is one. Most are recursive.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
)

var programs = map[string]func(){
	"Same": Same, "Factorial": Factorial, "Upwards": Upwards, "Mutual": Mutual, "Three": Three,
	"Depth": Depth, "TwoNodes": TwoNodes, "String": String, "Stringer": Stringer, "Method": Method, "Closure": Closure,
	"Interface": Interface, "Wraps": Wraps, "WrapsBack": WrapsBack, "Unsigned": Unsigned, "TwoNumbers": TwoNumbers, "Product": Product,
	"Locked": Locked, "Balanced": Balanced, "Deferred": Deferred, "Loop": Loop, "Branches": Branches,
	"Allocates": Allocates, "Struct": Struct, "Generic": Generic, "Remainder": Remainder, "InGoroutine": InGoroutine,

	"Counter": Counter, "Path": Path, "Squares": Squares, "Floats": Floats, "Indented": Indented,
	"EvenOdd": EvenOdd, "Smallest": Smallest, "Atomic": Atomic,

	"Million": Million, "FiveMillion": FiveMillion, "Equal": Equal, "Bits": Bits, "WrapsToEnd": WrapsToEnd,
	"PackageCounter": PackageCounter, "EvenOddEnds": EvenOddEnds, "DepthEnds": DepthEnds, "ListEnds": ListEnds,
	"RemainderEnds": RemainderEnds, "Table": Table, "ByteEnds": ByteEnds, "Recovered": Recovered,
	"Difference": Difference, "Text": Text, "Captured": Captured, "AtomicEnds": AtomicEnds, "SliceEnds": SliceEnds,
	"Negative": Negative, "ShiftEnds": ShiftEnds, "MapEnds": MapEnds,
}

func main() {
	if len(os.Args) > 2 {
		limit, err := strconv.Atoi(os.Args[2])
		if err != nil {
			panic(err)
		}
		debug.SetMaxStack(limit)
	}
	programs[os.Args[1]]()
}

// Recursion without end whose arguments do not change, or change by a constant.

func same(n int) int { return same(n) + 1 }
func Same()          { same(1) }

func factorial(n int) int {
	if n == 0 {
		return 1
	}
	return n * factorial(n-1)
}
func Factorial() { factorial(-1) }

func upwards(n int) int {
	if n < 0 {
		return n
	}
	return upwards(n+3) + 1
}
func Upwards() { upwards(7) }

func even(n int) bool {
	if n == 0 {
		return true
	}
	return odd(n - 1)
}

func odd(n int) bool {
	if n == 0 {
		return false
	}
	return even(n - 1)
}
func Mutual() { even(-1) }

func one(a, b uint32) uint32   { return two(a, b+1) + a }
func two(a, b uint32) uint32   { return three(a+2, b) + b }
func three(a, b uint32) uint32 { return one(a, b) + 1 }
func Three()                   { one(0, 0) }

type node struct {
	next *node
	name string
}

func depth(n *node, d int) int {
	if n == nil {
		return d
	}
	return depth(n.next, d+1)
}

func Depth() {
	n := &node{}
	n.next = n
	depth(n, 0)
}

func TwoNodes() {
	n := &node{next: &node{}}
	n.next.next = n
	depth(n, 0)
}

type level int

func (l level) String() string { return fmt.Sprintf("%d %v", int(l), l+1) }
func String()                  { _ = level(0).String() }

type labelled struct {
	inner *labelled
	name  string
}

func (l *labelled) String() string { return show(l, 0) }

func show(l *labelled, indent int) string {
	if indent > 0 && l == nil {
		return ""
	}
	return fmt.Sprintf("%s(%s)", l.name, show(l.inner, indent+2))
}

func Stringer() {
	l := &labelled{name: "l"}
	l.inner = l
	_ = l.String()
}

func (n *node) last(d int) *node {
	if n.next == nil {
		return n
	}
	return n.next.last(d - 1)
}

func Method() {
	n := &node{}
	n.next = n
	n.last(0)
}

func Closure() {
	var f func(n int) int
	f = func(n int) int {
		if n == 0 {
			return 0
		}
		return f(n+1) + 1
	}
	f(1)
}

type walker interface{ walk(d int) int }

func (n *node) walk(d int) int { return walker(n.next).walk(d+1) + 1 }

func Interface() {
	n := &node{}
	n.next = n
	walker(n).walk(0)
}

func wraps(n int8) int { return wraps(n+1) + 1 }
func Wraps()           { wraps(0) }

func wrapsBack(n int16) int {
	if n == 200 {
		return wrapsBack(n-100) + 1
	}
	return wrapsBack(n+1) + 1
}
func WrapsBack() { wrapsBack(0) }

func unsigned(n uint) uint {
	if n > 1<<62 {
		return unsigned(n-1) + 1
	}
	return n
}
func Unsigned() { unsigned(0 - uint(len(os.Args))) }

func twoNumbers(a, b int) int {
	if a > b {
		return 0
	}
	return twoNumbers(a-1, b+1) + 1
}
func TwoNumbers() { twoNumbers(0, 0) }

func product(a int) int {
	if a*3-1 < 0 {
		return 0
	}
	return product(a+2) + 1
}
func Product() { product(5) }

var mu sync.Mutex

func locked(n int) int {
	mu.Lock()
	m := n + 1
	mu.Unlock()
	return locked(m) + 1
}
func Locked() { locked(0) }

var level2 int

func balanced(n int) int {
	level2++
	level2--
	return balanced(n-1) + 1
}
func Balanced() { balanced(0) }

func deferred(n int) (m int) {
	defer func() { m++ }()
	return deferred(n + 1)
}
func Deferred() { deferred(0) }

func loop(n int) int {
	sum := 0
	for i := range 3 {
		sum += i
	}
	return loop(n+1) + sum
}
func Loop() { loop(0) }

func branches(n, m int) int {
	if n < 10 {
		return branches(n+1, m) + 1
	}
	if m > 100 {
		return branches(n+1, m) * 2
	}
	return branches(n, m+1)
}
func Branches() { branches(0, 0) }

func allocates(n int) *node {
	m := &node{name: "m"}
	m.next = allocates(n + 1)
	return m
}
func Allocates() { allocates(0) }

type point struct{ x, y int32 }

func structured(p point) int32 { return structured(point{p.x + 1, p.y - 1}) + p.x }
func Struct()                  { structured(point{}) }

func generic[T int | uint64](n T) T { return generic(n+1) + 1 }
func Generic()                      { generic(uint64(3)) }

func remainder(n uint) uint {
	if n%7 == 9 {
		return 0
	}
	return remainder(n+1) + n
}
func Remainder() { remainder(1) }

func InGoroutine() {
	done := make(chan int)
	go func() { done <- factorial(-5) }()
	<-done
}

// Recursion without end of other kinds.

var count int

func counter() int { count++; return counter() + 1 }
func Counter()     { counter() }

func path(n []int) int { return path(append(n[:len(n):len(n)], 1)[1:]) + 1 }
func Path()            { path([]int{1}) }

func squares(n uint) uint { return squares(n*n+1) + n }
func Squares()            { squares(1) }

func floats(x float64) float64 {
	if x < 0 {
		return 0
	}
	return floats(x+1) + 1
}
func Floats() { floats(0) }

func indented(indent string) int {
	if indent == "x" {
		return 0
	}
	return indented(indent[:len(indent)/2]+" ") + 1
}
func Indented() { indented("") }

func evenOdd(n uint) uint {
	if n%2 == 0 {
		return evenOdd(n+1) + 2
	}
	return evenOdd(n+1) + 1
}
func EvenOdd() { evenOdd(0) }

// Smallest needs as many frames as there are cycles of an induction. They are as small as
// frames can be.
var frames int

func smallest() {
	if frames++; frames < 1<<26 {
		smallest()
	}
}
func Smallest() { smallest() }

var total atomic.Int64

func atomically(n int) int { total.Add(1); return atomically(n) + 1 }
func Atomic()              { atomically(0) }

// Recursion that ends.

func sum(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + sum(n-1)
}
func Million()     { sum(1_000_000) }
func FiveMillion() { sum(5_000_000) }

func equal(n int) int {
	if n == 700_000 {
		return n
	}
	return equal(n+1) + 1
}
func Equal() { equal(0) }

func bits(n uint32) uint32 {
	if n&(1<<20) != 0 {
		return n
	}
	return bits(n+1) + 1
}
func Bits() { bits(0) }

func wrapsToEnd(n int32) int {
	if n < 0 {
		return 0
	}
	return wrapsToEnd(n+3000) + 1
}
func WrapsToEnd() { wrapsToEnd(0) }

var left = 600_000

func packageCounter() {
	if left--; left > 0 {
		packageCounter()
	}
}
func PackageCounter() { packageCounter() }

func EvenOddEnds() { even(900_000) }

func DepthEnds() {
	n := &node{}
	m := n
	for range 600_000 {
		m.next = &node{}
		m = m.next
	}
	depth(n, 0)
}

func limited(n *node, d, limit int) int {
	if d > limit {
		return d
	}
	return limited(n.next, d+1, limit)
}

func ListEnds() {
	n := &node{}
	n.next = n
	limited(n, 0, 800_000)
}

func remainderEnds(n uint) uint {
	if n%600_000 == 599_999 {
		return 0
	}
	return remainderEnds(n+1) + n
}
func RemainderEnds() { remainderEnds(1) }

var table [1 << 20]bool

func lookUp(n int) int {
	if table[n] {
		return n
	}
	return lookUp(n+1) + 1
}

func Table() {
	table[700_000] = true
	lookUp(0)
}

func byteEnds(n uint8, m int) int {
	if n == 255 {
		m--
	}
	if m == 0 {
		return 0
	}
	return byteEnds(n+1, m) + 1
}
func ByteEnds() { byteEnds(0, 2500) }

func panics(n int) int {
	if n == 700_000 {
		panic(n)
	}
	return panics(n+1) + 1
}

func Recovered() {
	defer func() { recover() }()
	panics(0)
}

func difference(a, b int) int {
	if a == b {
		return 0
	}
	return difference(a+1, b-1) + 1
}
func Difference() { difference(0, 1_000_000) }

func text(n int) int {
	if len(fmt.Sprint(n)) > 5 {
		return n
	}
	return text(n + 1)
}
func Text() { text(-200_000 + 300_000 - 100_000 - 9999) }

func Captured() {
	n := 0
	var f func()
	f = func() {
		if n++; n < 500_000 {
			f()
		}
	}
	f()
}

func atomicEnds() {
	if total.Add(1) < 400_000 {
		atomicEnds()
	}
}
func AtomicEnds() { atomicEnds() }

func sliceEnds(s []byte) int {
	if len(s) == 0 {
		return 0
	}
	return sliceEnds(s[1:]) + 1
}
func SliceEnds() { sliceEnds(make([]byte, 500_000)) }

func negative(n int64) int64 {
	if n > 0 {
		return n
	}
	return negative(n+1) + 1
}
func Negative() { negative(-600_000) }

func shiftEnds(n uint) uint {
	if n>>19 == 1 {
		return n
	}
	return shiftEnds(n+1) + 1
}
func ShiftEnds() { shiftEnds(0) }

var ends = map[int]bool{400_000: true}

func mapEnds(n int) int {
	if ends[n] {
		return n
	}
	return mapEnds(n+1) + 1
}
func MapEnds() { mapEnds(0) }
