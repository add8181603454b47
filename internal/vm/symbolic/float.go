package symbolic

import (
	"math"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// Floating point. Every result that is not a number is the NaN of package expr, for
// concrete and symbolic values alike, since which NaN a processor computes depends on the
// order in which the compiler has put the operands. The conversion of a float that is out
// of range for an integer kind has the result that it has on amd64, whatever the host is.

// Float32Of returns the float32 in w.
func Float32Of(w heap.Word) float32 { return math.Float32frombits(uint32(w.N)) }

func float32Word(f float32) heap.Word { return heap.Word{N: expr.Float32Bits(f)} }

// FloatOf returns the floating-point number of kind k in w.
func FloatOf(k code.Kind, w heap.Word) float64 {
	if k == code.Float32 {
		return float64(Float32Of(w))
	}
	return math.Float64frombits(w.N)
}

// SignBit returns the sign bit of floats of kind k.
func SignBit(k code.Kind) uint64 { return 1 << (k.Bits() - 1) }

// convertFloat converts a number from or to a floating-point kind.
func convertFloat(from, to code.Kind, v uint64) uint64 {
	switch {
	case from == to:
		return v
	case to == code.Float32:
		switch {
		case from == code.Float64:
			return expr.Float32Bits(float32(math.Float64frombits(v)))
		case from.Signed():
			return expr.Float32Bits(float32(int64(v)))
		}
		return expr.Float32Bits(float32(v))
	case to == code.Float64:
		switch {
		case from == code.Float32:
			return expr.Float64Bits(float64(math.Float32frombits(uint32(v))))
		case from.Signed():
			return expr.Float64Bits(float64(int64(v)))
		}
		return expr.Float64Bits(float64(v))
	}
	f := FloatOf(from, heap.Word{N: v})
	if to.Bits() < 32 || to == code.Int32 { // the machine has instructions for 32 and 64 bits
		if !(math.MinInt32-1 < f && f < math.MaxInt32+1) {
			return heap.Canonical(1<<31, to)
		}
		return heap.Canonical(uint64(int64(f)), to)
	}
	n := truncate(f)
	if to == code.Uint64 && int64(n) < 0 {
		n |= truncate(f - 1<<63)
	}
	return heap.Canonical(n, to)
}

// truncate returns f as a signed integer, the smallest one if f is out of range.
func truncate(f float64) uint64 {
	if !(math.MinInt64 <= f && f < 1<<63) {
		return 1 << 63
	}
	return uint64(int64(f))
}

// convertFloatExpr is convertFloat for symbolic values.
func convertFloatExpr(a *expr.Arena, from, to code.Kind, x expr.ID) expr.ID {
	width := heap.KindWidth(to)
	switch {
	case from == to:
		return x
	case from.Float() && to.Float():
		return a.FConv(x, width)
	case to.Float() && from.Signed():
		return a.SToF(x, width)
	case to.Float():
		return a.UToF(x, width)
	case width < 32:
		return a.Extract(a.FToS(x, 32), 0, width)
	case to == code.Int32:
		return a.FToS(x, 32)
	}
	n := a.FToS(x, 64)
	if to != code.Uint64 {
		return a.Extract(n, 0, width)
	}
	beyond := a.FSub(x, a.Const(convertFloat(code.Uint64, from, 1<<63), heap.KindWidth(from)))
	return a.Ite(a.Slt(n, a.Const(0, 64)), a.Or(n, a.FToS(beyond, 64)), n)
}

// resultFloat is Result for operations on floats. It calls y if there is a second
// operand.
func resultFloat(a *expr.Arena, op code.Op, k code.Kind, x expr.ID, y func() expr.ID) (expr.ID, code.Kind) {
	switch op {
	case code.NegF:
		return a.FNeg(x), k
	case code.SqrtF:
		return a.FSqrt(x), k
	case code.AddF:
		return a.FAdd(x, y()), k
	case code.SubF:
		return a.FSub(x, y()), k
	case code.MulF:
		return a.FMul(x, y()), k
	case code.DivF:
		return a.FDiv(x, y()), k
	case code.EqF:
		return a.FEq(x, y()), code.Bool
	case code.NeF:
		return a.Not(a.FEq(x, y())), code.Bool
	case code.LtF:
		return a.FLt(x, y()), code.Bool
	case code.LeF:
		return a.FLe(x, y()), code.Bool
	}
	panic("symbolic: result: " + op.String())
}

// minMaxFloat returns the minimum or maximum of floats of kind k. It distinguishes the
// two zeros, and is NaN if an operand is.
func minMaxFloat(k code.Kind, wantMax bool, x, y heap.Word) heap.Word {
	f, g := FloatOf(k, x), FloatOf(k, y)
	z := min(f, g)
	if wantMax {
		z = max(f, g)
	}
	if k == code.Float32 {
		return float32Word(float32(z))
	}
	return heap.Word{N: expr.Float64Bits(z)}
}

// minMaxFloatExpr is minMaxFloat for symbolic values. Floats that are equal have the same
// bits, or are zeros of different sign.
func minMaxFloatExpr(a *expr.Arena, wantMax bool, x, y expr.ID) expr.ID {
	width := a.Width(x)
	first, second, same := a.FLt(x, y), a.FLt(y, x), a.Or(x, y)
	if wantMax {
		first, second, same = second, first, a.And(x, y)
	}
	z := a.Ite(first, x, a.Ite(second, y, same))
	return a.Ite(a.Or(a.FIsNaN(x), a.FIsNaN(y)), a.Const(expr.NaN(width), width), z)
}
