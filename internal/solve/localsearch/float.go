package localsearch

import (
	"math"

	"github.com/everyway-go/everyway/internal/expr"
)

// Moves of the local search through operators over floats.

// pullFloat is pull for roots and conversions: it tries what the inverse gives,
// and its neighbours, for several floats round to one.
func (s *Search) pullFloat(x expr.ID, want uint64, fuel *int) bool {
	a := s.arena
	op, inner := a.Op(x), a.Arg(x, 0)
	from, to := a.Width(inner), a.Width(x)
	var v uint64
	switch op {
	case expr.FSqrt:
		v = expr.Apply(expr.FMul, to, want, want)
	case expr.FConv:
		v = expr.Convert(expr.FConv, to, from, want)
	case expr.FToS:
		v = expr.Convert(expr.SToF, to, from, want)
	default: // an integer, which a float may not hold
		v = expr.Convert(expr.FToS, to, 64, want)
		if f := math.Float64frombits(toFloat64(want, to)); op == expr.UToF && 1<<63 <= f && f < 1<<64 {
			v = uint64(f)
		}
	}
	for _, v := range [...]uint64{v, v + 1, v - 1} {
		if v &= ^uint64(0) >> (64 - from); expr.Convert(op, from, to, v) == want {
			return s.pull(inner, v, fuel)
		}
	}
	return false
}

// toFloat64 returns the float v of width bits as one of 64.
func toFloat64(v uint64, width uint8) uint64 {
	if width == 64 {
		return v
	}
	return expr.Convert(expr.FConv, width, 64, v)
}

// invertFloat is invert for binary operators over floats: it tries what the
// inverse operation gives, and its neighbours.
func invertFloat(op expr.Op, width uint8, side int, values [2]uint64, want uint64) (v uint64, ok bool) {
	sign := uint64(1) << (width - 1)
	other := values[1-side]
	switch op {
	case expr.FAdd:
		v = expr.Apply(expr.FAdd, width, want, other^sign)
	case expr.FMul:
		v = expr.Apply(expr.FDiv, width, want, other)
	case expr.FDiv:
		if v = expr.Apply(expr.FMul, width, want, other); side == 1 {
			v = expr.Apply(expr.FDiv, width, other, want)
		}
	default: // a comparison: what is next to the other side is the tightest
		v = other
	}
	for _, v := range [...]uint64{v, v + 1, v - 1, v ^ sign, 1, 1 | sign, expr.NaN(width)} {
		v &= ^uint64(0) >> (64 - width)
		operands := [2]uint64{v, v}
		operands[1-side] = other
		if expr.Apply(op, width, operands[0], operands[1]) == want {
			return v, true
		}
	}
	return 0, false
}
