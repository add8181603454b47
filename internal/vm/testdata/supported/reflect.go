// Types, values, calls and methods of package reflect.
package main

import (
	"bytes"
	"reflect"
	"runtime"
)

type T struct {
	A int `key:"a"`
}

func (t T) Double() int { return 2 * t.A }

type U struct{ T }

// Halve has the type of Double.
func (t T) Halve() int { return t.A / 2 }

type W struct{ bytes.Buffer }

// name returns the name of a function.
func name(f any) string { return runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name() }

// same reports whether two functions are the same code.
func same(f, g any) bool { return reflect.ValueOf(f).Pointer() == reflect.ValueOf(g).Pointer() }

func main() {
	v := reflect.ValueOf(T{A: 21})
	if v.Type().Field(0).Tag.Get("key") != "a" || v.MethodByName("Double").Call(nil)[0].Int() != 42 {
		panic(v.Type().String())
	}
	if !reflect.DeepEqual(v.Interface(), T{21}) {
		panic("DeepEqual")
	}
	if reflect.DeepEqual(reflect.TypeOf(T{}), reflect.TypeOf(U{})) || !reflect.DeepEqual(reflect.TypeOf(T{}), reflect.TypeOf(T{})) {
		panic("DeepEqual of types")
	}
	t, u := T{1}, U{T{2}}
	if !same(t.Double, T{3}.Double) || !same(T.Double, T.Double) || !same(t.Double, u.Double) {
		panic("one method, several functions")
	}
	if same(t.Double, t.Halve) || same(T.Double, T.Halve) || same(t.Double, T.Double) {
		panic("two methods, one function")
	}
	for f, want := range map[string]string{
		name(T.Double):     "main.T.Double",
		name((*T).Double):  "main.(*T).Double",
		name(t.Double):     "main.T.Double-fm",
		name(U.Double):     "main.U.Double",
		name(u.Double):     "main.T.Double-fm",
		name((*W).Write):   "main.(*W).Write",
		name(new(W).Write): "bytes.(*Buffer).Write-fm",
	} {
		if f != want {
			panic(f + ", want " + want)
		}
	}
	if f, g := t.Double, u.Double; f() != 2 || g() != 4 || T.Halve(T{8}) != 4 || U.Double(u) != 4 {
		panic("method values")
	}
}
