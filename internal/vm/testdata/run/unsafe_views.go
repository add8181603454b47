package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync/atomic"
	"unsafe"
)

// Memory that package unsafe accesses as another type than the one of its variable.

func main() {
	atomicPart()
	wordBytes()
	bytesWord()
	unaligned()
	stringHeaderOverBytes()
	sliceHeader()
	stringBytesUnsafe()
	floatBits()
	fieldsByOffset()
	arrayOther()
	int32Of64()
	efaceType()
	firstField()
	atomicPointer()
	uintptrRound()
	complexes()
	structBytes()
	sameLayout()
	stringsWords()
	pointerParts()
	bools()
	isLittle()
	overAndOver()
	convertedTwice()
	pointersInMemory()
	headers()
	appended()
	interfaces()
	reflected()
	atomicPointers()
}

var number int

func show(x any) {
	number++
	fmt.Println(number, x)
}

func atomicPart() {
	b := make([]byte, 16)
	b[4], b[5] = 1, 2
	show(atomic.LoadUint32((*uint32)(unsafe.Pointer(&b[4]))))
	atomic.StoreUint32((*uint32)(unsafe.Pointer(&b[8])), 0x01020304)
	show(b)
	show(atomic.AddUint32((*uint32)(unsafe.Pointer(&b[8])), 0x100))
	show(atomic.CompareAndSwapUint64((*uint64)(unsafe.Pointer(&b[0])), 513<<32, 7))
	show(b[0])
}

func wordBytes() {
	x := uint64(0x0102030405060708)
	b := (*[8]byte)(unsafe.Pointer(&x))
	show(*b)
	b[0] = 0xff
	b[7] = 0x80
	show(x)
	show(b[3])
}

func bytesWord() {
	b := [8]byte{1, 2, 3, 4, 5, 6, 7, 8}
	show(*(*uint64)(unsafe.Pointer(&b)))
	*(*uint64)(unsafe.Pointer(&b)) = 0x1122334455667788
	show(b)
	*(*int16)(unsafe.Pointer(&b[3])) = -2
	show(b)
	show(*(*int32)(unsafe.Pointer(&b[1])))
}

func unaligned() {
	b := make([]byte, 20)
	for i := range b {
		b[i] = byte(i)
	}
	show(*(*uint64)(unsafe.Pointer(&b[3])))
	*(*uint64)(unsafe.Pointer(&b[5])) = 0
	show(b)
}

func stringHeaderOverBytes() {
	b := []byte("hello")
	s := *(*string)(unsafe.Pointer(&b))
	show(s)
	h := (*reflect.StringHeader)(unsafe.Pointer(&s))
	show(h.Len)
	h.Len = 3
	show(s)
}

func sliceHeader() {
	s := "hello"
	var b []byte
	sh := (*reflect.StringHeader)(unsafe.Pointer(&s))
	bh := (*reflect.SliceHeader)(unsafe.Pointer(&b))
	bh.Data = sh.Data
	bh.Len = sh.Len
	bh.Cap = sh.Len
	show(string(b))
	show(cap(b))
}

func stringBytesUnsafe() {
	s := "hello"
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	show(b)
	c := []byte{65, 66}
	show(unsafe.String(unsafe.SliceData(c), 2))
	x := struct {
		string
		Cap int
	}{s, len(s)}
	show(string(*(*[]byte)(unsafe.Pointer(&x))))
}

func floatBits() {
	f := 1.5
	show(*(*uint64)(unsafe.Pointer(&f)))
	u := math.Float64bits(2.25)
	show(*(*float64)(unsafe.Pointer(&u)))
	g := float32(1.5)
	show(*(*uint32)(unsafe.Pointer(&g)))
	*(*uint32)(unsafe.Pointer(&g)) = math.Float32bits(3)
	show(g)
	show(*(*uint32)(unsafe.Pointer(&f)))
	show(*(*uint32)(unsafe.Add(unsafe.Pointer(&f), 4)))
}

