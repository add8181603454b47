package exprtest

import (
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/expr"
)

// A decoded float: not a number, infinite, or a number that a big.Float holds
// exactly, the sign of zero included.
type decoded struct {
	nan bool
	inf int // its sign
	num *big.Float
}

// layout returns the bits of the fraction and the exponent of the least normal
// number of floats of width bits.
func layout(width uint8) (fraction, least int) {
	if width == 32 {
		return 23, -126
	}
	return 52, -1022
}

// decode reads the bits of a float as IEEE 754 lays them out.
func decode(v uint64, width uint8) decoded {
	fraction, least := layout(width)
	negative := v>>(width-1) == 1
	sig := v & (1<<fraction - 1)
	field := v >> fraction & (1<<(int(width)-1-fraction) - 1)
	switch {
	case field == 1<<(int(width)-1-fraction)-1 && sig != 0:
		return decoded{nan: true}
	case field == 1<<(int(width)-1-fraction)-1 && negative:
		return decoded{inf: -1}
	case field == 1<<(int(width)-1-fraction)-1:
		return decoded{inf: 1}
	case field != 0:
		sig |= 1 << fraction
		field--
	}
	f := new(big.Float).SetUint64(sig)
	f.SetMantExp(f, least+int(field)-fraction)
	if negative {
		f.Neg(f)
	}
	return decoded{num: f}
}

// roundBig returns the bits of the float of width bits nearest to f, of the two
// nearest the one whose last bit is 0.
func roundBig(f *big.Float, width uint8) uint64 {
	fraction, least := layout(width)
	var sign uint64
	if f.Signbit() {
		sign = 1 << (width - 1)
	}
	if f.Sign() == 0 {
		return sign
	}
	// The distance of neighbours is 2^unit; f is rounded to a multiple.
	exponent := max(f.MantExp(nil)-1, least)
	unit := exponent - fraction
	scaled := new(big.Float).Copy(f)
	scaled.Abs(scaled).SetMantExp(scaled, -unit)
	whole, _ := scaled.Int(nil)
	rest := new(big.Float).SetPrec(10_000).Sub(scaled, new(big.Float).SetPrec(10_000).SetInt(whole))
	if c := rest.Cmp(big.NewFloat(0.5)); c > 0 || c == 0 && whole.Bit(0) == 1 {
		whole.Add(whole, big.NewInt(1))
	}
	// Where it is normal the highest bit of whole counts as one in the exponent.
	bits := whole.Uint64() + uint64(exponent-least)<<fraction
	return sign | min(bits, (1<<(int(width)-1-fraction)-1)<<fraction)
}

