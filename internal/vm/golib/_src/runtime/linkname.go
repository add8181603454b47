package runtime

import "unsafe"

// What packages outside of the standard library take from the runtime by
// go:linkname: those names that GOROOT lists as widely used, as far as they mean something here.

// rand returns a random number, an input of the run.
func rand() uint64

// below returns a random number that is less than n, which is not 0: any of them.
func below(n uint64) uint64

func rand32() uint32 { return uint32(rand() >> 32) }
func randn(n uint32) uint32 {
	if n == 0 {
		return 0
	}
	return uint32(below(uint64(n)))
}

func fastrand() uint32           { return rand32() }
func fastrand64() uint64         { return rand() }
func fastrandn(n uint32) uint32  { return randn(n) }
func fastrandu() uint            { return uint(rand()) }
func cheaprand() uint32          { return rand32() }
func cheaprand64() int64         { return int64(rand()) }
func cheaprandn(n uint32) uint32 { return randn(n) }

// nanotime returns the monotonic time: it goes on as that of package time.
func nanotime() int64

// cputicks counts nanoseconds.
func cputicks() int64 { return nanotime() }

// walltime returns the time since the Unix epoch.
func walltime() (sec int64, nsec int32) {
	t := unixtime()
	return t / 1e9, int32(t % 1e9)
}

// unixtime returns the nanoseconds since the Unix epoch.
func unixtime() int64

// memhash, strhash and typehash hash n bytes, a string and a value of type t at p.
func memhash(p unsafe.Pointer, seed, n uintptr) uintptr
func strhash(p unsafe.Pointer, seed uintptr) uintptr
func typehash(t, p unsafe.Pointer, seed uintptr) uintptr

func noescape(p unsafe.Pointer) unsafe.Pointer { return p }

// procyield and doSpin wait a little, and canSpin advises against it.
func procyield(cycles uint32) { Gosched() }
func doSpin()                 { Gosched() }
func canSpin(i int) bool      { return false }

// semacquire waits until *s is not zero and subtracts one, semrelease adds one.
func semacquire(s *uint32)
func semrelease(s *uint32)

func semreleaseHandoff(s *uint32, handoff bool, skipframes int) { semrelease(s) }

func semacquireLifo(s *uint32, lifo bool, skipframes int) { semacquire(s) }
