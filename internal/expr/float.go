package expr

import (
	"fmt"
	"math"
)

// Floating point. A float is a bit-vector of its bits in IEEE 754, 32 or 64 of
// them; what is a float is known to the operators alone. Negation, the absolute
// value and the test of a sign are operations on the bits, and so there is no
// operator for them, nor for a difference.
//
// IEEE 754 leaves open which NaN an operation gives, and processors differ, on
// amd64 even with the order in which a compiler has put the operands. Here it is
// always the one of [NaN].

// FRound returns the float x, rounded to a whole number.
func (a *Arena) FRound(x ID, r Rounding) ID {
	n := a.nodes[x]
	checkFloat(FRound, n.width)
	switch n.op {
	case Const:
		return a.Const(round(r, n.width, n.value()), n.width)
	case FRound, SToF, UToF: // a whole number already
		return x
	}
	return a.build(FRound, n.width, uint8(r), x, None, None)
}

// FRounding returns how x, an FRound, rounds.
func (a *Arena) FRounding(x ID) Rounding { return Rounding(a.nodes[x].lo) }

// FNeg returns -x: x with the other sign, a NaN too.
func (a *Arena) FNeg(x ID) ID {
	w := a.nodes[x].width
	checkFloat(FAdd, w)
	return a.Xor(x, a.Const(signBit(w), w))
}

// FAbs returns x without its sign.
func (a *Arena) FAbs(x ID) ID {
	w := a.nodes[x].width
	checkFloat(FAdd, w)
	return a.And(x, a.Const(signBit(w)-1, w))
}

// FSub returns x - y, as the sum of x and -y.
func (a *Arena) FSub(x, y ID) ID { return a.FAdd(x, a.FNeg(y)) }

// FAdd returns x + y. It is not simplified to x where y is 0: -0 + 0 is 0.
func (a *Arena) FAdd(x, y ID) ID {
	x, y = a.commute(x, y)
	return a.floatBinary(FAdd, x, y)
}

// FMul returns x * y.
func (a *Arena) FMul(x, y ID) ID {
	x, y = a.commute(x, y)
	return a.floatBinary(FMul, x, y)
}

// FDiv returns x / y.
func (a *Arena) FDiv(x, y ID) ID { return a.floatBinary(FDiv, x, y) }

// floatBinary builds a sum, product or quotient.
func (a *Arena) floatBinary(op Op, x, y ID) ID {
	w := a.sameWidth(op, x, y)
	checkFloat(op, w)
	cx, constX := a.ConstValue(x)
	cy, constY := a.ConstValue(y)
	switch {
	case constX && constY:
		return a.Const(applyFloat(op, w, cx, cy), w)
	case constX && isNaN(cx, w), constY && isNaN(cy, w): // of NaN
		return a.Const(NaN(w), w)
	}
	return a.build(op, w, 0, x, y, None)
}

// FEq returns whether x == y.
func (a *Arena) FEq(x, y ID) ID {
	x, y = a.commute(x, y)
	if x == y && a.neverNaN(x) {
		return a.Bool(true)
	}
	return a.floatCompare(FEq, x, y)
}

// FLt returns whether x < y.
func (a *Arena) FLt(x, y ID) ID {
	if x == y { // x < x
		return a.Bool(false)
	}
	return a.floatCompare(FLt, x, y)
}

// FLe returns whether x <= y.
func (a *Arena) FLe(x, y ID) ID {
	if x == y { // x <= x  is  x == x
		return a.FEq(x, x)
	}
	return a.floatCompare(FLe, x, y)
}

func (a *Arena) floatCompare(op Op, x, y ID) ID {
	w := a.sameWidth(op, x, y)
	checkFloat(op, w)
	cx, constX := a.ConstValue(x)
	cy, constY := a.ConstValue(y)
	switch {
	case constX && constY:
		return a.Bool(applyFloat(op, w, cx, cy) == 1)
	case constX && isNaN(cx, w), constY && isNaN(cy, w): // with NaN
		return a.Bool(false)
	case op == FLt && constX && floatValue(cx, w) > math.MaxFloat64, // Inf < y
		op == FLt && constY && floatValue(cy, w) < -math.MaxFloat64: // x < -Inf
		return a.Bool(false)
	}
	return a.build(op, 1, 0, x, y, None)
}

// FIsNaN returns whether x is not a number.
func (a *Arena) FIsNaN(x ID) ID { return a.Not(a.FEq(x, x)) }

// neverNaN reports whether x is plainly a number.
func (a *Arena) neverNaN(x ID) bool {
	switch n := &a.nodes[x]; n.op {
	case Const:
		return !isNaN(n.value(), n.width)
	case SToF, UToF:
		return true
	}
	return false
}

// FSqrt returns the square root of x.
func (a *Arena) FSqrt(x ID) ID { return a.FloatUnary(FSqrt, x, a.nodes[x].width) }

// FConv returns x as a float of the other width.
func (a *Arena) FConv(x ID, width uint8) ID { return a.FloatUnary(FConv, x, width) }

// FToS returns the float x truncated to a signed integer of 32 or 64 bits, the
// least one if it is out of range or not a number.
func (a *Arena) FToS(x ID, width uint8) ID { return a.FloatUnary(FToS, x, width) }

// SToF returns the float of the width that is nearest to the signed integer x.
func (a *Arena) SToF(x ID, width uint8) ID {
	if n := &a.nodes[x]; n.op == ZExt && a.nodes[n.args[0]].width < n.width { // the sign is 0
		return a.UToF(n.args[0], width)
	}
	return a.FloatUnary(SToF, x, width)
}

// UToF returns the float of the width that is nearest to the unsigned integer x.
func (a *Arena) UToF(x ID, width uint8) ID {
	if n := &a.nodes[x]; n.op == ZExt { // before extension
		return a.UToF(n.args[0], width)
	}
	return a.FloatUnary(UToF, x, width)
}

// FloatUnary applies FSqrt, or one of the conversions between floats and integers.
func (a *Arena) FloatUnary(op Op, x ID, width uint8) ID {
	n := &a.nodes[x]
	checkWidth(n.width)
	checkWidth(width)
	switch op {
	case FSqrt, FConv:
		checkFloat(op, n.width)
		checkFloat(op, width)
		if op == FSqrt && width != n.width || op == FConv && width == n.width {
			panic(fmt.Sprintf("expr: %s from width %d to %d", op, n.width, width))
		}
	case FToS:
		checkFloat(op, n.width)
		checkFloat(op, width)
	case SToF, UToF:
		checkFloat(op, width)
	}
	if n.op == Const {
		return a.Const(convertFloat(op, n.width, width, n.value()), width)
	}
	return a.build(op, width, 0, x, None, None)
}

func checkFloat(op Op, width uint8) {
	if width != 32 && width != 64 {
		panic(fmt.Sprintf("expr: %s of width %d", op, width))
	}
}
