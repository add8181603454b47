package shapes_test

import (
	"strings"
	"testing"
)

// referring is a package whose functions print what the maps, channels, functions and interfaces are that they get.
const referring = `package referring

import "sync/atomic"

type (
	Shape  interface{ Area() int }
	Square struct{ side int8 }
	Rect   struct{ w, h int8 }
	Circle struct{ r int8 }
)

func (s Square) Area() int { return int(s.side) * 4 }
func (r Rect) Area() int   { return int(r.w) }
func (c *Circle) Area() int {
	if c == nil {
		return -1
	}
	return int(c.r)
}

// yes makes a condition a branch.
func yes(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

func kind(s Shape) string {
	switch s.(type) {
	case nil:
		return "nil"
	case Square:
		return "square"
	case Rect:
		return "rect"
	case *Circle:
		return "circle"
	case *Outer:
		return "outer"
	}
	panic("no such type")
}

func Interface(s Shape) { println(kind(s)) }

// Called calls a method before it asks for the type.
func Called(s Shape) {
	if s == nil {
		println("nil")
		return
	}
	if s.Area() == 7 {
		println(kind(s), "7")
		return
	}
	println(kind(s))
}

// Equal has two interfaces whose values are compared.
func Equal(a, b Shape) { println(kind(a), kind(b), yes(a == b)) }

type err struct{ code int8 }

func (e err) Error() string { return "err" }

func Error(e error) {
	switch e := e.(type) {
	case nil:
		println("nil")
	case err:
		println("err", yes(e.code == 5))
	default:
		if e == (error)(nil) {
			panic("nil")
		}
		println("other")
	}
}

func Entries(m map[bool]int8) {
	f, hasFalse := m[false]
	t, hasTrue := m[true]
	if n := len(m); n > 2 || hasFalse != (n == 2 || n == 1 && !hasTrue) {
		panic("entries")
	}
	println(yes(m == nil), len(m), yes(hasFalse), yes(hasTrue), yes(hasTrue && hasFalse && f == t))
}

// Aliases writes to a map and reads another one, which may be the same.
func Aliases(a, b map[int8]int8) {
	if a == nil || b == nil {
		return
	}
	clear(b)
	a[1] = 2
	println(yes(len(b) == 1))
}

type (
	Named map[int8]int8
	Outer struct {
		in   Circle
		more int8
	}
)

func (o *Outer) Area() int { return int(o.more) }

// Names is Aliases for maps of two types.
func Names(a Named, b map[int8]int8) { Aliases(a, b) }

// Ends has two ends of a channel that may be the same.
func Ends(to chan<- int8, from <-chan int8) {
	if to == nil || from == nil || cap(to) != 1 || len(to) > 0 || cap(from) != 1 || len(from) > 0 {
		return
	}
	defer func() {
		if recover() != nil {
			println("closed")
		}
	}()
	to <- 7
	println(yes(len(from) == 1))
}

// Parts has an interface that may lead to a part of what a pointer leads to that is drawn after it, as far as it is not a bound.
func Parts(a, b Shape, o *Outer) {
	if o == nil {
		return
	}
	println(kinds(a), kinds(b), yes(a == Shape(&o.in)), yes(b == Shape(&o.in)))
}

// PartsFirst has the pointer before them.
func PartsFirst(o *Outer, a, b Shape) { Parts(a, b, o) }

// kinds is kind for those that lead to an Outer or a Circle, and others.
func kinds(s Shape) string {
	switch s.(type) {
	case *Outer:
		return "outer"
	case *Circle:
		return "circle"
	}
	return "other"
}

// Keys has pointers as keys.
func Keys(m map[*Circle]bool, c *Circle) {
	if len(m) != 1 {
		return
	}
	v, ok := m[c]
	println(yes(c == nil), yes(ok), yes(v))
}

func Buffer(c chan int8) {
	if c == nil {
		println("nil")
		return
	}
	n, room := len(c), cap(c)
	select {
	case v, ok := <-c:
		if ok != (n > 0) {
			panic("receive")
		}
		println(n, room, yes(ok), yes(v == 3))
	default:
		if n > 0 {
			panic("nothing received")
		}
		println(n, room, "blocked")
	}
}

func Calls(f func(int8) bool) {
	if f == nil {
		println("nil")
		return
	}
	a, b, c := f(1), f(2), f(1)
	if a != c {
		panic("not the same")
	}
	println(yes(a), yes(b))
}

// Deep has all of them in fields.
type Deep struct {
	s    Shape
	m    map[string]*Deep
	f    func() *Deep
	c    chan *Deep
	next *Deep
}

func Fields(d *Deep) {
	if d == nil || d.f == nil || d.m == nil {
		return
	}
	x := d.f()
	if x == nil || x != d.m["a"] || x.next != d {
		return
	}
	println(yes(x == d), kind(x.s))
}

type at struct{ code int8 }

func (a *at) Error() string { return "at" }

// ErrAt and ErrCode are values that an error may have.
var (
	ErrAt   error = &at{1}
	ErrCode error = err{7}
)

func Known(e error) {
	switch {
	case e == nil:
		println("nil")
	case e == ErrAt:
		println("it")
	case e == ErrCode:
		println("code")
	default:
		_, same := e.(*at)
		println("other", yes(same))
	}
}

var steps int8

// Step is a function of the program that a function value may be. It does not return the same for the same argument.
func Step(x int8) (int8, bool) {
	steps++
	return steps, x == 3
}

func Chosen(f, g func(int8) (int8, bool)) {
	if f == nil || g == nil {
		println("nil")
		return
	}
	a, _ := f(1)
	_, is := g(3)
	b, _ := f(1)
	println(yes(a == b), yes(is), yes(steps == 3))
}

type Config struct{ limit int8 }

// Atomics has atomic values. In one of them the program stores different types, and in one it stores nothing.
type Atomics struct {
	config, two, never atomic.Value
	atomic.Value
}

func (a *Atomics) fill(x any) {
	a.config.Store(&Config{1})
	a.two.Swap(int8(1))
	a.two.CompareAndSwap(int8(1), Rect{1, 2})
	a.Store("text")
}

func held(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case *Config:
		if v == nil {
			panic("no config")
		}
		return "config " + yes(v.limit == 5)
	case int8:
		return "int8 " + yes(v == 5)
	case Rect:
		return "rect " + yes(v.h == 5)
	case string:
		return "text " + yes(len(v) == 1)
	}
	panic("no such type")
}

func Atomic(a *Atomics) {
	if a == nil {
		println("no")
		return
	}
	println(held(a.config.Load()), held(a.two.Load()), held(a.Load()), yes(a.never.Load() == nil))
}

// Replaced has a value that is replaced.
func Replaced(a *Atomics) {
	if a == nil {
		return
	}
	done := a.config.CompareAndSwap(nil, &Config{7})
	println(yes(done), held(a.config.Swap(&Config{5})), held(a.config.Load()))
}

// Kept has a value that remains an input while others are stored.
func Kept(k int) {
	var v atomic.Value
	v.Store(k)
	v.Store(k + 1)
	println(yes(v.CompareAndSwap(8, k)), yes(v.Load() == 7))
}

// Untouched does not look at them, so they are no paths.
func Untouched(d *Deep) { println(yes(d == nil || d.next == nil)) }
`

