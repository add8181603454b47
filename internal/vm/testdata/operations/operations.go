// Package operations is a table of Go's operations on numbers. A test runs it natively,
// and in the machine with symbolic operands.
//
// Operands and results are the bits of numbers in 64: those of an integer
// type extended by its sign, and one NaN for all.
package operations

import (
	"fmt"
	"math"
	"math/bits"
)

// An Operation computes a result from one or two operands.
type Operation struct {
	Name string
	Do   func(x, y uint64) uint64
}

// Run carries out operation i. It is false if that panics.
func Run(i int, x, y uint64) (result uint64, ok bool) {
	defer func() { ok = recover() == nil }()
	return Table[i].Do(x, y), true
}

type integer interface {
	int8 | int16 | int32 | int64 | int | uint8 | uint16 | uint32 | uint64 | uint | uintptr
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func f32(u uint64) float32 { return math.Float32frombits(uint32(u)) }
func f64(u uint64) float64 { return math.Float64frombits(u) }

func of32(f float32) uint64 {
	if f != f {
		return 0x7fc00000
	}
	return uint64(math.Float32bits(f))
}

func of64(f float64) uint64 {
	if f != f {
		return 0x7ff8000000000001
	}
	return math.Float64bits(f)
}

func c64(u uint64) complex64         { return complex(f32(u), f32(u>>32)) }
func c128(x, y uint64) complex128    { return complex(f64(x), f64(y)) }
func ofC64(c complex64) uint64       { return of32(real(c)) | of32(imag(c))<<32 }
func ofC128(c complex128) uint64     { return of64(real(c)) ^ bits.RotateLeft64(of64(imag(c)), 1) }
func few(u uint64, width int) uint64 { return u & (1<<width - 1) }

// Table lists all operations.
var Table = func() (list []Operation) {
	list = append(list, ofInteger[int8]()...)
	list = append(list, ofInteger[int16]()...)
	list = append(list, ofInteger[int32]()...)
	list = append(list, ofInteger[int64]()...)
	list = append(list, ofInteger[int]()...)
	list = append(list, ofInteger[uint8]()...)
	list = append(list, ofInteger[uint16]()...)
	list = append(list, ofInteger[uint32]()...)
	list = append(list, ofInteger[uint64]()...)
	list = append(list, ofInteger[uint]()...)
	list = append(list, ofInteger[uintptr]()...)
	list = append(list, ofFloats...)
	list = append(list, ofComplex...)
	list = append(list, ofBits...)
	return append(list, ofMath...)
}()

func ofInteger[T integer]() []Operation {
	var list []Operation
	add := func(name string, do func(x, y T) uint64) {
		list = append(list, Operation{fmt.Sprintf("%T %s", T(0), name), func(x, y uint64) uint64 { return do(T(x), T(y)) }})
	}
	add("+", func(x, y T) uint64 { return uint64(x + y) })
	add("-", func(x, y T) uint64 { return uint64(x - y) })
	add("*", func(x, y T) uint64 { return uint64(x * y) })
	add("/", func(x, y T) uint64 { return uint64(x / y) })
	add("%", func(x, y T) uint64 { return uint64(x % y) })
	add("/ constant", func(x, y T) uint64 { return uint64(x / 10) })
	add("% constant", func(x, y T) uint64 { return uint64(x % 100) })
	add("&", func(x, y T) uint64 { return uint64(x & y) })
	add("|", func(x, y T) uint64 { return uint64(x | y) })
	add("^", func(x, y T) uint64 { return uint64(x ^ y) })
	add("&^", func(x, y T) uint64 { return uint64(x &^ y) })
	add("==", func(x, y T) uint64 { return truth(x == y) })
	add("!=", func(x, y T) uint64 { return truth(x != y) })
	add("<", func(x, y T) uint64 { return truth(x < y) })
	add("<=", func(x, y T) uint64 { return truth(x <= y) })
	add(">", func(x, y T) uint64 { return truth(x > y) })
	add(">=", func(x, y T) uint64 { return truth(x >= y) })
	add("min", func(x, y T) uint64 { return uint64(min(x, y)) })
	add("max", func(x, y T) uint64 { return uint64(max(x, y, 3)) })
	add("unary -", func(x, y T) uint64 { return uint64(-x) })
	add("unary ^", func(x, y T) uint64 { return uint64(^x) })
	add("unary +", func(x, y T) uint64 { return uint64(+x) })
	add("<< 3", func(x, y T) uint64 { return uint64(x << 3) })
	add(">> 3", func(x, y T) uint64 { return uint64(x >> 3) })
	add("++", func(x, y T) uint64 { x++; y--; return uint64(x ^ y) })
	add("to float32", func(x, y T) uint64 { return of32(float32(x)) })
	add("to float64", func(x, y T) uint64 { return of64(float64(x)) })
	add("as index", func(x, y T) uint64 { return uint64([...]int8{3, 1, 4, 1, 5}[x]) })
	add("to string", func(x, y T) uint64 { // of a rune
		v := uint64(0)
		for _, b := range []byte(string(rune(x))) {
			v = v<<8 | uint64(b)
		}
		return v
	})
	list = append(list, Operation{fmt.Sprintf("%T of float32", T(0)), func(x, y uint64) uint64 { return uint64(T(f32(x))) }})
	list = append(list, Operation{fmt.Sprintf("%T of float64", T(0)), func(x, y uint64) uint64 { return uint64(T(f64(x))) }})
	list = append(list, withInteger[T, int8]()...)
	list = append(list, withInteger[T, int16]()...)
	list = append(list, withInteger[T, int32]()...)
	list = append(list, withInteger[T, int64]()...)
	list = append(list, withInteger[T, uint8]()...)
	list = append(list, withInteger[T, uint16]()...)
	list = append(list, withInteger[T, uint32]()...)
	return append(list, withInteger[T, uint64]()...)
}

func withInteger[T, U integer]() []Operation {
	name := func(op string) string { return fmt.Sprintf("%T %s %T", T(0), op, U(0)) }
	return []Operation{
		{name("<<"), func(x, y uint64) uint64 { return uint64(T(x) << U(y)) }},
		{name(">>"), func(x, y uint64) uint64 { return uint64(T(x) >> U(y)) }},
		{name("to"), func(x, y uint64) uint64 { return uint64(U(T(x))) }},
	}
}

var ofFloats = []Operation{
	{"float32 +", func(x, y uint64) uint64 { return of32(f32(x) + f32(y)) }},
	{"float32 -", func(x, y uint64) uint64 { return of32(f32(x) - f32(y)) }},
	{"float32 *", func(x, y uint64) uint64 { return of32(f32(x) * f32(y)) }},
	{"float32 /", func(x, y uint64) uint64 { return of32(f32(x) / f32(y)) }},
	{"float32 unary -", func(x, y uint64) uint64 { return of32(-f32(x)) }},
	{"float32 ==", func(x, y uint64) uint64 { return truth(f32(x) == f32(y)) }},
	{"float32 !=", func(x, y uint64) uint64 { return truth(f32(x) != f32(y)) }},
	{"float32 <", func(x, y uint64) uint64 { return truth(f32(x) < f32(y)) }},
	{"float32 >=", func(x, y uint64) uint64 { return truth(f32(x) >= f32(y)) }},
	{"float32 min", func(x, y uint64) uint64 { return of32(min(f32(x), f32(y))) }},
	{"float32 max", func(x, y uint64) uint64 { return of32(max(f32(x), f32(y))) }},
	{"float32 to float64", func(x, y uint64) uint64 { return of64(float64(f32(x))) }},
	{"float64 +", func(x, y uint64) uint64 { return of64(f64(x) + f64(y)) }},
	{"float64 -", func(x, y uint64) uint64 { return of64(f64(x) - f64(y)) }},
	{"float64 *", func(x, y uint64) uint64 { return of64(f64(x) * f64(y)) }},
	{"float64 /", func(x, y uint64) uint64 { return of64(f64(x) / f64(y)) }},
	{"float64 unary -", func(x, y uint64) uint64 { return of64(-f64(x)) }},
	{"float64 ==", func(x, y uint64) uint64 { return truth(f64(x) == f64(y)) }},
	{"float64 !=", func(x, y uint64) uint64 { return truth(f64(x) != f64(y)) }},
	{"float64 <", func(x, y uint64) uint64 { return truth(f64(x) < f64(y)) }},
	{"float64 >=", func(x, y uint64) uint64 { return truth(f64(x) >= f64(y)) }},
	{"float64 min", func(x, y uint64) uint64 { return of64(min(f64(x), f64(y))) }},
	{"float64 max", func(x, y uint64) uint64 { return of64(max(f64(x), f64(y))) }},
	{"float64 to float32", func(x, y uint64) uint64 { return of32(float32(f64(x))) }},
}

var ofComplex = []Operation{
	{"complex64 +", func(x, y uint64) uint64 { return ofC64(c64(x) + c64(y)) }},
	{"complex64 -", func(x, y uint64) uint64 { return ofC64(c64(x) - c64(y)) }},
	{"complex64 *", func(x, y uint64) uint64 { return ofC64(c64(x) * c64(y)) }},
	{"complex64 /", func(x, y uint64) uint64 { return ofC64(c64(x) / c64(y)) }},
	{"complex64 ==", func(x, y uint64) uint64 { return truth(c64(x) == c64(y)) }},
	{"complex64 unary -", func(x, y uint64) uint64 { return ofC64(-c64(x)) }},
	{"complex64 to complex128", func(x, y uint64) uint64 { return ofC128(complex128(c64(x))) }},
	{"complex128 +", func(x, y uint64) uint64 { return ofC128(c128(x, y) + (2 - 3i)) }},
	{"complex128 -", func(x, y uint64) uint64 { return ofC128(c128(x, y) - c128(y, x)) }},
	{"complex128 *", func(x, y uint64) uint64 { return ofC128(c128(x, y) * (2 - 3i)) }},
	{"complex128 /", func(x, y uint64) uint64 { return ofC128(c128(x, y) / (2 - 3i)) }},
	{"complex128 !=", func(x, y uint64) uint64 { return truth(c128(x, y) != c128(y, x)) }},
	{"complex128 to complex64", func(x, y uint64) uint64 { return ofC64(complex64(c128(x, y))) }},
	{"real, imag", func(x, y uint64) uint64 { z := c128(x, y); return of64(real(z)) - of64(imag(z)) }},
}

var ofBits = []Operation{
	{"LeadingZeros", func(x, y uint64) uint64 { return uint64(bits.LeadingZeros(uint(x))) }},
	{"LeadingZeros8", func(x, y uint64) uint64 { return uint64(bits.LeadingZeros8(uint8(x))) }},
	{"LeadingZeros16", func(x, y uint64) uint64 { return uint64(bits.LeadingZeros16(uint16(x))) }},
	{"LeadingZeros32", func(x, y uint64) uint64 { return uint64(bits.LeadingZeros32(uint32(x))) }},
	{"LeadingZeros64", func(x, y uint64) uint64 { return uint64(bits.LeadingZeros64(x)) }},
	{"TrailingZeros", func(x, y uint64) uint64 { return uint64(bits.TrailingZeros(uint(x))) }},
	{"TrailingZeros8", func(x, y uint64) uint64 { return uint64(bits.TrailingZeros8(uint8(x))) }},
	{"TrailingZeros16", func(x, y uint64) uint64 { return uint64(bits.TrailingZeros16(uint16(x))) }},
	{"TrailingZeros32", func(x, y uint64) uint64 { return uint64(bits.TrailingZeros32(uint32(x))) }},
	{"TrailingZeros64", func(x, y uint64) uint64 { return uint64(bits.TrailingZeros64(x)) }},
	{"OnesCount8", func(x, y uint64) uint64 { return uint64(bits.OnesCount8(uint8(x))) }},
	{"OnesCount16", func(x, y uint64) uint64 { return uint64(bits.OnesCount16(uint16(x))) }},
	{"OnesCount32", func(x, y uint64) uint64 { return uint64(bits.OnesCount32(uint32(x))) }},
	{"OnesCount64", func(x, y uint64) uint64 { return uint64(bits.OnesCount64(x)) }},
	{"RotateLeft8", func(x, y uint64) uint64 { return uint64(bits.RotateLeft8(uint8(x), int(y))) }},
	{"RotateLeft16", func(x, y uint64) uint64 { return uint64(bits.RotateLeft16(uint16(x), int(y))) }},
	{"RotateLeft32", func(x, y uint64) uint64 { return uint64(bits.RotateLeft32(uint32(x), int(y))) }},
	{"RotateLeft64", func(x, y uint64) uint64 { return bits.RotateLeft64(x, int(y)) }},
	{"Reverse8", func(x, y uint64) uint64 { return uint64(bits.Reverse8(uint8(x))) }},
	{"Reverse16", func(x, y uint64) uint64 { return uint64(bits.Reverse16(uint16(x))) }},
	{"Reverse32", func(x, y uint64) uint64 { return uint64(bits.Reverse32(uint32(x))) }},
	{"Reverse64", func(x, y uint64) uint64 { return bits.Reverse64(x) }},
	{"ReverseBytes16", func(x, y uint64) uint64 { return uint64(bits.ReverseBytes16(uint16(x))) }},
	{"ReverseBytes32", func(x, y uint64) uint64 { return uint64(bits.ReverseBytes32(uint32(x))) }},
	{"ReverseBytes64", func(x, y uint64) uint64 { return bits.ReverseBytes64(x) }},
	{"Len8", func(x, y uint64) uint64 { return uint64(bits.Len8(uint8(x))) }},
	{"Len16", func(x, y uint64) uint64 { return uint64(bits.Len16(uint16(x))) }},
	{"Len32", func(x, y uint64) uint64 { return uint64(bits.Len32(uint32(x))) }},
	{"Len64", func(x, y uint64) uint64 { return uint64(bits.Len64(x)) }},
	{"Add32", func(x, y uint64) uint64 {
		s, c := bits.Add32(uint32(x), uint32(y), 1)
		return uint64(s) | uint64(c)<<32
	}},
	{"Add64", func(x, y uint64) uint64 { s, c := bits.Add64(x, y, few(x, 1)); return s ^ c<<63 }},
	{"Sub32", func(x, y uint64) uint64 {
		s, c := bits.Sub32(uint32(x), uint32(y), 1)
		return uint64(s) | uint64(c)<<32
	}},
	{"Sub64", func(x, y uint64) uint64 { s, c := bits.Sub64(x, y, few(y, 1)); return s ^ c<<63 }},
	{"Mul, high", func(x, y uint64) uint64 { hi, _ := bits.Mul(uint(x), uint(y)); return uint64(hi) }},
	{"Mul32", func(x, y uint64) uint64 {
		hi, lo := bits.Mul32(uint32(x), uint32(y))
		return uint64(hi)<<32 | uint64(lo)
	}},
	{"Mul64, high", func(x, y uint64) uint64 { hi, _ := bits.Mul64(x, y); return hi }},
	{"Mul64, low", func(x, y uint64) uint64 { _, lo := bits.Mul64(x, y); return lo }},
	{"Div32", func(x, y uint64) uint64 {
		quo, rem := bits.Div32(uint32(x>>32), uint32(x), uint32(y))
		return uint64(quo)<<32 | uint64(rem)
	}},
	{"Div64, quotient", func(x, y uint64) uint64 { quo, _ := bits.Div64(few(x, 8), x, y); return quo }},
	{"Div64, remainder", func(x, y uint64) uint64 { _, rem := bits.Div64(few(y, 3), x, y); return rem }},
	{"Rem64", func(x, y uint64) uint64 { return bits.Rem64(x, y, 1000) }},
}

var ofMath = []Operation{
	{"Abs", func(x, y uint64) uint64 { return of64(math.Abs(f64(x))) }},
	{"Ceil", func(x, y uint64) uint64 { return of64(math.Ceil(f64(x))) }},
	{"Copysign", func(x, y uint64) uint64 { return of64(math.Copysign(f64(x), f64(y))) }},
	{"Dim", func(x, y uint64) uint64 { return of64(math.Dim(f64(x), f64(y))) }},
	{"Float32bits", func(x, y uint64) uint64 { return uint64(math.Float32bits(f32(x))) }},
	{"Float64bits", func(x, y uint64) uint64 { return math.Float64bits(f64(x)) }},
	{"Floor", func(x, y uint64) uint64 { return of64(math.Floor(f64(x))) }},
	{"Frexp", func(x, y uint64) uint64 { frac, exp := math.Frexp(f64(x)); return of64(frac) ^ uint64(exp) }},
	{"Ilogb", func(x, y uint64) uint64 { return uint64(math.Ilogb(f64(x))) }},
	{"IsInf", func(x, y uint64) uint64 { return truth(math.IsInf(f64(x), int(int8(y)))) }},
	{"IsNaN", func(x, y uint64) uint64 { return truth(math.IsNaN(f64(x))) }},
	{"Ldexp", func(x, y uint64) uint64 { return of64(math.Ldexp(f64(x), int(int16(y)))) }},
	{"Logb", func(x, y uint64) uint64 { return of64(math.Logb(f64(x))) }},
	{"Max", func(x, y uint64) uint64 { return of64(math.Max(f64(x), f64(y))) }},
	{"Min", func(x, y uint64) uint64 { return of64(math.Min(f64(x), f64(y))) }},
	{"Mod", func(x, y uint64) uint64 { return of64(math.Mod(float64(int16(x)), float64(int8(y))/4)) }},
	{"Modf", func(x, y uint64) uint64 {
		whole, frac := math.Modf(f64(x))
		return of64(whole) ^ bits.RotateLeft64(of64(frac), 1)
	}},
	{"Nextafter", func(x, y uint64) uint64 { return of64(math.Nextafter(f64(x), f64(y))) }},
	{"Nextafter32", func(x, y uint64) uint64 { return of32(math.Nextafter32(f32(x), f32(y))) }},
	{"Remainder", func(x, y uint64) uint64 { return of64(math.Remainder(float64(int16(x)), float64(int8(y))/4)) }},
	{"Round", func(x, y uint64) uint64 { return of64(math.Round(f64(x))) }},
	{"RoundToEven", func(x, y uint64) uint64 { return of64(math.RoundToEven(f64(x))) }},
	{"Signbit", func(x, y uint64) uint64 { return truth(math.Signbit(f64(x))) }},
	{"Sqrt", func(x, y uint64) uint64 { return of64(math.Sqrt(f64(x))) }},
	{"Trunc", func(x, y uint64) uint64 { return of64(math.Trunc(f64(x))) }},
	// By way of a func value.
	{"Floor, indirect", func(x, y uint64) uint64 { f := math.Floor; return of64(apply(f, f64(x))) }},
	{"Sqrt, indirect", func(x, y uint64) uint64 { f := math.Sqrt; return of64(apply(f, f64(x))) }},
	// Pinned: the host computes them.
	{"Hypot", func(x, y uint64) uint64 { return of64(math.Hypot(f64(x), f64(y))) }},
	{"Sin", func(x, y uint64) uint64 { return of64(math.Sin(f64(x))) }},
}

func apply(f func(float64) float64, x float64) float64 { return f(x) }
