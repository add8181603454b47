package bitblast

import (
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve/sat"
)

// Circuits for floating point, after the algorithms of the Handbook of
// Floating-Point Arithmetic (Muller et al., 2nd edition, chapter 8) and the
// construction of symfpu (Brain, Schanda, Sun: Building Better Bit-Blasting for
// Floating-Point Problems, TACAS 2019). Operands are unpacked, what they give is
// computed with two bits and a sticky bit more than the result has, and rounded
// to the nearest, ties to even. The formats are parameters: tests go through all
// values of small ones.

// floatFormat is a binary format of IEEE 754.
type floatFormat struct {
	exponent    int    // bits of the exponent
	significand int    // bits of the significand, the hidden one included
	nan         uint64 // the one that operations give
}

// formatOf returns the format of floats of width bits.
func formatOf(width uint8) floatFormat {
	if width == 32 {
		return floatFormat{8, 24, expr.NaN(32)}
	}
	return floatFormat{11, 53, expr.NaN(64)}
}

func (f floatFormat) width() int { return f.exponent + f.significand }

// bias is the exponent that the field of a number in [1, 2) holds.
func (f floatFormat) bias() int { return 1<<(f.exponent-1) - 1 }

// least is the exponent of the least normal number.
func (f floatFormat) least() int { return 1 - f.bias() }

// unpacked is a float taken apart. Exponent and significand have a meaning for
// numbers that are finite and not zero.
type unpacked struct {
	nan, inf, zero, sign sat.Lit
	// The number is significand * 2^(exponent - bits of significand + 1), and the
	// highest bit of the significand is 1. The exponent is signed.
	exponent    word
	significand word
}

// float is the float of a format that an operation gives, by cases, the first
// that holds.
type float struct {
	nan, inf, zero, sign sat.Lit
	finite               word // as bits, without the sign
}

// pack returns the bits of x.
func (b *Blaster) pack(f floatFormat, x float) word {
	n := f.width() - 1
	infinite := b.constWord(uint64(1<<f.exponent-1)<<(f.significand-1), n)
	w := b.choose(x.zero, b.constWord(0, n), x.finite)
	w = b.choose(x.inf, infinite, w)
	return b.choose(x.nan, b.constWord(f.nan, n+1), append(w, x.sign))
}

// fields returns the fraction and the exponent of the float x.
func (f floatFormat) fields(x word) (fraction, exponent word) {
	return x[:f.significand-1], x[f.significand-1 : f.width()-1]
}

func (b *Blaster) unpack(f floatFormat, x word) unpacked {
	fraction, exponent := f.fields(x)
	low, ones := b.any(exponent).Not(), b.all(append(word(nil), exponent...))
	some := b.any(fraction)
	u := unpacked{
		nan:  b.and(ones, some),
		inf:  b.and(ones, some.Not()),
		zero: b.and(low, some.Not()),
		sign: x[len(x)-1],
	}
	// A subnormal number has the exponent of the least normal one.
	n := f.signedBits()
	biased := extend(exponent, n, b.truth.Not())
	biased = append(word{b.or(biased[0], low)}, biased[1:]...)
	unbiased := b.add(biased, b.constWord(uint64(-f.bias()), n), b.truth.Not())
	significand, shift := b.normalise(append(append(word(nil), fraction...), low.Not()))
	u.significand = significand
	u.exponent = b.sub(unbiased, extend(shift, n, b.truth.Not()))
	return u
}

// signedBits is the width of signed exponents, wide enough for those of
// subnormal numbers, of products and of quotients.
func (f floatFormat) signedBits() int { return max(f.exponent+3, 8) }

func (b *Blaster) sub(x, y word) word { return b.add(x, not(y), b.truth) }

// normalise shifts x to the left until its highest bit is 1, and returns by how
// much, too. Of zero it returns zero and some count.
func (b *Blaster) normalise(x word) (shifted, count word) {
	stages := 0
	for 1<<stages < len(x) {
		stages++
	}
	count = make(word, stages)
	for stage := stages - 1; stage >= 0; stage-- {
		k := min(1<<stage, len(x))
		clear := b.any(x[len(x)-k:]).Not()
		left := append(b.constWord(0, k), x[:len(x)-k]...)
		x = b.choose(clear, left, x)
		count[stage] = clear
	}
	return x, count
}

// shiftRightSticky shifts x to the right; its lowest bit is 1 if a bit shifted
// out was.
func (b *Blaster) shiftRightSticky(x, count word) word {
	sticky := b.truth.Not()
	var beyond word // bits of the count that shift everything out
	w := x
	for stage, bit := range count {
		if stage > 6 || 1<<stage >= len(x) {
			beyond = append(beyond, bit)
			continue
		}
		k := 1 << stage
		sticky = b.or(sticky, b.and(bit, b.any(w[:k])))
		w = b.choose(bit, extend(w[k:], len(w), b.truth.Not()), w)
	}
	out := b.any(beyond)
	sticky = b.or(sticky, b.and(out, b.any(w)))
	w = b.choose(out, b.constWord(0, len(w)), w)
	return append(word{b.or(w[0], sticky)}, w[1:]...)
}