// TestReferences has interfaces, maps, channels and functions as inputs. Every case happens.
func TestReferences(t *testing.T) {
	kinds := []string{"nil", "square", "rect", "circle", "outer"}
	var equal []string
	for _, a := range kinds {
		for _, b := range kinds {
			equal = append(equal, a+" "+b+" false")
			if a == b {
				equal = append(equal, a+" "+b+" true")
			}
		}
	}
	equal = equal[1:]         // two that are nil are equal
	equal[0] = "nil nil true" // it was the second
	var buffers []string
	buffers = append(buffers, "nil")
	for _, room := range []string{"0", "1", "2"} {
		buffers = append(buffers, "0 "+room+" blocked", "0 "+room+" false false")
		for _, n := range []string{"1", "2"} {
			if n <= room {
				buffers = append(buffers, n+" "+room+" true false", n+" "+room+" true true")
			}
		}
	}
	var fields []string
	for _, k := range kinds {
		fields = append(fields, "true "+k, "false "+k)
	}
	var parts []string
	for _, a := range []string{"other false", "outer false", "circle false", "circle true"} {
		for _, b := range []string{"other false", "outer false", "circle false", "circle true"} {
			a, isA, _ := strings.Cut(a, " ")
			b, isB, _ := strings.Cut(b, " ")
			parts = append(parts, strings.Join([]string{a, b, isA, isB}, " "))
		}
	}
	atomics := []string{"no"}
	for _, config := range []string{"nil", "config true", "config false"} {
		for _, two := range []string{"nil", "int8 true", "int8 false", "rect true", "rect false"} {
			for _, text := range []string{"nil", "text true", "text false"} {
				atomics = append(atomics, strings.Join([]string{config, two, text, "true"}, " "))
			}
		}
	}
	same := func(name string, all ...string) possible { return possible{name, all, all} }
	compare(t, "referring", referring, "parts of objects that are found later", []possible{
		same("Interface", kinds...),
		same("Called", "nil", "rect", "rect 7", "circle", "circle 7", "outer", "outer 7", "square"),
		same("Equal", equal...),
		same("Error", "nil", "err true", "err false", "other"),
		same("Entries", "true 0 false false false", "false 0 false false false", "false 1 true false false", "false 1 false true false",
			"false 2 true true false", "false 2 true true true"),
		same("Aliases", "true", "false"),
		same("Names", "true", "false"),
		same("Ends", "true", "false", "closed"),
		{"Parts", parts, parts[:0]},
		same("PartsFirst", parts...),
		same("Keys", "true true true", "true true false", "true false false", "false true true", "false true false", "false false false"),
		same("Buffer", buffers...),
		same("Calls", "nil", "true true", "true false", "false true", "false false"),
		same("Fields", fields...),
		same("Known", "nil", "it", "code", "other true", "other false"),
		same("Chosen", "nil", "true true false", "true false false", "false true false", "false false false", "false true true"),
		same("Atomic", atomics...),
		same("Replaced", "true config false config true", "false config false config true", "false config true config true"),
		same("Kept", "true true", "false false", "false true"),
		same("Untouched", "true", "false"),
	})
}
