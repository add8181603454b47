package inputs

import "reflect"

type record struct {
	id   int
	N    int8
	Text string
}

// want: field 42
// want: other
func reflectField() {
	x := input("x")
	r := record{N: int8(x)}
	v := reflect.ValueOf(&r).Elem().Field(1)
	v.SetInt(v.Int() + 2)
	if reflect.ValueOf(r).FieldByName("N").Int() == 42 {
		print("field ", r.N)
	} else {
		print("other")
	}
}

// want: 7
// want: 0
func reflectCall() {
	x := input("x")
	twice := func(n int, more ...int) int { return 2*n + len(more) }
	out := reflect.ValueOf(twice).Call([]reflect.Value{reflect.ValueOf(x), reflect.ValueOf(1)})
	if out[0].Interface().(int) == 15 {
		print(x)
	} else {
		print(0)
	}
}

// want: made
// want: not
func reflectMakeFunc() {
	x := input("x")
	var less func(int, int) bool
	reflect.ValueOf(&less).Elem().Set(reflect.MakeFunc(reflect.TypeOf(less), func(in []reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(in[0].Int() < in[1].Int())}
	}))
	if less(x, 3) && less(1, x) {
		print("made")
	} else {
		print("not")
	}
}

// want: equal
// want: different
func reflectDeepEqual() {
	s := text("s", 2)
	a := map[int][]record{1: {{Text: s}}}
	b := map[int][]record{1: {{Text: "ok"}}}
	if reflect.DeepEqual(a, b) {
		print("equal")
	} else {
		print("different")
	}
}

// want: -1
// want: same
func reflectConvert() {
	x := input("x")
	v := reflect.ValueOf(x).Convert(reflect.TypeFor[int16]())
	if v.Int() == -1 && x > 0 {
		print(v.Int())
	} else {
		print("same")
	}
}

// want: swapped
// want: in order
func reflectSwapper() {
	x := input("x")
	s := []record{{id: x}, {id: 5}}
	if s[1].id < s[0].id {
		reflect.Swapper(s)(0, 1)
	}
	if s[1].id > 100 {
		print("swapped")
	} else {
		print("in order")
	}
}

// want: got 9
// want: nothing
func reflectChannel() {
	x := input("x")
	ch := reflect.MakeChan(reflect.TypeFor[chan record](), 0)
	go func() { ch.Send(reflect.ValueOf(record{id: x})) }()
	v, _ := ch.Recv()
	if v.Field(0).Int() == 9 {
		print("got ", x)
	} else {
		print("nothing")
	}
}
