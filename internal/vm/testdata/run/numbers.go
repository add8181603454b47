package main

import "unsafe"

//go:noinline
func ints(a, b int8) {
	println(a+b, a-b, a*b, -a, ^a, a&b, a|b, a^b, a&^b)
	if b != 0 {
		println(a/b, a%b)
	}
	println(a<<3, a>>1, a<<9, a>>9, a < b, a <= b, a == b, a != b, a > b, a >= b)
}

//go:noinline
func uints(a, b uint16) {
	println(a+b, a-b, a*b, -a, ^a, a&b, a|b, a^b, a&^b)
	if b != 0 {
		println(a/b, a%b)
	}
	println(a<<3, a>>1, a<<17, a>>17, a < b, a <= b)
}

//go:noinline
func wide(a, b int64, u, v uint64) {
	println(a+b, a-b, a*b, u+v, u-v, u*v)
	if b != 0 {
		println(a/b, a%b)
	}
	if v != 0 {
		println(u/v, u%v)
	}
	println(uint32(a), int32(a), int8(b), uint8(b), int16(u), uint16(v), a < b, u < v)
}

//go:noinline
func floats(x, y float64, f, g float32) {
	println(x+y, x-y, x*y, x/y, -x, x < y, x <= y, x == y, x != y)
	println(f+g, f-g, f*g, f/g, -f, f < g, f == g)
	println(int(x), int8(y), uint32(f), uint64(x), float32(x), float64(f))
	println(min(x, y), max(x, y), min(f, g, 3), max(1, 2, int(x)))
}

//go:noinline
func complexes(a, b complex128, c complex64) {
	println(a+b, a-b, a*b, a/b, -a, a == b, a != b)
	println(c*c, complex64(a)+c, complex128(c), real(a), imag(b))
}

type weekday uint8

const (
	mon weekday = iota
	tue
)

func (d weekday) String() string { return [...]string{"Mon", "Tue"}[d] }

func main() {
	for _, a := range []int8{0, 1, -1, 127, -128, 53} {
		for _, b := range []int8{0, 1, -1, 127, -128, 7} {
			ints(a, b)
		}
	}
	for _, a := range []uint16{0, 1, 0xffff, 0x8000, 777} {
		for _, b := range []uint16{0, 1, 0xffff, 13} {
			uints(a, b)
		}
	}
	for _, a := range []int64{0, 1, -1, 1<<63 - 1, -1 << 63, 123456789012345} {
		for _, b := range []int64{0, 1, -1, 1<<63 - 1, -1 << 63, 977} {
			wide(a, b, uint64(a), uint64(b))
		}
	}
	for _, x := range []float64{0, 1.5, -2.25, 1e10, 3.999} {
		for _, y := range []float64{1, -0.5, 7, 100.25} {
			floats(x, y, float32(x), float32(y))
		}
	}
	complexes(1+2i, 3-4i, 0.5+1i)
	var z float64
	nan, inf := z/z, 1/z
	println(nan == nan, nan != nan, nan < 1, inf > 1e300, min(nan, 1), max(inf, 1), -inf, min(z, -z))
	var s uint = 70
	println(1<<s == 0, -8>>s, uint8(200)>>1, int32(-5)/2, -7%3)
	println(tue.String(), unsafe.Sizeof(s), unsafe.Sizeof(struct {
		a int8
		b int64
	}{}))
	var i interface{} = mon
	if st, ok := i.(interface{ String() string }); ok {
		println(st.String())
	}
	println(min("b", "a", "c"), max("b", "a", "c"))
	println(string(rune(65)), string(rune(0x4e16)), string(rune(-1)))
	println(0x7fffffffffffffff, 1e100, 1e-7, float32(0.1), 100000000.0, 123456789.0, 1e21, 1e20)
}
