// Functions of the standard library that are taken by go:linkname.
package main

import (
	"time"
	"unsafe"
)

//go:linkname fastrand runtime.fastrand
func fastrand() uint32

//go:noescape
//go:linkname fastrandn runtime.fastrandn
func fastrandn(n uint32) uint32

//go:linkname cheaprand runtime.cheaprand
func cheaprand() uint32

// nanotime is the monotonic clock.
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64

//go:linkname now time.now
func now() (sec int64, nsec int32, mono int64)

//go:noescape
//go:linkname strhash runtime.strhash
func strhash(p unsafe.Pointer, seed uintptr) uintptr

//go:noescape
//go:linkname memhash runtime.memhash
func memhash(p unsafe.Pointer, seed, n uintptr) uintptr

//go:noescape
//go:linkname typehash runtime.typehash
func typehash(t, p unsafe.Pointer, seed uintptr) uintptr

//go:linkname semacquire sync.runtime_Semacquire
func semacquire(s *uint32)

//go:linkname semrelease sync.runtime_Semrelease
func semrelease(s *uint32, handoff bool, skipframes int)

type key struct {
	n int
	s string
}

func hash(k key) uintptr {
	var i any = k
	return typehash(*(*unsafe.Pointer)(unsafe.Pointer(&i)), unsafe.Pointer(&k), 7)
}

func main() {
	for range 100 {
		if fastrandn(10) >= 10 {
			println("too large")
		}
	}
	println(fastrand() != fastrand() || fastrand() != fastrand(), cheaprand() != cheaprand() || cheaprand() != cheaprand())
	t := nanotime()
	time.Sleep(time.Millisecond)
	println(nanotime()-t >= 1e6)
	sec, nsec, _ := now()
	println(sec > 900000000, nsec < 1e9)

	a, b, c := "some text", string([]byte("some text")), "another text"
	println(strhash(unsafe.Pointer(&a), 1) == strhash(unsafe.Pointer(&b), 1))
	println(strhash(unsafe.Pointer(&a), 1) == strhash(unsafe.Pointer(&c), 1))
	p, q := []byte(a), []byte(b)
	println(memhash(unsafe.Pointer(&p[0]), 1, 9) == memhash(unsafe.Pointer(&q[0]), 1, 9))
	println(memhash(unsafe.Pointer(&p[0]), 1, 9) == memhash(unsafe.Pointer(&q[0]), 2, 9))
	println(hash(key{1, a}) == hash(key{1, b}), hash(key{1, a}) == hash(key{2, b}))

	var s uint32
	go semrelease(&s, false, 0)
	semacquire(&s)
	println(s)
}
