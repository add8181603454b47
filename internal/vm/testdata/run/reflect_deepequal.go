// DeepEqual, Swapper and their users in sort and errors.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"reflect"
	"slices"
	"sort"
)

type node struct {
	next *node
	val  int
}

type loop []loop

type myErr struct{ code int }

func (e *myErr) Error() string { return fmt.Sprint("code ", e.code) }

type valErr struct{ a, b int }

func (e valErr) Error() string { return "val" }

type person struct {
	Name string
	Age  int
	Tags [2]any
}

func main() {
	cyc := func(v int) *node { n := &node{val: v}; n.next = n; return n }
	l1, l2 := make(loop, 1), make(loop, 1)
	l1[0], l2[0] = l1, l2
	f := func() {}
	pairs := [][2]any{
		{1, 1}, {1, 2}, {1, int64(1)}, {nil, nil}, {nil, 1}, {"a", "a"}, {[]int{1, 2}, []int{1, 2}}, {[]int{1}, []int{2}}, {[]int{}, []int(nil)},
		{map[string][]int{"a": {1}}, map[string][]int{"a": {1}}}, {map[string]int{"a": 1}, map[string]int{"a": 2}}, {map[string]int{}, map[string]int(nil)},
		{&node{val: 1}, &node{val: 1}}, {cyc(1), cyc(1)}, {cyc(1), cyc(2)}, {l1, l2}, {f, f}, {(func())(nil), (func())(nil)},
		{[]byte("ab"), []byte("ab")}, {[2]any{1, "x"}, [2]any{1, "x"}}, {[2]any{1, "x"}, [2]any{1, 2}}, {person{"a", 1, [2]any{1}}, person{"a", 1, [2]any{1}}},
		{struct{ a any }{[]int{1}}, struct{ a any }{[]int{1}}}, {1.5, 1.5}, {errors.New("a"), errors.New("a")}, {[]error{nil}, []error{nil}},
	}
	for i, p := range pairs {
		fmt.Println(i, reflect.DeepEqual(p[0], p[1]))
	}

	people := []person{{"Bob", 3, [2]any{1}}, {"Al", 5, [2]any{2}}, {"Cy", 1, [2]any{3}}}
	sort.Slice(people, func(i, j int) bool { return people[i].Age < people[j].Age })
	fmt.Println(people)
	sort.SliceStable(people, func(i, j int) bool { return people[i].Name < people[j].Name })
	fmt.Println(people, sort.SliceIsSorted(people, func(i, j int) bool { return people[i].Name < people[j].Name }))
	for _, s := range []any{[]string{"c", "a", "b"}, []int8{3, 1, 2}, []*int{nil, new(int)}, []byte("hello"), []float64{2, 1}, [][2]int{{1, 2}, {3, 4}}, []any{1, "a"}} {
		swap := reflect.Swapper(s)
		swap(0, 1)
		if _, ok := s.([]*int); !ok {
			fmt.Println(s)
		}
	}
	ints := make([]int, 200)
	for i := range ints {
		ints[i] = (i * 7919) % 211
	}
	sort.Slice(ints, func(i, j int) bool { return ints[i] < ints[j] })
	fmt.Println(slices.IsSorted(ints))

	err := fmt.Errorf("outer: %w", fmt.Errorf("mid: %w", &myErr{7}))
	var me *myErr
	var ve valErr
	var pe *fs.PathError
	fmt.Println(errors.As(err, &me), me, errors.As(err, &ve), errors.As(err, &pe))
	joined := errors.Join(err, valErr{1, 2})
	fmt.Println(errors.As(joined, &ve), ve.b, errors.Is(joined, valErr{1, 2}), errors.Is(joined, fs.ErrNotExist))
	var tmo interface{ Timeout() bool }
	fmt.Println(errors.As(context.DeadlineExceeded, &tmo), tmo.Timeout())
	func() {
		defer func() { fmt.Println(recover()) }()
		errors.As(err, me)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		errors.As(err, new(int))
	}()
	ctx := context.WithValue(context.Background(), "k", person{Name: "v"})
	fmt.Println(ctx.Value("k"), ctx)
	func() {
		defer func() { fmt.Println(recover()) }()
		context.WithValue(ctx, []int{1}, 2)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		sort.Slice(5, nil)
	}()
	elements[bool](true)
	elements[int8](-1)
	elements[int16](2)
	elements[int32](3)
	elements[int64](4)
	elements[kind](5)
	elements[uint16](6)
	elements[uint32](7)
	elements[uint64](8)
	elements[uint](9)
	elements[uintptr](10)
	elements[float32](11)
	elements(math.NaN())
	elements("text")
	elements(complex(1, 2))
	elements[any](3)
	fmt.Println(reflect.DeepEqual(struct{ list []kind }{[]kind{1}}, struct{ list []kind }{[]kind{1}}), reflect.DeepEqual([]kind{}, []kind(nil)), reflect.DeepEqual([]kind{1}, []int{1}))
}

type kind int

// elements compares slices whose elements are zero but for one, which is x.
func elements[T any](x T) {
	list, other := make([]T, 3), make([]T, 4)
	list[2] = x
	before := reflect.DeepEqual(list, other[:3])
	other[2] = x
	fmt.Println(before, reflect.DeepEqual(list, other[:3]), reflect.DeepEqual(list, other), reflect.DeepEqual(list, list))
}