// round returns the float nearest to significand * 2^(exponent - bits of
// significand + 1), where the highest bit of the significand is 1 and the lowest
// may be a sticky bit, and whether it is infinite because the number is too large.
// The exponent is signed.
func (b *Blaster) round(f floatFormat, exponent, significand word) word {
	// Two bits more than the result has, and the others as one.
	n := f.significand + 2
	zero := b.truth.Not()
	if len(significand) < n {
		significand = append(b.constWord(0, n-len(significand)), significand...)
	}
	cut := len(significand) - n
	sig := append(word{b.or(significand[cut], b.any(significand[:cut]))}, significand[cut+1:]...)
	// Below the least normal number bits go out at the lower end.
	k := max(len(exponent), f.signedBits()) + 1
	exponent = extend(exponent, k, exponent[len(exponent)-1])
	below := b.sub(b.constWord(uint64(f.least()), k), exponent) // > 0 if subnormal
	subnormal := b.and(below[k-1].Not(), b.any(below))
	shift := make(word, k-1)
	for i := range shift {
		shift[i] = b.and(subnormal, below[i])
	}
	sig = b.shiftRightSticky(sig, shift)
	// The exponent's field and the fraction, as one number, take the carry right,
	// up to infinity.
	biased := b.add(exponent, b.constWord(uint64(f.bias()), k), zero)
	field := b.choose(subnormal, b.constWord(0, k), biased)
	up := b.and(sig[1], b.any(word{sig[0], sig[2]}))
	w := append(append(word(nil), sig[2:n-1]...), field[:f.exponent]...)
	w = b.add(w, b.constWord(0, len(w)), up)
	over := b.or(b.any(field[f.exponent:]), b.all(append(word(nil), field[:f.exponent]...)))
	return b.choose(over, b.constWord(uint64(1<<f.exponent-1)<<(f.significand-1), len(w)), w)
}

// addFloat returns x + y.
func (b *Blaster) addFloat(f floatFormat, x, y word) word {
	zero := b.truth.Not()
	n := f.width() - 1
	// Let |x| >= |y|.
	swap := b.less(x[:n], y[:n])
	x, y = b.choose(swap, y, x), b.choose(swap, x, y)
	p, q := b.class(f, x), b.class(f, y)
	// Significands that need not be normal, with three bits for what is lost.
	align := func(v word) (exponent, significand word) {
		fraction, field := f.fields(v)
		normal := b.any(field)
		exponent = append(word{b.or(field[0], normal.Not())}, field[1:]...)
		significand = append(b.constWord(0, 3), fraction...)
		return exponent, append(significand, normal, zero)
	}
	ex, sx := align(x)
	ey, sy := align(y)
	sy = b.shiftRightSticky(sy, b.sub(ex, ey))
	subtract := b.xor(p.sign, q.sign)
	for i := range sy {
		sy[i] = b.xor(sy[i], subtract)
	}
	sum := b.add(sx, sy, subtract)
	significand, shift := b.normalise(sum)
	k := f.signedBits()
	exponent := b.add(extend(ex, k, zero), b.constWord(uint64(1-f.bias()), k), zero)
	exponent = b.sub(exponent, extend(shift, k, zero))
	none := b.any(sum).Not()
	return b.pack(f, float{
		nan:    b.or(b.or(p.nan, q.nan), b.and(b.and(p.inf, q.inf), subtract)),
		inf:    p.inf,
		zero:   none,
		sign:   b.mux(b.and(none, p.inf.Not()), b.and(p.sign, q.sign), p.sign),
		finite: b.round(f, exponent, significand),
	})
}

// class returns what kind of float x is, without its number.
func (b *Blaster) class(f floatFormat, x word) unpacked {
	fraction, exponent := f.fields(x)
	ones, some := b.all(append(word(nil), exponent...)), b.any(fraction)
	return unpacked{
		nan:  b.and(ones, some),
		inf:  b.and(ones, some.Not()),
		zero: b.any(x[:len(x)-1]).Not(),
		sign: x[len(x)-1],
	}
}