type S struct {
	A int8
	B int32
	C uint16
	D [3]int64
	E string
	F *int
	G []int32
}

func fieldsByOffset() {
	n := 3
	s := S{1, 2, 3, [3]int64{4, 5, 6}, "e", &n, []int32{7, 8}}
	p := unsafe.Pointer(&s)
	show(*(*int32)(unsafe.Add(p, unsafe.Offsetof(s.B))))
	show(*(*uint16)(unsafe.Pointer(uintptr(p) + unsafe.Offsetof(s.C))))
	show(*(*int64)(unsafe.Pointer(uintptr(p) + unsafe.Offsetof(s.D) + 8)))
	show(*(*string)(unsafe.Add(p, unsafe.Offsetof(s.E))))
	show(**(**int)(unsafe.Add(p, unsafe.Offsetof(s.F))))
	show((*(*[]int32)(unsafe.Add(p, unsafe.Offsetof(s.G))))[1])
	*(*int32)(unsafe.Add(p, unsafe.Offsetof(s.B))) = 20
	show(s.B)
	b := unsafe.Slice((*byte)(p), 16)
	show(b)
	b[4] = 0xff
	b[7] = 0xff
	show(s.B)
}

func arrayOther() {
	a := [4]uint32{1, 2, 3, 4}
	b := (*[2]uint64)(unsafe.Pointer(&a))
	show(b[1])
	b[0] = 0xaaaaaaaabbbbbbbb
	show(a)
	c := unsafe.Slice((*byte)(unsafe.Pointer(&a[0])), 16)
	show(c[8:])
	copy(c[8:], []byte{9, 9, 9, 9})
	show(a[2])
	d := unsafe.Slice((*uint16)(unsafe.Pointer(&a[0])), 8)
	sum := 0
	for _, x := range d {
		sum += int(x)
	}
	show(sum)
	show(len(string(c)))
	show(string(c[12:]))
	clear(c[12:14])
	show(a[3])
	e := append(c[:0:0], c...)
	show(e[8])
}

func int32Of64() {
	x := int64(-1) << 33
	p := (*[2]int32)(unsafe.Pointer(&x))
	show(p[1])
	p[0] = -5
	show(x)
	show(*(*int32)(unsafe.Pointer(&x)))
	show(*(*bool)(unsafe.Pointer(&[]byte{1}[0])))
}

type eface struct{ typ, data unsafe.Pointer }

func efaceType() {
	var i, j any = 1, 2
	show((*eface)(unsafe.Pointer(&i)).typ == (*eface)(unsafe.Pointer(&j)).typ)
}

func firstField() {
	s := &S{A: 3, B: 9}
	show(*(*int8)(unsafe.Pointer(s)))
	type T struct{ S S }
	u := (*T)(unsafe.Pointer(s))
	show(u.S.B)
}

type My int

func atomicPointer() {
	x, y := 1, 2
	var p unsafe.Pointer
	atomic.StorePointer(&p, unsafe.Pointer(&x))
	show(*(*int)(atomic.LoadPointer(&p)))
	show(atomic.CompareAndSwapPointer(&p, unsafe.Pointer(&x), unsafe.Pointer(&y)))
	q := &x
	atomic.StorePointer((*unsafe.Pointer)(unsafe.Pointer(&q)), unsafe.Pointer(&y))
	show(*q)
	pp := &x
	show(atomic.LoadUintptr((*uintptr)(unsafe.Pointer(&pp))) == uintptr(unsafe.Pointer(&x)))
}

func uintptrRound() {
	a := [5]int32{1, 2, 3, 4, 5}
	u := uintptr(unsafe.Pointer(&a[0]))
	show(*(*int32)(unsafe.Pointer(u + 8)))
	u += 3
	show(*(*byte)(unsafe.Pointer(u + 1)))
	show(*(*uint32)(unsafe.Pointer(uintptr(unsafe.Pointer(&a[0])) + 2)))
}

