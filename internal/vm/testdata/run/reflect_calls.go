// Calls, methods, functions made at run time, channels.
package main

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

type acc struct {
	total int
	log   []string
}

func (a acc) Get() int { return a.total }
func (a *acc) Add(n int, why ...string) (int, error) {
	if n < 0 {
		return 0, errors.New("negative")
	}
	a.total += n
	a.log = append(a.log, why...)
	return a.total, nil
}
func (a acc) Big() (x [5]int, s string, e error) { x[4] = a.total; return x, "big", nil }

type one int

func (o one) Twice() one     { return o * 2 }
func (o one) Plus(p one) one { return o + p }
func (o *one) Inc()          { *o++ }
func (o one) String() string { return fmt.Sprintf("one(%d)", int(o)) }

type wrap struct {
	*acc
	one
}

type kept struct{ n int }

func (k kept) String() string { return fmt.Sprintf("kept %d", k.n) }

type keeper int

func (k keeper) Keep() kept { return kept{int(k)} }

type adder interface {
	Add(int, ...string) (int, error)
}

func try(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Printf("%s: %v\n", name, r)
		}
	}()
	f()
}

func sum(base int, xs ...int) int {
	for _, x := range xs {
		base += x
	}
	return base
}

func main() {
	vals := func(xs ...any) (list []reflect.Value) {
		for _, x := range xs {
			list = append(list, reflect.ValueOf(x))
		}
		return list
	}
	show := func(out []reflect.Value) {
		for _, v := range out {
			fmt.Print(v.Type(), "=", v, " ")
		}
		fmt.Println()
	}
	show(reflect.ValueOf(sum).Call(vals(1, 2, 3)))
	show(reflect.ValueOf(sum).Call(vals(1)))
	show(reflect.ValueOf(sum).CallSlice(vals(1, []int{4, 5})))
	show(reflect.ValueOf(strings.Repeat).Call(vals("ab", 3)))
	show(reflect.ValueOf(func() {}).Call(nil))
	show(reflect.ValueOf(func(a struct{}, e error, x any) (any, error) { return x, e }).Call([]reflect.Value{
		reflect.ValueOf(struct{}{}), reflect.ValueOf(errors.New("E")), reflect.ValueOf([2]int{1, 2})}))

	a := &acc{}
	v := reflect.ValueOf(a)
	show(v.MethodByName("Add").Call(vals(5, "x", "y")))
	show(v.Method(0).Call(vals(-5)))
	show(v.MethodByName("Get").Call(nil))
	show(v.Elem().MethodByName("Big").Call(nil))
	m, _ := reflect.TypeOf(a).MethodByName("Add")
	show(m.Func.Call(vals(a, 7)))
	add := v.MethodByName("Add").Interface().(func(int, ...string) (int, error))
	fmt.Println(add(10, "z"))
	var ad adder = a
	show(reflect.ValueOf(&ad).Elem().MethodByName("Add").Call(vals(1)))
	fmt.Println(a.total, a.log, v.NumMethod(), v.Elem().NumMethod(), v.MethodByName("nope").IsValid())

	o := one(4)
	ov := reflect.ValueOf(o)
	show(ov.MethodByName("Twice").Call(nil))
	show(ov.MethodByName("Plus").Call(vals(one(3))))
	reflect.ValueOf(&o).MethodByName("Inc").Call(nil)
	fmt.Println(o, ov)
	w := wrap{a, 9}
	for m := range reflect.TypeOf(w).Methods() {
		fmt.Println(m.Name, m.Type)
	}
	show(reflect.ValueOf(w).MethodByName("Twice").Call(nil))
	show(reflect.ValueOf(w).MethodByName("Get").Call(nil))

	// Types of which nothing but reflection has values in interfaces.
	fmt.Println(reflect.ValueOf(keeper(1)).Method(0).Call(nil)[0])
	get := reflect.TypeOf(keeper(0)).Method(0).Func.Interface().(func(keeper) kept)
	fmt.Println(get(3).n)
	made := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{reflect.TypeFor[int8]()}, []reflect.Type{reflect.TypeFor[*acc]()}, false),
		func(in []reflect.Value) []reflect.Value {
			return []reflect.Value{reflect.ValueOf(&acc{total: int(in[0].Int())})}
		})
	fmt.Println(made.Interface().(func(int8) *acc)(4).total)

	// MakeFunc.
	swap := func(in []reflect.Value) []reflect.Value { return []reflect.Value{in[1], in[0]} }
	var intSwap func(int, string) (string, int)
	reflect.ValueOf(&intSwap).Elem().Set(reflect.MakeFunc(reflect.TypeOf(intSwap), swap))
	fmt.Println(intSwap(1, "b"))
	var variadic func(string, ...int) int
	reflect.ValueOf(&variadic).Elem().Set(reflect.MakeFunc(reflect.TypeOf(variadic), func(in []reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(in[0].Len() + in[1].Len())}
	}))
	fmt.Println(variadic("abc", 1, 2), variadic(""))
	var empty func()
	reflect.ValueOf(&empty).Elem().Set(reflect.MakeFunc(reflect.TypeOf(empty), func(in []reflect.Value) []reflect.Value {
		fmt.Println("called", len(in))
		return nil
	}))
	empty()
	var big func([3]string, one, error) ([3]string, error)
	reflect.ValueOf(&big).Elem().Set(reflect.MakeFunc(reflect.TypeOf(big), func(in []reflect.Value) []reflect.Value {
		return []reflect.Value{in[0], in[2]}
	}))
	fmt.Println(big([3]string{"x", "y", "z"}, 1, errors.New("through")))

	// Panics pass through calls.
	try("panic", func() { reflect.ValueOf(func() { panic("inside") }).Call(nil) })
	try("few", func() { reflect.ValueOf(sum).Call(nil) })
	try("type", func() { reflect.ValueOf(sum).Call(vals("x")) })
	try("many", func() { reflect.ValueOf(func() {}).Call(vals(1)) })
	try("nil", func() { reflect.ValueOf((func())(nil)).Call(nil) })
	try("notfunc", func() { reflect.ValueOf(1).Call(nil) })
	try("wrongcount", func() {
		reflect.MakeFunc(reflect.TypeOf(empty), func([]reflect.Value) []reflect.Value { return vals(1) }).Call(nil)
	})
	try("noresult", func() {
		reflect.MakeFunc(reflect.TypeFor[func() int](), func([]reflect.Value) []reflect.Value { return []reflect.Value{{}} }).Call(nil)
	})
	try("nilmethod", func() { reflect.ValueOf((*acc)(nil)).MethodByName("Get").Call(nil) })
	try("nilifacemethod", func() { var ad adder; reflect.ValueOf(&ad).Elem().Method(0) })

	// Channels.
	ch := reflect.MakeChan(reflect.TypeFor[chan [2]string](), 1)
	fmt.Println(ch.TrySend(reflect.ValueOf([2]string{"a", "b"})), ch.TrySend(reflect.ValueOf([2]string{})), ch.Len(), ch.Cap())
	x, ok := ch.Recv()
	fmt.Println(x, ok)
	x, ok = ch.TryRecv()
	fmt.Println(x.IsValid(), ok)
	var wg sync.WaitGroup
	un := reflect.MakeChan(reflect.TypeFor[chan int](), 0)
	wg.Go(func() {
		for i := range 3 {
			un.Send(reflect.ValueOf(i))
		}
		un.Close()
	})
	for v := range un.Seq() {
		fmt.Print(v, " ")
	}
	wg.Wait()
	x, ok = un.Recv()
	fmt.Println(x, ok)
	c1, c2, c3 := make(chan int, 1), make(chan string, 1), make(chan struct{})
	c2 <- "two"
	cases := []reflect.SelectCase{
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c1)},
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c3)},
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c2)},
		{Dir: reflect.SelectRecv},
	}
	fmt.Println(reflect.Select(cases))
	cases[2] = reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(c1), Send: reflect.ValueOf(11)}
	cases[0].Chan = reflect.ValueOf(make(chan bool))
	i, r, ok := reflect.Select(cases)
	fmt.Println(i, r.IsValid(), ok, <-c1)
	cases[2] = reflect.SelectCase{Dir: reflect.SelectDefault}
	i, r, ok = reflect.Select(cases)
	fmt.Println(i, r.IsValid(), ok)
	close(c3)
	i, r, ok = reflect.Select(cases[:2])
	fmt.Println(i, r, ok)
	try("closed", func() { ch.Close(); ch.Send(reflect.ValueOf([2]string{})) })
	try("dir", func() { reflect.ValueOf((<-chan int)(c1)).Send(reflect.ValueOf(1)) })
}
