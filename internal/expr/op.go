package expr

import (
	"fmt"
	"math/bits"
)

// Op is the operator of an expression.
type Op uint8

// The operators. Operands of a binary operator have one width, which is the
// width of the result, but for the comparisons, whose result has width 1, and
// for Concat.
const (
	Invalid Op = iota // the operator of None

	Const // a constant
	Var   // a named variable

	Not // each bit inverted
	Neg // two's complement
	And
	Or
	Xor

	Add // modulo 2^width, as are Sub and Mul
	Sub
	Mul

	UDiv // unsigned; all ones when dividing by zero
	SDiv // signed, truncated; -1 or, for a negative dividend, 1 when dividing by zero
	URem // unsigned; the dividend when dividing by zero
	SRem // signed, with the sign of the dividend; the dividend when dividing by zero

	Shl  // the count is unsigned; 0 when it is width or more
	LShr // likewise
	AShr // likewise, but the sign fills

	Eq
	Ult // unsigned <
	Ule // unsigned <=
	Slt // signed <
	Sle // signed <=

	Ite     // the second operand if the first, of width 1, is 1, otherwise the third
	Extract // some adjacent bits of the operand
	Concat  // the bits of the first operand above those of the second
	ZExt    // widened with zeros
	SExt    // widened with the sign

	UMulHi // the high half of the unsigned product, which has twice the width

	// Arrays, from bit-vectors to bit-vectors. See array.go.

	Table  // an array: the operands from index 0 on, the last for all further indexes
	Store  // the first operand, an array, but with the third at the index that is the second
	Select // the element of the first operand, an array, at the index that is the second

	// Operators that take bit-vectors of 32 and 64 bits for floating-point
	// numbers of IEEE 754. They round to the nearest, ties to even, and where the
	// result is not a number it is the one of NaN. See float.go.

	FAdd
	FMul
	FDiv
	FSqrt
	FEq   // not of a NaN; 0 equals -0
	FLt   // likewise
	FLe   // likewise
	FConv // a float of the other width
	FToS  // truncated to a signed integer of 32 or 64 bits; the least one when out of range or NaN
	SToF  // the float nearest to a signed integer
	UToF  // likewise, unsigned

	FRound // to a whole number, in a [Rounding]
)

var opNames = [...]string{
	"Invalid", "Const", "Var", "Not", "Neg", "And", "Or", "Xor", "Add", "Sub", "Mul",
	"UDiv", "SDiv", "URem", "SRem", "Shl", "LShr", "AShr", "Eq", "Ult", "Ule", "Slt", "Sle",
	"Ite", "Extract", "Concat", "ZExt", "SExt", "UMulHi", "Table", "Store", "Select",
	"FAdd", "FMul", "FDiv", "FSqrt", "FEq", "FLt", "FLe", "FConv", "FToS", "SToF", "UToF", "FRound",
}

func (op Op) String() string {
	if int(op) < len(opNames) {
		return opNames[op]
	}
	return fmt.Sprintf("Op(%d)", uint8(op))
}

// NumArgs returns the number of operands that op takes, and 0 for a Table, which
// takes any number.
func (op Op) NumArgs() int {
	switch op {
	case Invalid, Const, Var, Table:
		return 0
	case Not, Neg, Extract, ZExt, SExt, FSqrt, FConv, FToS, SToF, UToF, FRound:
		return 1
	case Ite, Store:
		return 3
	}
	return 2
}

// mask returns the largest unsigned value of width bits.
func mask(width uint8) uint64 { return ^uint64(0) >> (64 - width) }

// signed returns v, a value of width bits, as a signed number.
func signed(v uint64, width uint8) int64 {
	return int64(v<<(64-width)) >> (64 - width)
}

// signBit returns the value of width bits whose highest bit alone is set.
func signBit(width uint8) uint64 { return 1 << (width - 1) }

func boolBit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// apply computes a binary operator over operands of width bits.
func apply(op Op, width uint8, x, y uint64) uint64 {
	m := mask(width)
	switch op {
	case And:
		return x & y
	case Or:
		return x | y
	case Xor:
		return x ^ y
	case Add:
		return (x + y) & m
	case Sub:
		return (x - y) & m
	case Mul:
		return (x * y) & m
	case UMulHi:
		hi, lo := bits.Mul64(x, y)
		if width == 64 {
			return hi
		}
		return (hi<<(64-width) | lo>>width) & m
	case UDiv:
		if y == 0 {
			return m
		}
		return x / y
	case URem:
		if y == 0 {
			return x
		}
		return x % y
	case SDiv:
		sx, sy := signed(x, width), signed(y, width)
		switch {
		case sy == 0 && sx >= 0:
			return m
		case sy == 0:
			return 1
		}
		return uint64(sx/sy) & m
	case SRem:
		if y == 0 {
			return x
		}
		return uint64(signed(x, width)%signed(y, width)) & m
	case Shl:
		if y >= uint64(width) {
			return 0
		}
		return x << y & m
	case LShr:
		if y >= uint64(width) {
			return 0
		}
		return x >> y
	case AShr:
		return uint64(signed(x, width)>>min(y, 63)) & m
	case Eq:
		return boolBit(x == y)
	case Ult:
		return boolBit(x < y)
	case Ule:
		return boolBit(x <= y)
	case Slt:
		return boolBit(signed(x, width) < signed(y, width))
	case Sle:
		return boolBit(signed(x, width) <= signed(y, width))
	case FAdd, FMul, FDiv, FEq, FLt, FLe:
		return applyFloat(op, width, x, y)
	}
	panic("expr: " + op.String() + " is not a binary operator")
}

// log2 returns k if v is 2 to the power of k.
func log2(v uint64) (k uint8, ok bool) {
	return uint8(bits.TrailingZeros64(v)), bits.OnesCount64(v) == 1
}

// Apply computes a binary operator but Concat over operands of width bits.
func Apply(op Op, width uint8, x, y uint64) uint64 {
	return apply(op, width, x&mask(width), y&mask(width))
}