func complexes() {
	c := complex(1, 2)
	show((*[2]float64)(unsafe.Pointer(&c))[1])
	d := complex64(complex(3, 4))
	show(*(*uint64)(unsafe.Pointer(&d)))
}

func structBytes() {
	type P struct {
		X uint8
		Y uint16
		Z uint32
		W uint64
	}
	p := P{1, 2, 3, 4}
	b := *(*[unsafe.Sizeof(P{})]byte)(unsafe.Pointer(&p))
	show(b[0:1])
	show(b[2:])
	q := *(*P)(unsafe.Pointer(&b[0]))
	show(q)
	r := (*P)(unsafe.Pointer(&[]byte{9, 0, 8, 0, 7, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0}[0]))
	show(*r)
	r.Z = 1 << 31
	show(r.Z)
	type Q struct {
		A uint64
		B uint64
	}
	*(*Q)(unsafe.Pointer(&p)) = Q{0x0000000500060007, 1}
	show(p)
	pq := (*Q)(unsafe.Pointer(r))
	*pq = Q{A: 1}
	show(*r)
}

func sameLayout() {
	type A struct {
		x int
		s string
	}
	type B struct {
		y int
		t string
	}
	a := A{1, "x"}
	b := *(*B)(unsafe.Pointer(&a))
	show(b.t)
	m := map[string]int{"a": 1}
	show((*(*map[string]My)(unsafe.Pointer(&m)))["a"])
	f := func(x int) int { return x + 1 }
	show((*(*func(int) int)(unsafe.Pointer(&f)))(2))
}

func stringsWords() {
	s := "abcdefghij"
	p := unsafe.Pointer(unsafe.StringData(s))
	show(*(*uint64)(p))
	show(*(*uint16)(unsafe.Add(p, 8)))
}

func pointerParts() {
	x := 5
	p := &x
	b := (*[8]byte)(unsafe.Pointer(&p))
	u := uint64(0)
	for i := range b {
		u |= uint64(b[i]) << (8 * i)
	}
	show(u == uint64(uintptr(unsafe.Pointer(p))))
}

func bools() {
	b := true
	show(*(*uint8)(unsafe.Pointer(&b)))
	*(*uint8)(unsafe.Pointer(&b)) = 0
	show(b)
	x := uint8(1)
	show(*(*bool)(unsafe.Pointer(&x)))
	show(int(*(*byte)(unsafe.Pointer(&b))))
}

func isLittle() {
	var i int32 = 0x01020304
	show(*(*byte)(unsafe.Pointer(&i)))
	x := uint16(0xabcd)
	show(*(*[2]byte)(unsafe.Pointer(&x)))
	show(binary.NativeEndian.Uint16([]byte{1, 2}))
}

// overAndOver reads and writes random parts of a variable, in random widths, as words and as the
// bytes of which they consist.
func overAndOver() {
	type mixed struct {
		a uint8
		b int16
		c uint32
		d float64
		e [3]int8
		f [2]uint16
		g float32
		h int64
	}
	var m mixed
	const size = unsafe.Sizeof(m)
	p := unsafe.Pointer(&m)
	begin := map[uintptr]uintptr{ // and end, without what is between the fields
		0: 1, 2: 4, 4: 16, 16: 19, 20: 28, 32: 40,
	}
	inside := func(at, n uintptr) bool {
		for from, to := range begin {
			if from <= at && at+n <= to {
				return true
			}
		}
		return false
	}
	x := uint64(1)
	for range 400 {
		x = x*6364136223846793005 + 1442695040888963407
		at, value := uintptr(x>>33)%size, x>>7
		switch x >> 60 & 7 {
		case 0:
			if inside(at, 1) {
				*(*byte)(unsafe.Add(p, at)) = byte(value)
			}
		case 1:
			if inside(at, 2) {
				*(*int16)(unsafe.Add(p, at)) = int16(value)
			}
		case 2:
			if inside(at, 4) {
				*(*uint32)(unsafe.Pointer(uintptr(p) + at)) = uint32(value)
			}
		case 3:
			if inside(at, 8) {
				*(*int64)(unsafe.Add(p, at)) = int64(value)
			}
		case 4:
			if inside(at, 3) {
				b := unsafe.Slice((*byte)(unsafe.Add(p, at)), 3)
				fmt.Print(b, " ")
				copy(b[1:], b[:2])
			}
		case 5:
			if inside(at, 8) {
				fmt.Print(*(*[2]int32)(unsafe.Add(p, at)), " ")
			}
		case 6:
			if inside(at, 4) {
				fmt.Print(math.Float32bits(*(*float32)(unsafe.Add(p, at))), " ")
			}
		case 7:
			fmt.Print(m.a, m.b, m.c, math.Float64bits(m.d), m.e, m.f, math.Float32bits(m.g), m.h, " ")
		}
	}
	fmt.Println(m.h)
}

