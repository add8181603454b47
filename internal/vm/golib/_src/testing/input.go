package testing

import (
	"fmt"
	"reflect"
	"strconv"
)

// Inputs are variables of the run. The name of one is a Go expression over the
// parameters it belongs to: n, len(s), s[3], p.x.

// drawWord draws a scalar of a kind that package code numbers.
func drawWord(name string, kind uint8) uint64

// drawLen draws the length of a string or slice, up to a bound of the run.
func drawLen(name string) int

// unsupportedInput ends the run: a parameter is of a type that is not drawn.
func unsupportedInput(message string)

// paramName returns the name of parameter i of the function fn.
func paramName(fn any, i int) string

// The numbers that package code gives to kinds of words.
var wordKinds = map[reflect.Kind]uint8{
	reflect.Bool: 1,
	reflect.Int8: 2, reflect.Int16: 3, reflect.Int32: 4, reflect.Int64: 5, reflect.Int: 5,
	reflect.Uint8: 6, reflect.Uint16: 7, reflect.Uint32: 8, reflect.Uint64: 9, reflect.Uint: 9, reflect.Uintptr: 9,
	reflect.Float32: 10, reflect.Float64: 11,
}

// call calls the function fn with drawn arguments.
func call(fn any) {
	v := reflect.ValueOf(fn)
	args := make([]reflect.Value, v.Type().NumIn())
	for i := range args {
		args[i] = draw(paramName(fn, i), v.Type().In(i))
	}
	if v.Type().IsVariadic() {
		v.CallSlice(args)
	} else {
		v.Call(args)
	}
}

// draw draws a value of type t for the variable called name.
func draw(name string, t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	drawInto(name, v)
	return v
}

// drawInto draws a value for the variable v called name.
func drawInto(name string, v reflect.Value) {
	kind := wordKinds[v.Kind()]
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(drawWord(name, kind) != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(drawWord(name, kind)))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(drawWord(name, kind))
	case reflect.Float32: // as bits: SetFloat would not keep those of every NaN
		*(*uint32)(v.Addr().UnsafePointer()) = uint32(drawWord(name, kind))
	case reflect.Float64:
		*(*uint64)(v.Addr().UnsafePointer()) = drawWord(name, kind)
	case reflect.Complex64, reflect.Complex128:
		real, imag := "real("+name+")", "imag("+name+")"
		if v.Kind() == reflect.Complex64 {
			part := wordKinds[reflect.Float32]
			*(*[2]uint32)(v.Addr().UnsafePointer()) = [2]uint32{uint32(drawWord(real, part)), uint32(drawWord(imag, part))}
		} else {
			part := wordKinds[reflect.Float64]
			*(*[2]uint64)(v.Addr().UnsafePointer()) = [2]uint64{drawWord(real, part), drawWord(imag, part)}
		}
	case reflect.String:
		b := make([]byte, drawLen("len("+name+")"))
		for i := range b {
			b[i] = byte(drawWord(indexed(name, i), wordKinds[reflect.Uint8]))
		}
		v.SetString(string(b))
	case reflect.Slice:
		// Of no elements, it is nil.
		if n := drawLen("len(" + name + ")"); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			drawElements(name, v, n)
		}
	case reflect.Array:
		drawElements(name, v, v.Len())
	case reflect.Struct:
		for i := range v.NumField() {
			// Unexported fields can be set through their address only.
			f := v.Field(i)
			field := v.Type().Field(i).Name
			drawInto(name+"."+field, reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem())
		}
	default:
		unsupportedInput(fmt.Sprintf("input %s is of type %v, which is not supported", name, v.Type()))
	}
}

// drawElements draws the n elements of an array or slice.
func drawElements(name string, v reflect.Value, n int) {
	for i := range n {
		drawInto(indexed(name, i), v.Index(i))
	}
}

func indexed(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]" }
