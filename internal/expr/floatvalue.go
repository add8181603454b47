package expr

import "math"

// NaN returns the bits of the NaN that operators of a width give: that of Go's
// math.NaN, rounded to the width.
func NaN(width uint8) uint64 {
	if width == 32 {
		return 0x7fc00000
	}
	return 0x7ff8000000000001
}

// Float64Bits returns the bits of f, those of [NaN] if it is not a number.
func Float64Bits(f float64) uint64 {
	if f != f {
		return NaN(64)
	}
	return math.Float64bits(f)
}

// Float32Bits returns the bits of f, those of [NaN] if it is not a number.
func Float32Bits(f float32) uint64 {
	if f != f {
		return NaN(32)
	}
	return uint64(math.Float32bits(f))
}

// floatValue returns the float of width bits, which a float64 can hold.
func floatValue(v uint64, width uint8) float64 {
	if width == 32 {
		return float64(math.Float32frombits(uint32(v)))
	}
	return math.Float64frombits(v)
}

// floatBits returns f, rounded to a float of width bits.
func floatBits(f float64, width uint8) uint64 {
	if width == 32 {
		return Float32Bits(float32(f))
	}
	return Float64Bits(f)
}

// applyFloat computes a binary operator over floats of width bits. The sum,
// product, quotient or root of two float32 as a float64 has so many bits that
// rounding it to a float32 gives what rounding once would have given (Figueroa,
// When is double rounding innocuous?, 1995).
func applyFloat(op Op, width uint8, x, y uint64) uint64 {
	f, g := floatValue(x, width), floatValue(y, width)
	switch op {
	case FAdd:
		return floatBits(f+g, width)
	case FMul:
		return floatBits(f*g, width)
	case FDiv:
		return floatBits(f/g, width)
	case FEq:
		return boolBit(f == g)
	case FLt:
		return boolBit(f < g)
	case FLe:
		return boolBit(f <= g)
	}
	panic("expr: " + op.String() + " is not a binary operator over floats")
}

// Convert computes FSqrt, or one of the conversions between floats and integers,
// of an operand of one width to a result of another.
func Convert(op Op, from, to uint8, v uint64) uint64 {
	return convertFloat(op, from, to, v&mask(from))
}

func convertFloat(op Op, from, to uint8, v uint64) uint64 {
	switch op {
	case FSqrt:
		return floatBits(math.Sqrt(floatValue(v, from)), to)
	case FConv:
		return floatBits(floatValue(v, from), to)
	case FToS:
		f, limit := math.Trunc(floatValue(v, from)), math.Ldexp(1, int(to)-1)
		if -limit <= f && f < limit {
			return uint64(int64(f)) & mask(to)
		}
		return signBit(to)
	case SToF: // in one step: by way of a float64 it would be rounded twice
		if to == 32 {
			return Float32Bits(float32(signed(v, from)))
		}
		return Float64Bits(float64(signed(v, from)))
	case UToF:
		if to == 32 {
			return Float32Bits(float32(v))
		}
		return Float64Bits(float64(v))
	}
	panic("expr: " + op.String() + " is not a conversion of floats")
}

// Rounding is how FRound rounds to a whole number.
type Rounding uint8

// The roundings, named after those of SMT-LIB, and the functions of package math
// that round so.
const (
	ToEven     Rounding = iota // to the nearest, of two the even one: RoundToEven
	ToAway                     // to the nearest, of two the one further from 0: Round
	ToPositive                 // up: Ceil
	ToNegative                 // down: Floor
	ToZero                     // Trunc
)

var roundingNames = [...]string{
	ToEven: "roundtoeven", ToAway: "round", ToPositive: "ceil", ToNegative: "floor", ToZero: "trunc",
}

// String returns the name of the function of package math that rounds so, in small
// letters.
func (r Rounding) String() string { return roundingNames[r] }

var roundings = [...]func(float64) float64{
	ToEven: math.RoundToEven, ToAway: math.Round, ToPositive: math.Ceil, ToNegative: math.Floor, ToZero: math.Trunc,
}

// Round returns the float v of width bits, rounded to a whole number.
func Round(r Rounding, width uint8, v uint64) uint64 { return round(r, width, v&mask(width)) }

// round is exact for floats of 32 bits, too: the whole numbers next to one are
// floats of 32 bits.
func round(r Rounding, width uint8, v uint64) uint64 {
	return floatBits(roundings[r](floatValue(v, width)), width)
}

func isNaN(v uint64, width uint8) bool { return math.IsNaN(floatValue(v, width)) }