// evalFloat is Eval for the operators over floats, over exact numbers and from
// the rules of IEEE 754 for what is none.
func (t *Tree) evalFloat(env map[string]uint64) uint64 {
	from := t.Args[0].Width
	raw := [2]uint64{t.Args[0].Eval(env)}
	x := decode(raw[0], from)
	y := x
	if len(t.Args) > 1 {
		raw[1] = t.Args[1].Eval(env)
		y = decode(raw[1], from)
	}
	sign := func(i int) uint64 { return raw[i] >> (from - 1) }
	inf := func(sign uint64) uint64 {
		fraction, _ := layout(t.Width)
		return sign<<(t.Width-1) | (1<<(int(t.Width)-1-fraction)-1)<<fraction
	}
	zero := func(sign uint64) uint64 { return sign << (t.Width - 1) }
	finite := x.inf == 0 && y.inf == 0
	number := func() *big.Float { return new(big.Float).SetPrec(10_000) }
	order := func() int {
		if finite {
			return x.num.Cmp(y.num)
		}
		return x.inf - y.inf
	}
	truth := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	nan := x.nan || y.nan
	switch t.Op {
	case expr.FEq:
		return truth(!nan && order() == 0)
	case expr.FLt:
		return truth(!nan && order() < 0)
	case expr.FLe:
		return truth(!nan && order() <= 0)
	case expr.FToS:
		least := uint64(1) << (t.Width - 1)
		if nan || !finite {
			return least
		}
		i, _ := x.num.Int(nil)
		if i.BitLen() >= int(t.Width) {
			return least
		}
		return uint64(i.Int64()) & (^uint64(0) >> (64 - t.Width))
	}
	if nan {
		return expr.NaN(t.Width)
	}
	switch t.Op {
	case expr.FAdd:
		switch {
		case x.inf*y.inf < 0:
			return expr.NaN(t.Width)
		case x.inf != 0:
			return inf(sign(0))
		case y.inf != 0:
			return inf(sign(1))
		}
		sum := number().Add(x.num, y.num)
		if sum.Sign() == 0 {
			return zero(sign(0) & sign(1))
		}
		return roundBig(sum, t.Width)
	case expr.FMul:
		switch {
		case finite:
			return roundBig(number().Mul(x.num, y.num), t.Width)
		case x.inf == 0 && x.num.Sign() == 0, y.inf == 0 && y.num.Sign() == 0:
			return expr.NaN(t.Width)
		}
		return inf(sign(0) ^ sign(1))
	case expr.FDiv:
		switch {
		case x.inf != 0 && y.inf != 0, finite && x.num.Sign() == 0 && y.num.Sign() == 0:
			return expr.NaN(t.Width)
		case x.inf != 0 || y.inf == 0 && y.num.Sign() == 0:
			return inf(sign(0) ^ sign(1))
		case y.inf != 0:
			return zero(sign(0) ^ sign(1))
		}
		return roundBig(number().Quo(x.num, y.num), t.Width)
	case expr.FSqrt:
		switch {
		case x.inf == 0 && x.num.Sign() == 0:
			return raw[0]
		case sign(0) == 1:
			return expr.NaN(t.Width)
		case x.inf != 0:
			return inf(0)
		}
		return roundBig(number().Sqrt(x.num), t.Width)
	case expr.FConv:
		if !finite {
			return inf(sign(0))
		}
		return roundBig(x.num, t.Width)
	case expr.FRound:
		if !finite {
			return inf(sign(0))
		}
		return sign(0)<<(t.Width-1) | roundBig(number().SetInt(whole(x.num, expr.Rounding(t.Lo))), t.Width)
	}
	panic(t.Op)
}

// whole rounds x to a whole number.
func whole(x *big.Float, r expr.Rounding) *big.Int {
	below, accuracy := x.Int(nil) // truncated
	if accuracy == big.Above {
		below.Sub(below, big.NewInt(1))
	}
	if accuracy == big.Exact {
		return below
	}
	above := new(big.Int).Add(below, big.NewInt(1))
	middle := new(big.Float).SetPrec(10_000).SetInt(below)
	middle.Add(middle, big.NewFloat(0.5))
	nearest := below
	if c := x.Cmp(middle); c > 0 || c == 0 && (r == expr.ToEven && below.Bit(0) == 1 || r == expr.ToAway && x.Sign() > 0) {
		nearest = above
	}
	switch {
	case r == expr.ToNegative, r == expr.ToZero && x.Sign() > 0:
		return below
	case r == expr.ToPositive, r == expr.ToZero:
		return above
	}
	return nearest
}

// BoundaryFloat returns a float of width bits: a special one, one next to a
// limit, or one with few bits set.
func BoundaryFloat(r *rand.Rand, width uint8) uint64 {
	fraction, _ := layout(width)
	field := uint64(1)<<(int(width)-1-fraction) - 1
	near := uint64(r.IntN(5)) - 2
	var v uint64
	switch r.IntN(6) {
	case 0:
		return r.Uint64() >> (64 - width)
	case 1: // next to zero and to the least normal number
		v = uint64(r.IntN(2))<<fraction + near
	case 2: // next to infinity
		v = field<<fraction + near
	case 3: // next to a power of two of the size of integers
		v = (field/2+uint64(r.IntN(70)))<<fraction + near
	case 4: // a small number
		f := float64(r.IntN(41)-20) / 4
		if width == 32 {
			return uint64(math.Float32bits(float32(f)))
		}
		return math.Float64bits(f)
	case 5:
		v = uint64(r.IntN(int(field+1)))<<fraction | r.Uint64()>>(64-fraction)
	}
	return (v | uint64(r.IntN(2))<<(width-1)) & (^uint64(0) >> (64 - width))
}