// mulFloat returns x * y.
func (b *Blaster) mulFloat(f floatFormat, x, y word) word {
	zero := b.truth.Not()
	p, q := b.unpack(f, x), b.unpack(f, y)
	n := 2 * f.significand
	product := b.product(extend(p.significand, n, zero), extend(q.significand, n, zero))
	exponent := b.add(p.exponent, q.exponent, zero)
	significand, exponent := b.renormalise(product, exponent)
	return b.pack(f, float{
		nan: b.or(b.or(p.nan, q.nan), b.or(b.and(p.inf, q.zero), b.and(p.zero, q.inf))),
		inf: b.or(p.inf, q.inf), zero: b.or(p.zero, q.zero),
		sign:   b.xor(p.sign, q.sign),
		finite: b.round(f, exponent, significand),
	})
}

// renormalise normalises a significand whose highest bit or the next is 1; the
// exponent is that of the next.
func (b *Blaster) renormalise(significand, exponent word) (word, word) {
	top := significand[len(significand)-1]
	left := append(b.constWord(0, 1), significand[:len(significand)-1]...)
	return b.choose(top, significand, left), b.add(exponent, b.constWord(0, len(exponent)), top)
}

// divFloat returns x / y, by restoring division of the significands.
func (b *Blaster) divFloat(f floatFormat, x, y word) word {
	zero := b.truth.Not()
	p, q := b.unpack(f, x), b.unpack(f, y)
	n := f.significand
	rem, by := extend(p.significand, n+1, zero), extend(q.significand, n+1, zero)
	quo := make(word, n+3)
	for i := len(quo) - 1; i >= 0; i-- {
		fits := b.less(rem, by).Not()
		quo[i] = fits
		rem = b.choose(fits, b.sub(rem, by), rem)
		rem = append(word{zero}, rem[:n]...) // less than by, so that its highest bit was 0
	}
	quo = append(word{b.any(rem)}, quo...)
	// The quotient is in (1/2, 2).
	exponent := b.add(b.sub(p.exponent, q.exponent), b.constWord(^uint64(0), len(p.exponent)), zero)
	significand, exponent := b.renormalise(quo, exponent)
	return b.pack(f, float{
		nan: b.or(b.or(p.nan, q.nan), b.or(b.and(p.inf, q.inf), b.and(p.zero, q.zero))),
		inf: b.or(p.inf, q.zero), zero: b.or(p.zero, q.inf),
		sign:   b.xor(p.sign, q.sign),
		finite: b.round(f, exponent, significand),
	})
}

// sqrtFloat returns the square root of x, bit by bit from the highest: a bit is
// 1 if the square of what there is with it is not more than x.
func (b *Blaster) sqrtFloat(f floatFormat, x word) word {
	zero := b.truth.Not()
	p := b.unpack(f, x)
	n := f.significand + 2 // bits of the root
	// x is r * 2^(exponent of the root * 2), r in [1, 4).
	odd := p.exponent[0]
	radicand := append(b.constWord(0, 2*n-f.significand-1), p.significand...)
	radicand = append(radicand, zero)
	radicand = b.choose(odd, append(word{zero}, radicand[:len(radicand)-1]...), radicand)
	sign := p.exponent[len(p.exponent)-1]
	exponent := append(append(word(nil), p.exponent[1:]...), sign)
	root := word{}
	rem := b.constWord(0, n+2)
	for i := n - 1; i >= 0; i-- {
		rem = append(word{radicand[2*i], radicand[2*i+1]}, rem[:n]...)
		trial := extend(append(word{b.truth, zero}, root...), n+2, zero)
		fits := b.less(rem, trial).Not()
		rem = b.choose(fits, b.sub(rem, trial), rem)
		root = append(word{fits}, root...)
	}
	root = append(word{b.any(rem)}, root...)
	return b.pack(f, float{
		nan: b.or(p.nan, b.and(p.sign, p.zero.Not())),
		inf: p.inf, zero: p.zero,
		sign:   p.sign,
		finite: b.round(f, exponent, root),
	})
}

