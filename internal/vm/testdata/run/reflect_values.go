// Reading, changing and making values.
package main

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

type inner struct {
	A int8
	B [2]string
}

type outer struct {
	I   int
	U   uint16
	F   float32
	C   complex64
	S   string
	Bs  []byte
	M   map[string]inner
	P   *inner
	In  inner
	E   any
	Ch  chan int
	Fn  func(int) int
	Up  unsafe.Pointer
	By  [3]byte
	no  int
	Arr [2]inner
}

type celsius float64
type word string
type words []word

func try(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Printf("%s: %v (%T)\n", name, r, r)
		}
	}()
	f()
}

func main() {
	o := outer{I: 1, S: "s", P: &inner{A: 5}, M: map[string]inner{"x": {A: 1}}, no: 9}
	v := reflect.ValueOf(&o).Elem()
	v.Field(0).SetInt(42)
	v.FieldByName("U").SetUint(70000)
	v.FieldByName("F").SetFloat(1.25)
	v.FieldByName("C").SetComplex(1 + 2i)
	v.FieldByName("S").SetString("text")
	v.FieldByName("Bs").SetBytes([]byte("hello"))
	v.FieldByName("P").Elem().Field(0).SetInt(-7)
	v.FieldByName("In").FieldByName("B").Index(1).SetString("deep")
	v.FieldByName("E").Set(reflect.ValueOf(inner{A: 3}))
	v.FieldByName("M").SetMapIndex(reflect.ValueOf("y"), reflect.ValueOf(inner{A: 2}))
	v.FieldByName("M").SetMapIndex(reflect.ValueOf("x"), reflect.Value{})
	v.FieldByName("By").Index(1).SetUint(200)
	v.FieldByName("Arr").Index(0).Set(v.FieldByName("In"))
	v.FieldByName("Fn").Set(reflect.ValueOf(func(i int) int { return i * 2 }))
	v.FieldByName("Ch").Set(reflect.MakeChan(reflect.TypeFor[chan int](), 2))
	fmt.Println(o.I, o.U, o.F, o.C, o.S, string(o.Bs), *o.P, o.In, o.E, o.M, o.By, o.Arr, o.Fn(21), cap(o.Ch), o.no)
	copied := v.Interface().(outer)
	o.I, o.By[1] = 0, 0
	fmt.Println(copied.I, copied.By, v.Field(0).Int(), v.FieldByName("By").Bytes())
	for f, x := range v.Fields() {
		fmt.Println(f.Name, x.Kind(), x.CanSet(), x.CanAddr(), x.CanInterface(), x.IsZero())
	}

	var i any = o.In
	e := reflect.ValueOf(&i).Elem()
	fmt.Println(e.Kind(), e.Elem().Kind(), e.Elem().Field(1).Index(1), e.Elem().CanSet(), e.CanSet())
	e.Set(reflect.ValueOf(5))
	fmt.Println(i, e.Elem().Int(), reflect.Zero(reflect.TypeFor[error]()).IsNil())
	e.SetZero()
	fmt.Println(i == nil, e.IsNil(), e.Elem().IsValid())

	// Slices.
	s := []int{1, 2, 3}
	sv := reflect.ValueOf(&s).Elem()
	sv.Set(reflect.Append(sv, reflect.ValueOf(4), reflect.ValueOf(5)))
	sv.Index(0).SetInt(100)
	fmt.Println(s, sv.Len(), sv.Slice(1, 3), sv.Slice3(1, 2, 4).Cap(), sv.Cap() >= 5)
	sv.SetLen(2)
	sv.Grow(10)
	fmt.Println(s, sv.Cap() >= 12)
	fmt.Println(reflect.AppendSlice(sv, reflect.ValueOf([]int{7, 8})), reflect.Copy(sv, reflect.ValueOf([]int{9})), s)
	ms := reflect.MakeSlice(reflect.TypeFor[[]inner](), 2, 3)
	ms.Index(1).Field(0).SetInt(6)
	fmt.Println(ms.Interface(), ms.Cap())
	ms.Clear()
	fmt.Println(ms)
	arr := [4]byte{1, 2, 3, 4}
	av := reflect.ValueOf(&arr).Elem()
	fmt.Println(av.Slice(1, 3).Bytes(), reflect.Copy(av, reflect.ValueOf("zy")), arr, av.Len())
	str := reflect.ValueOf("hello")
	fmt.Println(str.Index(1).Uint(), str.Slice(1, 3), str.Len(), str)

	// Maps.
	m := map[string]int{"a": 1, "b": 2, "c": 3}
	mv := reflect.ValueOf(m)
	sum, keys := 0, []string{}
	for it := mv.MapRange(); it.Next(); {
		sum += int(it.Value().Int())
		keys = append(keys, it.Key().String())
	}
	fmt.Println(sum, len(keys), mv.MapIndex(reflect.ValueOf("b")), mv.MapIndex(reflect.ValueOf("z")).IsValid(), len(mv.MapKeys()), mv.Len())
	mv.Clear()
	fmt.Println(len(m), reflect.MakeMapWithSize(reflect.TypeFor[map[any]bool](), 4).Len())
	mk := reflect.MakeMap(reflect.TypeFor[map[any][]int]())
	mk.SetMapIndex(reflect.ValueOf(1), reflect.ValueOf([]int{1}))
	mk.SetMapIndex(reflect.ValueOf(-1), reflect.ValueOf([]int{2}))
	fmt.Println(mk.Interface())

	// Conversions.
	for _, c := range []struct {
		v any
		t reflect.Type
	}{
		{300, reflect.TypeFor[uint8]()}, {int8(-1), reflect.TypeFor[uint32]()}, {2.9, reflect.TypeFor[int]()}, {uint64(1 << 63), reflect.TypeFor[float64]()},
		{65, reflect.TypeFor[string]()}, {"hé", reflect.TypeFor[[]byte]()}, {"hé", reflect.TypeFor[[]rune]()}, {[]byte("x"), reflect.TypeFor[word]()},
		{36.6, reflect.TypeFor[celsius]()}, {celsius(1), reflect.TypeFor[float32]()}, {[]int{1, 2, 3}, reflect.TypeFor[[2]int]()},
		{[]word{"q"}, reflect.TypeFor[words]()}, {3 + 4i, reflect.TypeFor[complex64]()}, {word("w"), reflect.TypeFor[any]()},
		{&o, reflect.TypeFor[any]()}, {strings.NewReader("r"), reflect.TypeFor[fmt.Stringer]()}, {[]int{1}, reflect.TypeFor[[2]int]()},
		{"x", reflect.TypeFor[int]()}, {make(chan int), reflect.TypeFor[<-chan int]()}, {1 << 40, reflect.TypeFor[string]()},
	} {
		try("convert", func() {
			r := reflect.ValueOf(c.v)
			can := r.CanConvert(c.t)
			out := r.Convert(c.t)
			if out.Kind() == reflect.Chan || out.Kind() == reflect.Interface {
				fmt.Println(can, out.Type())
				return
			}
			fmt.Printf("%v %v %T\n", can, out, out.Interface())
		})
	}
	pa := reflect.ValueOf([]int{1, 2}).Convert(reflect.TypeFor[*[2]int]())
	pa.Elem().Index(0).SetInt(8)
	fmt.Println(pa.Elem())

	// Panics.
	try("zero", func() { reflect.Value{}.Int() })
	try("zeroType", func() { reflect.Value{}.Type() })
	try("kind", func() { reflect.ValueOf("x").Int() })
	try("len", func() { reflect.ValueOf(1).Len() })
	try("set", func() { reflect.ValueOf(1).SetInt(2) })
	try("unexported", func() { v.FieldByName("no").SetInt(1) })
	try("interface", func() { v.FieldByName("no").Interface() })
	try("assign", func() { v.Field(0).Set(reflect.ValueOf("x")) })
	try("index", func() { sv.Index(99) })
	try("field", func() { v.Field(99) })
	try("nil", func() { reflect.ValueOf(1).IsNil() })
	try("elem", func() { reflect.ValueOf(1).Elem() })
	try("typeelem", func() { reflect.TypeOf(1).Elem() })
	try("nilmap", func() {
		reflect.ValueOf(map[string]int(nil)).SetMapIndex(reflect.ValueOf("a"), reflect.ValueOf(1))
	})
	try("mapkey", func() { reflect.ValueOf(m).MapIndex(reflect.ValueOf(1)) })
	try("numin", func() { reflect.TypeOf(1).NumIn() })
	try("in", func() { reflect.TypeOf(func() {}).In(2) })
	try("slice", func() { sv.Slice(3, 1) })
	try("array", func() { reflect.ValueOf([2]int{}).Slice(0, 1) })
	try("mapof", func() { reflect.MapOf(reflect.TypeFor[[]int](), reflect.TypeFor[int]()) })
	try("iter", func() { reflect.ValueOf(m).MapRange().Key() })
	try("makeslice", func() { reflect.MakeSlice(reflect.TypeFor[[]int](), 3, 1) })
	try("addr", func() { reflect.ValueOf(1).Addr() })
	try("bytes", func() { reflect.ValueOf([]int{1}).Bytes() })
	try("nilptr", func() { reflect.ValueOf((*outer)(nil)).Elem().Field(0) })
	try("unhashable", func() {
		reflect.ValueOf(map[any]int{}).SetMapIndex(reflect.ValueOf([]int{1}), reflect.ValueOf(1))
	})

	// Pointers.
	x := 3
	px := reflect.ValueOf(&x)
	fmt.Println(px.Pointer() == reflect.ValueOf(&x).Pointer(), px.UnsafePointer() == unsafe.Pointer(&x), px.Elem().Addr().Interface() == any(&x), px.Elem().UnsafeAddr() == px.Pointer())
	np := reflect.New(reflect.TypeFor[inner]())
	np.Elem().Field(0).SetInt(1)
	fmt.Println(np.Elem().Interface(), reflect.Indirect(np).Field(0).Int(), reflect.NewAt(reflect.TypeFor[int](), unsafe.Pointer(&x)).Elem().Int())
	if t, ok := reflect.TypeAssert[int](px.Elem()); ok {
		fmt.Println("asserted", t)
	}
	_, ok := reflect.TypeAssert[fmt.Stringer](px.Elem())
	fmt.Println(ok, reflect.ValueOf(1).Equal(reflect.ValueOf(1)), reflect.ValueOf(o.In).Equal(reflect.ValueOf(inner{})), reflect.ValueOf(o.In).Comparable(), reflect.ValueOf(o).Comparable())
	for v := range reflect.ValueOf(3).Seq() {
		fmt.Print(v, " ")
	}
	for i, v := range reflect.ValueOf([]string{"p", "q"}).Seq2() {
		fmt.Print(i, v, " ")
	}
	for v := range reflect.ValueOf(func(yield func(int) bool) { _ = yield(10) && yield(20) }).Seq() {
		fmt.Print(v, " ")
	}
	fmt.Println()
	for _, x := range []any{0, 1, "", "a", 0.0, nilError(), struct{ A, B int }{}, struct{ A, B int }{0, 1}, [2]string{}, []int(nil), []int{}, (*int)(nil)} {
		if rv := reflect.ValueOf(x); rv.IsValid() {
			fmt.Print(rv.IsZero(), " ")
		}
	}
	fmt.Println()
}

func nilError() error { return nil }