// A pointer to a part of a variable remains one when it is converted to other types.
func convertedTwice() {
	b := []uint64{1, 2 << 40}
	p := (*uint32)(unsafe.Pointer(&b[1]))
	u := uintptr(unsafe.Pointer(p))
	*p = 0x01020304
	show(*p)
	show(u != 0)
	show(b)
	c := make([]byte, 8)
	q := (*uint32)(unsafe.Pointer(&c[4]))
	first := unsafe.Pointer(q)
	*q = 7
	show(*(*byte)(first))
}

// Pointers are converted as well where they are in memory that is converted.
func pointersInMemory() {
	x := uint32(0x01020304)
	u, n, q := unsafe.Pointer(&x), uintptr(unsafe.Pointer(&x)), &x
	show((*(**[4]byte)(unsafe.Pointer(&u)))[1])
	show((*(**[4]byte)(unsafe.Pointer(&n)))[1])
	show((*(**[4]byte)(unsafe.Pointer(&q)))[1])
	var p *[4]byte
	*(*unsafe.Pointer)(unsafe.Pointer(&p)) = unsafe.Pointer(&x)
	show(*p)
	var r *[2]uint16
	*(*uintptr)(unsafe.Pointer(&r)) = uintptr(unsafe.Pointer(&x))
	show(*r)
	a := struct{ p *uint32 }{(*uint32)(unsafe.Pointer(&[]byte{1, 2, 3, 4, 5}[1]))}
	show(**(**[3]byte)(unsafe.Pointer(&a)))
	var i any = &S{B: 5}
	show((*S)((*eface)(unsafe.Pointer(&i)).data).B)
	m := map[int]int{1: 2}
	mp := *(*unsafe.Pointer)(unsafe.Pointer(&m))
	show((*(*map[int]int)(unsafe.Pointer(&mp)))[1])
}

func headers() {
	w := []uint32{0x64636261, 0x68676665}
	type header struct {
		p    unsafe.Pointer
		n, c int
	}
	h := header{unsafe.Pointer(&w[0]), 8, 8}
	s := *(*[]byte)(unsafe.Pointer(&h))
	show(s)
	n := [3]uintptr{uintptr(unsafe.Pointer(&w[0])), 4, 4}
	show((*(*[]uint16)(unsafe.Pointer(&n)))[1:][2])
	var b []byte
	(*header)(unsafe.Pointer(&b)).p = unsafe.Pointer(&w[1])
	(*header)(unsafe.Pointer(&b)).n = 3
	(*header)(unsafe.Pointer(&b)).c = 3
	show(b)
	show((*(*[]byte)(unsafe.Pointer(&w)))[:2])
}

func atomicPointers() {
	x, y := uint32(0x01020304), uint32(5)
	var p *[4]byte
	at := (*unsafe.Pointer)(unsafe.Pointer(&p))
	atomic.StorePointer(at, unsafe.Pointer(&x))
	show(*p)
	show(atomic.CompareAndSwapPointer(at, unsafe.Pointer(&x), unsafe.Pointer(&y)))
	show(*p)
	show(*(*uint32)(atomic.SwapPointer(at, unsafe.Pointer(&x))))
	show(*(*uint32)(atomic.LoadPointer(at)))
	show(atomic.CompareAndSwapPointer(at, unsafe.Pointer(&y), nil))
}

