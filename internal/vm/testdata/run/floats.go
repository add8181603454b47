package main

import (
	"fmt"
	"math"
)

// bits returns the bits of f; which NaN an operation gives is not said in Go.
func bits(f float64) uint64 {
	if f != f {
		return 0
	}
	return math.Float64bits(f)
}

func bits32(f float32) uint64 {
	if f != f {
		return 0
	}
	return uint64(math.Float32bits(f))
}

// A sum is a hash (FNV-1a) of results, whose values would fill pages.
type sum uint64

func (s *sum) add(values ...uint64) {
	for _, v := range values {
		for range 8 {
			*s = (*s ^ sum(v&0xff)) * 1099511628211
			v >>= 8
		}
	}
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

//go:noinline
func arithmetic(s *sum, x, y float64) {
	s.add(bits(x+y), bits(x-y), bits(x*y), bits(x/y), bits(-x), bits(math.Sqrt(x)))
	s.add(truth(x == y), truth(x != y), truth(x < y), truth(x <= y), bits(min(x, y)), bits(max(x, y)))
}

//go:noinline
func arithmetic32(s *sum, x, y float32) {
	s.add(bits32(x+y), bits32(x-y), bits32(x*y), bits32(x/y), bits32(-x))
	s.add(truth(x == y), truth(x != y), truth(x < y), truth(x <= y), bits32(min(x, y)), bits32(max(x, y)))
}

//go:noinline
func conversions(s *sum, x float64, n uint64) {
	f := float32(x)
	s.add(bits32(f), bits(float64(f)))
	s.add(bits(float64(n)), bits(float64(int64(n))), bits(float64(uint8(n))), bits(float64(int16(n))))
	s.add(bits32(float32(n)), bits32(float32(int64(n))), bits32(float32(uint32(n))), bits32(float32(int32(n))))
}

// integers converts numbers that the integer types hold: what becomes of others
// depends on the machine.
//
//go:noinline
func integers(s *sum, x float64) {
	f := float32(x)
	if math.Abs(x) < 1<<63 {
		s.add(uint64(int64(x)), uint64(int64(f)/2))
	}
	if x > -1 && x < 1<<64 {
		s.add(uint64(x))
	}
	if math.Abs(x) < 1<<31 {
		s.add(uint64(int32(x)))
	}
	if x > -1 && x < 1<<32 {
		s.add(uint64(uint32(x)))
	}
	if math.Abs(x) < 1<<7 {
		s.add(uint64(int8(x)), uint64(int16(f)))
	}
}

//go:noinline
func complexes(s *sum, x, y complex128) {
	for _, z := range []complex128{x + y, x - y, x * y, -x} {
		s.add(bits(real(z)), bits(imag(z)))
	}
	z := complex64(x)
	s.add(bits32(real(z)), bits32(imag(z)), truth(x == y), truth(complex128(z) == x))
}

func main() {
	list := []float64{
		0, math.Copysign(0, -1), 1, -1, 1.5, 0.1, 0.3, 3, -7, 1e10, 300.7, -300.7, 127.9, -128, 65535,
		math.MaxFloat64, -math.MaxFloat64, math.MaxFloat32, math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat32,
		math.Inf(1), math.Inf(-1), math.NaN(), 1 << 31, 1<<31 - 0.5, -1 << 31, 1 << 53, 1<<53 - 1, 1 << 62, 1.5 * (1 << 63), math.Pi,
	}
	x := uint64(1)
	for range 40 { // xorshift
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		list = append(list, math.Float64frombits(x))
	}
	var a, b, c, d, e sum
	for i, x := range list {
		for _, y := range list {
			arithmetic(&a, x, y)
			arithmetic32(&b, float32(x), float32(y))
			complexes(&e, complex(x, y), complex(y, list[0]))
		}
		conversions(&c, x, math.Float64bits(x)>>i)
		integers(&d, x)
	}
	fmt.Printf("%x %x %x %x %x\n", a, b, c, d, e)
}
