// What reflect says about types.
package main

import (
	"fmt"
	"io"
	"reflect"
	"sync"
	"unsafe"
)

type T int

func (T) Exported(a int, b ...string) (string, error) { return "", nil }
func (T) unexported()                                 {}
func (*T) OnPointer()                                 {}
func (T) Another() T                                  { return 0 }

type I interface {
	M(int) string
	m()
	A(...int) (int, error)
}

type P[K comparable, V any] struct {
	k K
	V V
}

func (p P[K, V]) Get() (K, V) { return p.k, p.V }

type Base struct {
	ID   int `json:"id,omitempty" xml:"a b"`
	Name string
}

func (b Base) Describe() string { return b.Name }
func (b *Base) Rename(n string) { b.Name = n }

type Derived struct {
	Base
	*T
	io.Reader
	Extra   []byte
	private struct{ x, Y int }
	_       int8
	flag    bool
	last    complex128
}

type recursive struct {
	next *recursive
	all  map[string][]recursive
	f    func(recursive) *recursive
}

type local = map[string]T

func main() {
	var x any
	all := []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[uint8](), reflect.TypeFor[uintptr](), reflect.TypeFor[float32](),
		reflect.TypeFor[complex64](), reflect.TypeFor[string](), reflect.TypeFor[unsafe.Pointer](), reflect.TypeFor[error](),
		reflect.TypeFor[any](), reflect.TypeFor[I](), reflect.TypeFor[T](), reflect.TypeFor[*T](), reflect.TypeFor[**T](),
		reflect.TypeFor[[]T](), reflect.TypeFor[[3]*T](), reflect.TypeFor[map[string][]T](), reflect.TypeFor[chan T](),
		reflect.TypeFor[<-chan T](), reflect.TypeFor[chan<- (<-chan int)](), reflect.TypeFor[func()](),
		reflect.TypeFor[func(int, ...string) (T, error)](), reflect.TypeFor[struct{}](), reflect.TypeFor[struct {
			A int `k:"v"`
			b string
		}](),
		reflect.TypeFor[P[int, string]](), reflect.TypeFor[*P[T, P[string, []T]]](), reflect.TypeFor[Base](), reflect.TypeFor[Derived](),
		reflect.TypeFor[recursive](), reflect.TypeFor[local](), reflect.TypeFor[sync.Mutex](), reflect.TypeFor[interface{ Describe() string }](),
		reflect.TypeFor[[0]int](), reflect.TypeFor[func(func(int) bool)](), reflect.TypeOf(&x).Elem(),
	}
	for i, t := range all {
		fmt.Println(i, t, t.Kind(), t.Name(), t.PkgPath(), t.Comparable(), t.NumMethod())
		if t.PkgPath() != "sync" {
			fmt.Println("  ", t.Size(), t.Align(), t.FieldAlign())
		}
		for m := range t.Methods() {
			fmt.Println("   method", m.Index, m.Name, m.PkgPath, m.Type, m.Func.IsValid(), m.IsExported())
		}
		switch t.Kind() {
		case reflect.Struct:
			if t.PkgPath() == "sync" {
				break
			}
			for f := range t.Fields() {
				fmt.Printf("   field %+v %v\n", f, f.IsExported())
			}
		case reflect.Func:
			for in := range t.Ins() {
				fmt.Println("   in", in)
			}
			for out := range t.Outs() {
				fmt.Println("   out", out)
			}
			fmt.Println("  ", t.IsVariadic(), t.CanSeq(), t.CanSeq2())
		case reflect.Map:
			fmt.Println("  ", t.Key(), t.Elem())
		case reflect.Array:
			fmt.Println("  ", t.Len(), t.Elem())
		case reflect.Chan:
			fmt.Println("  ", t.ChanDir(), t.Elem())
		case reflect.Pointer, reflect.Slice:
			fmt.Println("  ", t.Elem())
		}
		var impl, assign, conv []int
		for j, u := range all {
			if u.Kind() == reflect.Interface && t.Implements(u) {
				impl = append(impl, j)
			}
			if t.AssignableTo(u) {
				assign = append(assign, j)
			}
			if t.ConvertibleTo(u) {
				conv = append(conv, j)
			}
		}
		fmt.Println("  ", impl, assign, conv)
	}
	d := reflect.TypeFor[Derived]()
	for _, name := range []string{"ID", "Name", "Extra", "Y", "private", "T", "Reader", "nope", "_"} {
		f, ok := d.FieldByName(name)
		fmt.Println(name, f.Name, f.Index, f.Type, f.Tag, f.Offset, ok)
	}
	f, ok := d.FieldByNameFunc(func(s string) bool { return len(s) == 2 })
	fmt.Println(f.Name, ok, d.FieldByIndex([]int{0, 1}).Name, f.Tag.Get("json"), f.Tag.Get("xml"), f.Tag.Get("none"))
	for _, f := range reflect.VisibleFields(d) {
		fmt.Println("visible", f.Name, f.Index)
	}
	m, ok := reflect.TypeFor[*Derived]().MethodByName("Rename")
	fmt.Println(m.Name, m.Type, ok)
	_, ok = d.MethodByName("Rename")
	fmt.Println(ok)

	// Types made at run time are the same as those of the source.
	intT, strT := reflect.TypeFor[int](), reflect.TypeFor[string]()
	fmt.Println(reflect.PointerTo(intT) == reflect.TypeFor[*int](), reflect.SliceOf(strT) == reflect.TypeFor[[]string](),
		reflect.ArrayOf(3, intT) == reflect.TypeFor[[3]int](), reflect.MapOf(strT, intT) == reflect.TypeFor[map[string]int](),
		reflect.ChanOf(reflect.RecvDir, intT) == reflect.TypeFor[<-chan int](),
		reflect.FuncOf([]reflect.Type{intT, reflect.SliceOf(strT)}, []reflect.Type{strT}, true) == reflect.TypeFor[func(int, ...string) string]())
	st := reflect.StructOf([]reflect.StructField{{Name: "A", Type: intT, Tag: `json:"a"`}, {Name: "B", Type: strT}})
	fmt.Println(st, st == reflect.TypeFor[struct {
		A int `json:"a"`
		B string
	}](), st.NumField(), st.Size())
	v := reflect.New(st).Elem()
	v.Field(0).SetInt(7)
	v.Field(1).SetString("seven")
	fmt.Printf("%+v %T\n", v.Interface(), v.Interface())
	seen := map[reflect.Type]int{}
	for i, t := range all {
		seen[t] += i
	}
	fmt.Println(len(seen), seen[intT], seen[reflect.TypeFor[map[string]T]()])
	fmt.Println(reflect.TypeOf(nil) == nil, reflect.Kind(40), reflect.ChanDir(0), reflect.Kind(0))
	fmt.Println(intT.OverflowInt(1<<40), reflect.TypeFor[int8]().OverflowInt(128), reflect.TypeFor[uint16]().OverflowUint(65535), reflect.TypeFor[float32]().OverflowFloat(1e300), intT.Bits())
}
