// Printing of values of every kind.
package main

import (
	"errors"
	"fmt"
	"time"
)

type point struct{ X, Y int }

type stringer struct{ n int }

func (s stringer) String() string { return fmt.Sprintf("<%d>", s.n) }

type ptrStringer struct{ n int }

func (s *ptrStringer) String() string { return fmt.Sprintf("*<%d>", s.n) }

type panicker struct{}

func (panicker) String() string { panic("no string") }

type gostringer int

func (g gostringer) GoString() string { return "gostringer!" }

type formatter bool

func (f formatter) Format(s fmt.State, verb rune) {
	w, ok := s.Width()
	fmt.Fprintf(s, "[%c %d %v]", verb, w, ok)
}

type tree struct {
	Left, Right *tree
	Val         any
}

type named []byte
type bytes4 [4]byte
type myBool bool
type pair[K comparable, V any] struct {
	Key K
	Val V
	u   *int
}

type embedded struct {
	point
	*stringer
	error
	private map[string]int
}

func main() {
	values := []any{
		nil, true, 1, int8(-2), uint8(200), uint64(1 << 63), uintptr(7), 1.5, float32(0.1), 3 + 4i, complex64(1i),
		"text", "", []byte("abc"), []int(nil), []int{}, []int{1, 2}, [3]string{"a", "b"}, [0]int{}, bytes4{1, 2, 3, 4},
		point{1, 2}, &point{3, 4}, struct{}{}, []point{{5, 6}}, []*int{nil}, map[string]int{"b": 2, "a": 1}, map[string]int(nil),
		map[point]bool{{2, 1}: true, {1, 9}: false}, map[any]int{"x": 1}, map[any]int{3: 1, 2: 2},
		stringer{3}, &stringer{4}, []stringer{{1}, {2}}, ptrStringer{5}, &ptrStringer{6}, panicker{}, (*ptrStringer)(nil),
		gostringer(1), formatter(true), errors.New("bad"), fmt.Errorf("plain %d", 1),
		tree{Val: 1, Left: nil}, named("xyz"), myBool(true), pair[string, []int]{Key: "k", Val: []int{1}}, &pair[int8, any]{Val: 2},
		embedded{point: point{1, 2}, private: map[string]int{"z": 26}}, time.Duration(1500) * time.Millisecond, time.March,
		[]any{1, "a", nil, []any{2.5}}, [2]any{stringer{9}, point{1, 2}}, 'x', error(nil), (func())(nil), (chan int)(nil),
		[]error{nil, nil}, struct {
			A any
			b any
			c stringer
		}{1, 2, stringer{7}}, [][]string{{"q"}, nil}, map[int]map[string]bool{1: {"t": true}},
	}
	for i, v := range values {
		for _, f := range []string{"%v", "%+v", "%#v", "%T", "%d", "%s", "%q", "%x", "%6v", "%-8v|", "%t", "%8.3f"} {
			text := fmt.Sprintf(f, v)
			fmt.Printf("%d %s: %s\n", i, f, text)
		}
	}
	fmt.Println(fmt.Sprint("a", 1, 2, "b", []int{3}), fmt.Sprintln(point{}, nil))
	fmt.Printf("%[2]d %[1]v %!|%z %d\n", 1, 2, 3)
	fmt.Printf("%*d|%-*d|%.*f\n", 5, 1, 4, 2, 2, 3.14159)
	fmt.Printf("%v %d\n", 1)
	fmt.Printf("%s\n", []string{"a", "b"})
	var n, m int
	var w string
	k, err := fmt.Sscanf("10 abc 0x1f", "%d %s %v", &n, &w, &m)
	fmt.Println(k, err, n, w, m)
	k, err = fmt.Sscan("7 word 8", &n, &w, &m)
	fmt.Println(k, err, n, w, m)
}