// roundToWhole returns x rounded to a whole number. Subnormal numbers of the format
// have to be below a half.
func (b *Blaster) roundToWhole(f floatFormat, rounding expr.Rounding, x word) word {
	zero := b.truth.Not()
	n := f.significand - 1
	p := b.class(f, x)
	fraction, field := f.fields(x)
	k := f.signedBits()
	exponent := b.add(extend(field, k, zero), b.constWord(uint64(-f.bias()), k), zero)
	small := exponent[k-1] // below 1
	large := b.and(small.Not(), b.less(exponent, b.constWord(uint64(n), k)).Not())

	// Of numbers in between, the bits of the fraction that mask has are below the
	// point: the highest of them is a half, and unit has the lowest one above.
	mask := b.shiftRight(b.constWord(1<<n-1, n), exponent[:k-1], zero)
	unit, odd := make(word, n+1), zero
	for i := range unit {
		below, here, bit := b.truth, zero, b.truth // the point is below the hidden bit, at most
		if i > 0 {
			below = mask[i-1]
		}
		if i < n {
			here, bit = mask[i], fraction[i]
		}
		unit[i] = b.and(below, here.Not())
		odd = b.or(odd, b.and(unit[i], bit))
	}
	half, rest := zero, zero
	magnitude := slices.Clone(x[:f.width()-1])
	for i := range n {
		half = b.or(half, b.and(unit[i+1], fraction[i]))
		rest = b.or(rest, b.and(b.and(mask[i], unit[i+1].Not()), fraction[i]))
		magnitude[i] = b.and(fraction[i], mask[i].Not())
	}

	// Below 1 the fraction is a half or more if the exponent is -1.
	some := b.any(fraction)
	least := b.all(append(word(nil), exponent...)) // -1
	half = b.mux(small, least, half)
	rest = b.mux(small, b.or(b.and(least.Not(), p.zero.Not()), some), rest)
	odd = b.and(odd, small.Not())
	var up sat.Lit
	switch rounding {
	case expr.ToEven:
		up = b.and(half, b.or(rest, odd))
	case expr.ToAway:
		up = half
	case expr.ToPositive:
		up = b.and(p.sign.Not(), b.or(half, rest))
	case expr.ToNegative:
		up = b.and(p.sign, b.or(half, rest))
	case expr.ToZero:
		up = zero
	}
	// Where it is carried into the exponent, that is right.
	more := b.choose(up, extend(unit, len(magnitude), zero), b.constWord(0, len(magnitude)))
	magnitude = b.add(magnitude, more, zero)
	one := b.choose(up, b.constWord(uint64(f.bias())<<n, len(magnitude)), b.constWord(0, len(magnitude)))
	magnitude = b.choose(small, one, magnitude)
	magnitude = b.choose(large, x[:len(magnitude)], magnitude)
	return b.choose(p.nan, b.constWord(f.nan, len(x)), append(magnitude, p.sign))
}

// compareFloat returns whether x op y.
func (b *Blaster) compareFloat(op expr.Op, f floatFormat, x, y word) word {
	n := f.width() - 1
	p, q := b.class(f, x), b.class(f, y)
	ordered := b.and(p.nan.Not(), q.nan.Not())
	zeros := b.and(p.zero, q.zero)
	equal := b.or(zeros, b.equal(x, y))
	if op == expr.FEq {
		return word{b.and(ordered, equal)}
	}
	// Of negative numbers the one with the greater magnitude is less.
	above := b.less(y[:n], x[:n])
	below := b.less(x[:n], y[:n])
	less := b.mux(b.xor(p.sign, q.sign), p.sign, b.mux(p.sign, above, below))
	less = b.and(less, zeros.Not())
	if op == expr.FLe {
		less = b.or(less, equal)
	}
	return word{b.and(ordered, less)}
}

// convFloat returns x, a float of format from, in format to.
func (b *Blaster) convFloat(from, to floatFormat, x word) word {
	p := b.unpack(from, x)
	return b.pack(to, float{
		nan: p.nan, inf: p.inf, zero: p.zero, sign: p.sign,
		finite: b.round(to, p.exponent, p.significand),
	})
}

// fromInteger returns the float nearest to the integer x.
func (b *Blaster) fromInteger(f floatFormat, x word, signed bool) word {
	never := b.truth.Not()
	sign := never
	if signed {
		sign = x[len(x)-1]
		x = b.negateIf(sign, x)
	}
	significand, shift := b.normalise(x)
	const n = 8 // bits for exponents up to 63
	exponent := b.sub(b.constWord(uint64(len(x)-1), n), extend(shift, n, never))
	return b.pack(f, float{
		nan: never, inf: never, zero: b.any(x).Not(), sign: sign,
		finite: b.round(f, exponent, significand),
	})
}

// toInteger returns the float x truncated to a signed integer of width bits, the
// least one if it is out of range.
func (b *Blaster) toInteger(f floatFormat, x word, width int) word {
	zero := b.truth.Not()
	fraction, field := f.fields(x)
	k := f.signedBits()
	exponent := b.add(extend(field, k, zero), b.constWord(uint64(-f.bias()), k), zero)
	small := exponent[k-1]
	// The greatest integers have exponent width-2. Of those the significand is
	// here, and it is to be shifted to the right for others.
	shift := b.sub(b.constWord(uint64(width-2), k), exponent)
	large := b.or(b.and(shift[k-1], small.Not()), b.all(append(word(nil), field...)))
	whole := append(append(word(nil), fraction...), b.truth)
	cut := max(len(whole)-(width-1), 0)
	whole = append(b.constWord(0, max(width-1-len(whole), 0)), whole...)
	whole = b.shiftRight(whole, shift, zero)[cut:]
	w := b.negateIf(x[len(x)-1], append(whole, zero))
	w = b.choose(small, b.constWord(0, width), w)
	return b.choose(large, b.constWord(1<<(width-1), width), w)
}
