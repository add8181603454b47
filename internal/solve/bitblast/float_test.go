package bitblast

import (
	"fmt"
	"math"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
)

// smallFormats are formats so small that all their values can be gone through.
var smallFormats = []floatFormat{{3, 3, 0x1e}, {2, 4, 0x0e}, {4, 2, 0x1f}}

// value returns the float x of a small format. A float64 holds it exactly.
func (f floatFormat) value(x uint64) float64 {
	n := f.significand - 1
	fraction, field := int(x&(1<<n-1)), int(x>>n)&(1<<f.exponent-1)
	v := math.Ldexp(float64(fraction), f.least()-n)
	switch {
	case field == 1<<f.exponent-1 && fraction != 0:
		return math.NaN()
	case field == 1<<f.exponent-1:
		v = math.Inf(1)
	case field > 0:
		v = math.Ldexp(float64(1<<n+fraction), field-f.bias()-n)
	}
	if x>>(f.width()-1) == 1 {
		return -v
	}
	return v
}

// nearest returns the float of a small format nearest to v, by looking at all of
// them; of two the even one. What is not nearer to the greatest than to the
// number that would be next becomes infinite.
func (f floatFormat) nearest(v float64) uint64 {
	if v != v {
		return f.nan
	}
	var sign uint64
	if math.Signbit(v) {
		sign, v = 1<<(f.width()-1), -v
	}
	infinity := uint64(1<<f.exponent-1) << (f.significand - 1)
	best, distance := uint64(0), v
	for x := uint64(1); x <= infinity; x++ {
		at := f.value(x)
		if x == infinity {
			at = math.Ldexp(1, f.bias()+1)
			if v >= at {
				return sign | infinity
			}
		}
		if d := math.Abs(v - at); d < distance || d == distance && x&1 == 0 {
			best, distance = x, d
		}
	}
	return sign | best
}

// TestFloatCircuits compares the circuits with the definition for all values of
// small formats.
func TestFloatCircuits(t *testing.T) {
	truth := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	b := New(expr.NewArena())
	check := func(t *testing.T, got word, want uint64, operands ...float64) {
		t.Helper()
		if v, ok := b.known(got); !ok || v != want {
			t.Fatalf("of %v: %#x, %v, want %#x", operands, v, ok, want)
		}
	}
	for _, f := range smallFormats {
		b.Reset(1<<40, nil, nil)
		n := f.width()
		all := func(t *testing.T, visit func(x uint64, w word, v float64)) {
			for x := range uint64(1) << n {
				visit(x, b.constWord(x, n), f.value(x))
			}
		}
		for _, test := range []struct {
			name    string
			circuit func(x, y word) word
			value   func(x, y float64) uint64
		}{
			{"add", func(x, y word) word { return b.addFloat(f, x, y) }, func(x, y float64) uint64 { return f.nearest(x + y) }},
			{"mul", func(x, y word) word { return b.mulFloat(f, x, y) }, func(x, y float64) uint64 { return f.nearest(x * y) }},
			{"div", func(x, y word) word { return b.divFloat(f, x, y) }, func(x, y float64) uint64 { return f.nearest(x / y) }},
			{"eq", func(x, y word) word { return b.compareFloat(expr.FEq, f, x, y) }, func(x, y float64) uint64 { return truth(x == y) }},
			{"lt", func(x, y word) word { return b.compareFloat(expr.FLt, f, x, y) }, func(x, y float64) uint64 { return truth(x < y) }},
			{"le", func(x, y word) word { return b.compareFloat(expr.FLe, f, x, y) }, func(x, y float64) uint64 { return truth(x <= y) }},
		} {
			t.Run(fmt.Sprintf("%s of %d and %d", test.name, f.exponent, f.significand), func(t *testing.T) {
				all(t, func(_ uint64, x word, v float64) {
					all(t, func(_ uint64, y word, w float64) {
						check(t, test.circuit(x, y), test.value(v, w), v, w)
					})
				})
			})
		}
		t.Run(fmt.Sprintf("one operand of %d and %d", f.exponent, f.significand), func(t *testing.T) {
			all(t, func(_ uint64, x word, v float64) {
				check(t, b.sqrtFloat(f, x), f.nearest(math.Sqrt(v)), v)
				if f.least() < 0 { // or subnormal numbers can be a half or more
					for rounding, round := range []func(float64) float64{
						expr.ToEven: math.RoundToEven, expr.ToAway: math.Round, expr.ToPositive: math.Ceil,
						expr.ToNegative: math.Floor, expr.ToZero: math.Trunc,
					} {
						check(t, b.roundToWhole(f, expr.Rounding(rounding), x), f.nearest(round(v)), v, float64(rounding))
					}
				}
				for _, to := range smallFormats {
					check(t, b.convFloat(f, to, x), to.nearest(v), v)
				}
				for _, width := range []int{2, 3, 5, 8} {
					want := uint64(1) << (width - 1)
					if math.Abs(math.Trunc(v)) < float64(want) {
						want = uint64(int64(v)) & (1<<width - 1)
					}
					check(t, b.toInteger(f, x, width), want, v)
				}
			})
			for width := 1; width <= 7; width++ {
				for v := range int64(1) << width {
					w := b.constWord(uint64(v), width)
					check(t, b.fromInteger(f, w, false), f.nearest(float64(v)), float64(v))
					v = v << (64 - width) >> (64 - width)
					check(t, b.fromInteger(f, w, true), f.nearest(float64(v)), float64(v))
				}
			}
		})
	}
}
