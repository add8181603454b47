package testing

import (
	"fmt"
	"reflect"
	"strconv"
	"unsafe"
)

// Inputs are variables of the run. The name of one is a Go expression over the
// parameters it belongs to: n, len(s), s[3], p.x.

// drawWord draws a scalar of a kind that package code numbers.
func drawWord(name string, kind uint8) uint64

// drawLen draws the length of a string or slice, up to a bound of the run.
func drawLen(name string) int

// drawChoice draws a boolean that is no part of an argument.
func drawChoice(name string) bool

// drawRoom draws whether an array has room for more elements than it needs, and noteRoom
// says which array that is and which capacity it has otherwise. Where the capacity does
// not matter, the two are one path.
func drawRoom(name string) bool
func noteRoom(name string, array unsafe.Pointer, small int)

// drawHeap draws a value for the variable that to, a pointer, points to, in the symbolic heap.
func drawHeap(name string, to any)

// drawVariables draws the package variables that are inputs.
func drawVariables()

// noteSlice says that a slice is an input, of the type of the one that to, a pointer, points to: no pointer of the input leads to its elements.
func noteSlice(to any)

// callInput is what functions that are inputs call, with their arguments in frame; it leaves the results there. The function is
// that of package shape.
func callInput(fn, frame unsafe.Pointer)

// checkCorpus tells what function a fuzz test calls, and returns what is wrong with the
// seeds in testdata/fuzz.
func checkCorpus(fn any) string

// corpusName returns the name of a seed in testdata/fuzz, empty if there are not so many.
// corpusText and corpusWord return its ith value.
func corpusName(n int) string
func corpusText(n, i int) string
func corpusWord(n, i int) uint64

// maxLen returns the length of the longest string or slice that is drawn.
func maxLen() int

// unsupportedInput ends the run: a parameter is of a type that is not drawn.
func unsupportedInput(message string)

// paramName returns the name of parameter i of the function fn.
func paramName(fn any, i int) string

// drawnReceiver ends the run if fn is a method that nobody expects to be called with a nil receiver, and p, the first argument, is nil.
func drawnReceiver(fn any, name string, p unsafe.Pointer)

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
		if i == 0 && args[0].Kind() == reflect.Pointer {
			drawnReceiver(fn, paramName(fn, 0), args[0].UnsafePointer())
		}
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

// drawArgument is draw for an argument of the callback of a fuzz test. A []byte is never
// nil there. Its capacity is that of a conversion from a string, as for a seed from a file,
// or there is more room, as when go test -fuzz changes a seed in place.
func drawArgument(name string, t reflect.Type) reflect.Value {
	if t.Kind() != reflect.Slice {
		return draw(name, t)
	}
	b := bytesOf(drawLen("len(" + name + ")"))
	small := cap(b)
	room := "cap(" + name + ") > " + strconv.Itoa(small)
	if drawRoom(room) {
		b = append(make([]byte, 0, small+moreRoom), b...)
	}
	noteRoom(room, unsafe.Pointer(unsafe.SliceData(b)), small)
	for i := range b {
		b[i] = byte(drawWord(indexed(name, i), wordKinds[reflect.Uint8]))
	}
	return reflect.ValueOf(b)
}

// moreRoom is how many more bytes an array with more room has.
const moreRoom = 64

// bytesOf returns n bytes, as a conversion from a string does.
func bytesOf(n int) []byte {
	b := make([]byte, n)
	if n == 0 {
		return b
	}
	return append([]byte(nil), b...)
}

// drawInto draws a value for the variable v called name.
func drawInto(name string, v reflect.Value) {
	kind := wordKinds[v.Kind()]
	switch v.Kind() {
	case reflect.Bool, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		setWord(v, drawWord(name, kind))
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
		if partOf(v.Type(), v.Type().Elem(), nil) {
			drawHeap(name, v.Addr().Interface()) // where it ends is for the symbolic heap to say
			return
		}
		n := drawLen("len(" + name + ")")
		noteSlice(v.Addr().Interface())
		if n == 0 && !drawChoice(name+" != nil") {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		drawElements(name, v, n)
	case reflect.Array:
		drawElements(name, v, v.Len())
	case reflect.Struct:
		for i := range v.NumField() {
			// Unexported fields can be set through their address only.
			f := v.Field(i)
			field := v.Type().Field(i).Name
			drawInto(name+"."+field, reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem())
		}
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface:
		drawHeap(name, v.Addr().Interface())
	default:
		unsupportedInput(fmt.Sprintf("input %s is of type %v, which is not supported", name, v.Type()))
	}
}

// partOf reports whether a value of type t has a part of type part, in arrays, slices and structs.
func partOf(part, t reflect.Type, around []reflect.Type) bool {
	for _, of := range around {
		if of == t {
			return false
		}
	}
	around = append(around, t)
	switch {
	case t == part:
		return true
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		return partOf(part, t.Elem(), around)
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if partOf(part, t.Field(i).Type, around) {
				return true
			}
		}
	}
	return false
}

// setWord sets the scalar v to the value with the given bits.
func setWord(v reflect.Value, word uint64) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(word != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(word))
	case reflect.Float32: // as bits: SetFloat would not keep those of every NaN
		*(*uint32)(v.Addr().UnsafePointer()) = uint32(word)
	case reflect.Float64:
		*(*uint64)(v.Addr().UnsafePointer()) = word
	default:
		v.SetUint(word)
	}
}

// drawElements draws the n elements of an array or slice.
func drawElements(name string, v reflect.Value, n int) {
	for i := range n {
		drawInto(indexed(name, i), v.Index(i))
	}
}

func indexed(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]" }
