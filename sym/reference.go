package sym

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// referenced returns the map, channel or function of type t with a number in the list of inputs; it is not valid for 0.
func referenced(number uint64, t reflect.Type) reflect.Value {
	if number == 0 {
		return reflect.Value{}
	}
	key := object{number, referenceType(t)}
	if v, ok := objects.number[key]; ok {
		return v.Convert(t)
	}
	if number >= firstFunction {
		panic("sym: an input is a function of the program, which plain go test cannot find; everyway replay can")
	}
	name := "&" + strconv.FormatUint(number, 10)
	switch t.Kind() {
	case reflect.Map:
		v := reflect.MakeMap(key.typ)
		objects.number[key] = v
		for i := range length("len(" + name + ")") {
			k, e := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			fill(fmt.Sprintf("%s.key[%d]", name, i), k)
			fill(fmt.Sprintf("%s.elem[%d]", name, i), e)
			v.SetMapIndex(k, e)
		}
	case reflect.Chan:
		v := reflect.MakeChan(key.typ, length("cap("+name+")"))
		objects.number[key] = v
		for i := range min(length("len("+name+")"), v.Cap()) {
			e := reflect.New(t.Elem()).Elem()
			fill(fmt.Sprintf("%s[%d]", name, i), e)
			v.Send(e)
		}
		if Bool(name + ".closed") {
			v.Close()
		}
	default:
		objects.number[key] = function(name, t)
	}
	return objects.number[key].Convert(t)
}

// referenceType returns the type of which a value is that is a t: values of several types can be
// the same map or channel.
func referenceType(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Map:
		return reflect.MapOf(t.Key(), t.Elem())
	case reflect.Chan:
		return reflect.ChanOf(reflect.BothDir, t.Elem())
	}
	return t
}

// firstFunction is the first of the numbers of functions of the program.
const firstFunction = 1 << 20

// function returns a function that returns the inputs whose names begin with that of the function
// and the number of the call, and the same for the same arguments.
func function(name string, t reflect.Type) reflect.Value {
	type call struct{ args, results []reflect.Value }
	var calls []call
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		objects.Lock()
		defer objects.Unlock()
		for _, c := range calls {
			if sameArguments(args, c.args) {
				return c.results
			}
		}
		of := fmt.Sprintf("%s(%d)", name, len(calls)+1)
		results := make([]reflect.Value, t.NumOut())
		for i := range results {
			results[i] = reflect.New(t.Out(i)).Elem()
			field := of
			if len(results) > 1 {
				field = fmt.Sprintf("%s.%d", of, i)
			}
			fill(field, results[i])
		}
		calls = append(calls, call{args, results})
		return results
	})
}

// sameArguments reports whether the arguments of two calls are equal. Those of types that cannot be compared never are.
func sameArguments(x, y []reflect.Value) bool {
	for i := range x {
		if !x[i].Comparable() || !y[i].Comparable() || holdsInterface(x[i].Type()) || !x[i].Equal(y[i]) {
			return false
		}
	}
	return true
}

// holdsInterface reports whether a value of type t has a part that is an interface.
func holdsInterface(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Array:
		return holdsInterface(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsInterface(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// errNone is of the type of an error that errors.New returns.
var errNone = errors.New("")

// fillInterface sets v to the input of that name. The list of inputs has the name of the dynamic type in the names of
// the value's parts.
func fillInterface(name string, v reflect.Value) {
	if choice, ok := seeded(name+".(type)", kindObject); ok {
		fillSeededInterface(name, v, choice>>8)
		return
	}
	if environment(name+".(type)") == 0 {
		return
	}
	for _, t := range interfaceTypes {
		of := partOfType(name, t)
		if strings.Contains(inputs(), of) && t.AssignableTo(v.Type()) {
			x := reflect.New(t).Elem()
			fill(of, x)
			v.Set(x)
			return
		}
	}
	panic(fmt.Sprintf("sym: input %s is a value of a type that plain go test cannot find; everyway replay can", name))
}

// interfaceTypes are those of which interfaces have values natively.
var interfaceTypes = []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[string](), reflect.TypeOf(errNone)}

// partOfType names the value of a type that is in an interface.
func partOfType(name string, t reflect.Type) string { return name + ".(" + t.String() + ")" }

// fillSeededInterface is fillInterface with a seed, which gives choice: a third of the interfaces
// are nil, and all that plain go test has no type for.
func fillSeededInterface(name string, v reflect.Value, choice uint64) {
	var of []reflect.Type
	for _, t := range interfaceTypes {
		if t.AssignableTo(v.Type()) {
			of = append(of, t)
		}
	}
	if choice%3 == 0 || len(of) == 0 {
		return
	}
	t := of[choice/3%uint64(len(of))]
	if t == reflect.TypeOf(errNone) {
		v.Set(reflect.ValueOf(errors.New(String(partOfType(name, t) + ".s"))))
		return
	}
	x := reflect.New(t).Elem()
	fill(partOfType(name, t), x)
	v.Set(x)
}
