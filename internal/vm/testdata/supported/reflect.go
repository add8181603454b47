// Types, values, calls and methods of package reflect.
package main

import "reflect"

type T struct {
	A int `key:"a"`
}

func (t T) Double() int { return 2 * t.A }

func main() {
	v := reflect.ValueOf(T{A: 21})
	if v.Type().Field(0).Tag.Get("key") != "a" || v.MethodByName("Double").Call(nil)[0].Int() != 42 {
		panic(v.Type().String())
	}
	if !reflect.DeepEqual(v.Interface(), T{21}) {
		panic("DeepEqual")
	}
}