// appended has slices in memory of another type, to which elements are appended: in their place, while there is room.
func appended() {
	memory := make([]byte, 64)
	words := unsafe.Slice((*uint64)(unsafe.Pointer(&memory[8])), 4)
	list := append(words[:0], 1, 0x0203)
	fmt.Println(memory[8:24], len(list), cap(list), &list[0] == &words[0])
	list = append(list, words[:2]...)
	fmt.Println(slices.Clone(list), slices.Clone(words))
	same := append(list[:1], list[:0]...)
	same[0] = 77
	fmt.Println(slices.Clone(list), same[0], memory[8])
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 32)
	bytes = append(bytes[:2], "text"...)
	fmt.Printf("%q %v\n", bytes, slices.Clone(words))
	list = append(list, 5, 6)
	list[0] = 9
	fmt.Println(slices.Clone(list), slices.Clone(words))
	pair := struct{ a, b uint32 }{1, 2}
	halves := append(unsafe.Slice((*uint16)(unsafe.Pointer(&pair)), 4)[:1], []uint16{3, 4}...)
	fmt.Println(slices.Clone(halves), pair)
	overlapping := append(words[:1], words[0:3]...)
	fmt.Println(slices.Clone(overlapping), slices.Clone(words))
}

// interfaces takes interface values apart into type and data, and puts them together again.
func interfaces() {
	type header struct{ typ, data unsafe.Pointer }
	type pair struct{ a, b int }
	n := 5
	f := func() int { return 3 }
	values := []any{"text", &n, []byte{1}, [3]int{1, 2, 3}, pair{1, 2}, nil, map[int]int{1: 2}, f, fmt.Errorf("error")}
	for _, v := range values {
		h := *(*header)(unsafe.Pointer(&v))
		var x any
		*(*header)(unsafe.Pointer(&x)) = h
		same := *(*header)(unsafe.Pointer(&x)) == h
		switch x := x.(type) {
		case func() int:
			fmt.Println(x(), same)
		case *int:
			fmt.Println(*x, x == &n, same)
		default:
			fmt.Printf("%v %T %v\n", x, x, same)
		}
	}
	p := pair{3, 4}
	var x, y any = pair{}, error(nil)
	(*header)(unsafe.Pointer(&x)).data = unsafe.Pointer(&p)
	p.a = 7 // which x shares
	z := x
	(*pair)((*header)(unsafe.Pointer(&z)).data).b = 4
	fmt.Println(x == z, (*header)(unsafe.Pointer(&x)).data == (*header)(unsafe.Pointer(&z)).data)
	fmt.Println(x, y == nil, x == any(pair{7, 4}))
	(*header)(unsafe.Pointer(&x)).typ = (*(*header)(unsafe.Pointer(&values[4]))).typ
	var err error
	e := fmt.Errorf("other")
	*(*header)(unsafe.Pointer(&err)) = *(*header)(unsafe.Pointer(&e))
	fmt.Println(err)
}

// reflected has memory of another type that package reflect looks at.
func reflected() {
	type pair struct{ a, b uint32 }
	memory := make([]byte, 64)
	words := unsafe.Slice((*uint64)(unsafe.Pointer(&memory[8])), 4)
	words[0], words[3] = 5, 6
	fmt.Println(words, unsafe.Slice((*pair)(unsafe.Pointer(&memory[8])), 4))
	reflect.ValueOf(words).Index(1).SetUint(0x0102)
	reflect.Swapper(words)(0, 3)
	fmt.Println(memory[8:24], *(*pair)(unsafe.Pointer(&words[1])), reflect.DeepEqual(words, []uint64{6, 0x0102, 0, 5}))
}
