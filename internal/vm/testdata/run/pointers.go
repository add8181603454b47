package main

import (
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"unsafe"
)

type inner struct {
	flag bool
	name string
	next *inner
}

type outer struct {
	small int16
	in    [2]inner
	list  []int
	any   any
	c     complex64
	last  uint8
}

// distances prints where the parts of a variable are from its start.
func distances() {
	var o outer
	start := uintptr(unsafe.Pointer(&o))
	for _, p := range []unsafe.Pointer{
		unsafe.Pointer(&o.small), unsafe.Pointer(&o.in), unsafe.Pointer(&o.in[0].name), unsafe.Pointer(&o.in[1]),
		unsafe.Pointer(&o.in[1].next), unsafe.Pointer(&o.list), unsafe.Pointer(&o.any), unsafe.Pointer(&o.c), unsafe.Pointer(&o.last),
	} {
		fmt.Print(uintptr(p)-start, " ")
	}
	fmt.Println()
}

// arithmetic follows pointers that are numbers in between.
func arithmetic() {
	o := outer{list: []int{1, 2, 3}}
	o.in[1].name = "here"
	name := (*string)(unsafe.Pointer(uintptr(unsafe.Pointer(&o)) + unsafe.Offsetof(o.in) + unsafe.Sizeof(o.in[0]) + unsafe.Offsetof(o.in[0].name)))
	fmt.Println(*name)
	*(*uint8)(unsafe.Add(unsafe.Pointer(&o), unsafe.Offsetof(o.last))) = 7
	fmt.Println(o.last)
	all := []inner{{name: "a"}, {name: "b"}, {name: "c"}}
	for i := range all {
		p := (*inner)(unsafe.Add(unsafe.Pointer(&all[0]), uintptr(i)*unsafe.Sizeof(all[0])))
		fmt.Print(p.name, " ")
	}
	fmt.Println()
}

// overlaps lets package slices compare addresses.
func overlaps() {
	a := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	fmt.Println(slices.Replace(a[:6], 1, 3, a[2:6]...))
	fmt.Println(slices.Insert(a[:5], 2, a[3:7]...))
}

// caught calls f and prints what it panics with.
func caught(f func()) {
	defer func() {
		x := recover()
		_, ok := x.(runtime.Error)
		fmt.Println(x, ok)
	}()
	f()
	fmt.Print("no panic: ")
}

func main() {
	distances()
	arithmetic()
	overlaps()
	caught(func() { bits.Div64(1, 0, 0) })
	caught(func() { bits.Div64(1, 0, 1) })
	n := math.MaxInt
	caught(func() { fmt.Print(len(make([]struct{}, n)), " ") })
	caught(func() { fmt.Print(len(make([]byte, n)), " ") })
}
