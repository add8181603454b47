package sym

import (
	"os"
	"reflect"
	"strconv"
	"strings"
	"unsafe"
)

// Open makes the pointers of a structure inputs that the test has built: those in what x points to,
// and in what these lead to.
//
//	l := &List{}
//	for i := range 3 {
//		l.Insert(i)
//	}
//	sym.Open("l", l)
//	sym.Assume(t, l.valid())
//
// Each of them leads to nothing, to any object of the structure that has its type, or to a new one,
// whose fields are inputs as those of [Any]. Numbers, strings and all else that the test has put
// into the structure stay: they can be inputs, too, if the test draws them. Pointers are found in
// structs, arrays and slices, and as atomic.Pointer; not in maps, channels, functions and
// interfaces. A pointer to a part of a variable or to a package variable stays as it is.
//
// The objects have numbers from that of the input name on, in the order of a breadth-first search,
// and their pointers are inputs whose names are such as &1.next. In plain go test, a pointer that
// the list of inputs does not name stays as the test has made it. With a seed, half of them lead to
// nil or to an object of the structure. Open panics if x is nil.
func Open[T any](name string, x *T) {
	if x == nil {
		panic("sym: Open of a nil pointer: " + name)
	}
	open(name, x)
}

// An opening is the search for the pointers of a structure.
type opening struct {
	queue    []reflect.Value // pointers to its objects
	numbers  map[unsafe.Pointer]uint64
	next     uint64
	pointers []link
	seen     map[unsafe.Pointer]bool // the pointers
}

// A link is a pointer of a structure.
type link struct {
	name string
	at   reflect.Value
}

// openNatively sets the pointers of a structure to what the environment has for them.
func openNatively(name string, x reflect.Value) {
	first, listed := listedInput(name)
	random := !listed && os.Getenv(seedVariable) != ""
	if !listed && !random {
		return
	}
	objects.Lock()
	defer objects.Unlock()
	begin(name)
	if random {
		first = 1
	}
	o := &opening{next: first, numbers: map[unsafe.Pointer]uint64{}, seen: map[unsafe.Pointer]bool{}}
	o.find(x)
	for len(o.queue) > 0 {
		v := o.queue[0]
		o.queue = o.queue[1:]
		o.visit("&"+strconv.FormatUint(o.numbers[v.UnsafePointer()], 10), v.Elem(), random)
	}
	for _, l := range o.pointers {
		value, ok := listedInput(l.name)
		if random {
			value, ok = o.random(name+" "+l.name, l.at.Type())
		}
		if !ok {
			continue
		}
		to := pointee(value, l.at.Type().Elem())
		if !to.IsValid() {
			to = reflect.Zero(l.at.Type())
		}
		l.at.Set(to)
	}
}

// random returns a random value of a pointer of type t: nil, or one to an object of the structure.
// It returns false for half of the pointers, which stay as they are.
func (o *opening) random(name string, t reflect.Type) (value uint64, ok bool) {
	choice, _ := seeded(name, kindUint64)
	choice >>= 8
	of := []uint64{0}
	for n := uint64(1); n < o.next; n++ {
		if objects.number[object{n, t.Elem()}].IsValid() {
			of = append(of, n)
		}
	}
	return of[choice>>1%uint64(len(of))], choice&1 == 0
}

// find gives the object to which p points its number, if it has none.
func (o *opening) find(p reflect.Value) {
	at := p.UnsafePointer()
	p = reflect.NewAt(p.Type().Elem(), at) // the variable in which p is changes
	if o.numbers[at] == 0 {
		o.numbers[at] = o.next
		objects.number[object{o.next, p.Type().Elem()}] = p
		o.next++
		o.queue = append(o.queue, p)
	}
}

// visit finds the pointers in v that are inputs: those that are in the list, or all.
func (o *opening) visit(name string, v reflect.Value, all bool) {
	switch t := v.Type(); {
	case t.PkgPath() == "sync/atomic" && strings.HasPrefix(t.Name(), "Pointer["):
		pointer := t.Field(0).Type.Elem() // the first field is an array of no pointers of its type
		o.visit(name, reflect.NewAt(pointer, v.FieldByName("v").Addr().UnsafePointer()).Elem(), all)
		return
	case t.PkgPath() == "sync" || t.PkgPath() == "sync/atomic":
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if _, ok := listedInput(name); !ok && !all || v.Type().Elem().Size() == 0 || o.seen[v.Addr().UnsafePointer()] {
			return
		}
		o.seen[v.Addr().UnsafePointer()] = true
		o.pointers = append(o.pointers, link{name, v})
		if !v.IsNil() {
			o.find(v)
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			o.visit(name+"["+strconv.Itoa(i)+"]", v.Index(i), all)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Name != "_" {
				o.visit(name+"."+f.Name, accessible(v.Field(i)), all)
			}
		}
	}
}
