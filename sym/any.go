package sym

import (
	"fmt"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Any returns an input of any type: a number, a struct, a list, a tree. What a pointer in it
// leads to is an input, too: nothing, a new object, or one that another pointer leads to, so
// that there are shared objects and cycles. Fields are inputs whether they are exported or
// not, mutexes and the like are unlocked, and atomic variables have any value. Maps have any
// entries, channels any elements in their buffers, functions return anything, and the same for the same
// arguments, and interfaces have any type of the program that implements them.
//
//	func TestInsert(t *testing.T) {
//		l := sym.Any[*List]("l")
//		sym.Assume(t, l.valid())
//		...
//	}
//
// A search decides where a pointer leads when the code first uses it. So a predicate that
// returns false as soon as it sees that a structure is not valid, as [Assume] of a method that
// checks the invariants of a structure, rules out at once all structures that begin like it.
//
// With a seed, a structure of plain go test has a few objects of each type. In the list of inputs,
// l=1 means that l points to the first object, whose fields are named &1.next and so on. Plain go
// test makes the objects anew when an input is drawn again that is named as an earlier one.
func Any[T any](name string) T {
	var x T
	draw(name, &x)
	return x
}

// objects are those that have been made in a native run.
var objects struct {
	sync.Mutex
	input  string // the list of inputs that they belong to
	drawn  map[string]bool
	number map[object]reflect.Value // pointers to them
	seeded uint64                   // how many of them are not in the list
}

// An object is one that pointers in the list of inputs lead to.
type object struct {
	number uint64
	typ    reflect.Type
}

// drawNatively draws a value for v from the environment.
func drawNatively(name string, v reflect.Value) {
	objects.Lock()
	defer objects.Unlock()
	begin(name)
	fill(name, v)
}

// begin forgets the objects if the input of that name has been drawn already: it is drawn in
// another run of a test then.
func begin(name string) {
	if input := inputs(); objects.input != input || objects.drawn[name] || objects.drawn == nil {
		objects.input, objects.drawn, objects.number, objects.seeded = input, map[string]bool{}, map[object]reflect.Value{}, 0
	}
	objects.drawn[name] = true
}

// fill sets v to the input of that name.
func fill(name string, v reflect.Value) {
	if fillModel(name, v) || drawBasic(name, v) {
		return
	}
	switch v.Kind() {
	case reflect.Complex64:
		v.SetComplex(complex(float64(Float32("real("+name+")")), float64(Float32("imag("+name+")"))))
	case reflect.Complex128:
		v.SetComplex(complex(Float64("real("+name+")"), Float64("imag("+name+")")))
	case reflect.Slice:
		n := length("len(" + name + ")")
		if n == 0 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		fillElements(name, v)
	case reflect.Array:
		fillElements(name, v)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Name != "_" {
				fill(name+"."+f.Name, accessible(v.Field(i)))
			}
		}
	case reflect.Pointer:
		if to := pointee(reference(name, v.Type().Elem()), v.Type().Elem()); to.IsValid() {
			v.Set(to)
		}
	case reflect.Map, reflect.Chan, reflect.Func:
		if to := referenced(reference(name, referenceType(v.Type())), v.Type()); to.IsValid() {
			v.Set(to)
		}
	case reflect.Interface:
		fillInterface(name, v)
	default:
		panic(fmt.Sprintf("sym: input %s is of type %v, which is not supported", name, v.Type()))
	}
}

// accessible returns v without what says that it is an unexported field.
func accessible(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

func fillElements(name string, v reflect.Value) {
	for i := range v.Len() {
		fill(name+"["+strconv.Itoa(i)+"]", v.Index(i))
	}
}

// fillModel is fill for types of the standard library whose fields are not just any values. It
// returns false if the type of v is none.
func fillModel(name string, v reflect.Value) bool {
	t := v.Type()
	switch pkg := t.PkgPath(); {
	case pkg == "sync":
		return true
	case pkg != "sync/atomic":
		return false
	}
	if t.Name() == "Value" {
		// With a seed it is empty: which types the program stores there is not known.
		if _, ok := seeded(name+".(type)", kindObject); ok {
			return true
		}
		var x any
		fillInterface(name, reflect.ValueOf(&x).Elem())
		if x != nil {
			v.Addr().Interface().(*atomic.Value).Store(x)
		}
	} else {
		set := v.Addr().MethodByName("Store")
		x := reflect.New(set.Type().In(0)).Elem()
		fill(name, x)
		set.Call([]reflect.Value{x})
	}
	return true
}

// pointee returns the pointer of a value in the list of inputs to a t; it is not valid for nil.
func pointee(value uint64, t reflect.Type) reflect.Value {
	const bits = 24
	number, words := value&(1<<bits-1), int(value>>bits)
	if number == 0 {
		return reflect.Value{}
	}
	if words > 0 {
		for o, v := range objects.number {
			if at, ok := offset(o.typ, t, words); ok && o.number == number {
				return reflect.NewAt(t, unsafe.Add(v.UnsafePointer(), at))
			}
		}
		panic(fmt.Sprintf("sym: %s: there is no %v %d words into object %d", inputVariable, t, words, number))
	}
	for o, v := range objects.number {
		if at, ok := offset(o.typ, t, 0); ok && o.number == number {
			return reflect.NewAt(t, unsafe.Add(v.UnsafePointer(), at))
		}
	}
	v := reflect.New(t)
	objects.number[object{number, t}] = v
	fill("&"+strconv.FormatUint(number, 10), v.Elem())
	return v
}

// offset returns the distance in bytes of the part of type t that is so many words from the beginning of a
// value of type in. A number, a pointer and the like is a word; a string and an interface are two, a slice is three.
func offset(in, t reflect.Type, words int) (at uintptr, ok bool) {
	if in == t && words == 0 {
		return 0, true
	}
	switch in.Kind() {
	case reflect.Struct:
		for i := range in.NumField() {
			f := in.Field(i)
			n := wordsOf(f.Type)
			if words < n {
				at, ok = offset(f.Type, t, words)
				return f.Offset + at, ok
			}
			words -= n
		}
	case reflect.Array:
		if n := wordsOf(in.Elem()); n > 0 && words < n*in.Len() {
			at, ok = offset(in.Elem(), t, words%n)
			return uintptr(words/n)*in.Elem().Size() + at, ok
		}
	}
	return 0, false
}

// wordsOf returns of how many words a value of type t consists.
func wordsOf(t reflect.Type) int {
	switch t.Kind() {
	case reflect.Complex64, reflect.Complex128, reflect.String, reflect.Interface:
		return 2
	case reflect.Slice:
		return 3
	case reflect.Array:
		return t.Len() * wordsOf(t.Elem())
	case reflect.Struct:
		n := 0
		for i := range t.NumField() {
			n += wordsOf(t.Field(i).Type)
		}
		return n
	}
	return 1
}
