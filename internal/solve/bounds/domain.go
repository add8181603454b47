package bounds

import (
	"math"
	"math/bits"

	"github.com/everyway-go/everyway/internal/expr"
)

// A domain bounds the values of an expression in three ways: as an unsigned and
// as a signed number, and bit by bit.
type domain struct {
	lo, hi      uint64
	least, most int64
	zeros, ones uint64 // bits known to be 0 and 1; those above the width are 0
}

func maskOf(width uint8) uint64 { return ^uint64(0) >> (64 - width) }

// signedOf returns v, a value of width bits, as a signed number.
func signedOf(v uint64, width uint8) int64 { return int64(v<<(64-width)) >> (64 - width) }

// anything is the domain of an expression that nothing is known of.
func anything(width uint8) domain {
	m := maskOf(width)
	return domain{hi: m, least: -int64(m>>1) - 1, most: int64(m >> 1), zeros: ^m}
}

func exactly(v uint64, width uint8) domain {
	v &= maskOf(width)
	s := signedOf(v, width)
	return domain{lo: v, hi: v, least: s, most: s, zeros: ^v, ones: v}
}

// unsigned, signed and known make domains by one of the three; tighten does the rest.
func unsigned(lo, hi uint64, width uint8) domain {
	d := anything(width)
	d.lo, d.hi = lo, hi
	return d
}

func signed(least, most int64, width uint8) domain {
	d := anything(width)
	d.least, d.most = least, most
	return d
}

func known(zeros, ones uint64, width uint8) domain {
	d := anything(width)
	m := maskOf(width)
	d.zeros, d.ones = zeros|^m, ones&m
	return d
}

// value returns the only value of d, if there is just one.
func (d *domain) value() (v uint64, ok bool) { return d.lo, d.lo == d.hi }

// is reports whether v is the only value of d.
func (d *domain) is(v uint64) bool { return d.lo == v && d.hi == v }

// meet returns the values that are in both.
func (d domain) meet(e domain) domain {
	return domain{
		lo: max(d.lo, e.lo), hi: min(d.hi, e.hi),
		least: max(d.least, e.least), most: min(d.most, e.most),
		zeros: d.zeros | e.zeros, ones: d.ones | e.ones,
	}
}

// join returns a domain of the values that are in one of them.
func (d domain) join(e domain) domain {
	return domain{
		lo: min(d.lo, e.lo), hi: max(d.hi, e.hi),
		least: min(d.least, e.least), most: max(d.most, e.most),
		zeros: d.zeros & e.zeros, ones: d.ones & e.ones,
	}
}

// tighten narrows each of the three by the other two. It reports false if no value
// is left.
func (d *domain) tighten(width uint8) bool {
	m := maskOf(width)
	sign := m>>1 + 1
	for range 2 {
		d.lo, d.hi = max(d.lo, d.ones), min(d.hi, ^d.zeros)
		if d.hi < sign || d.lo >= sign { // one sign only
			d.least, d.most = max(d.least, signedOf(d.lo, width)), min(d.most, signedOf(d.hi, width))
		}
		if d.least >= 0 || d.most < 0 {
			d.lo, d.hi = max(d.lo, uint64(d.least)&m), min(d.hi, uint64(d.most)&m)
		}
		if d.lo > d.hi || d.least > d.most {
			return false
		}
		same := ^uint64(0) << bits.Len64(d.lo^d.hi) // the highest bits
		d.ones |= d.lo & same
		d.zeros |= ^d.lo & same
		if d.zeros&d.ones != 0 {
			return false
		}
	}
	return true
}

// trailing returns how many of the lowest bits are known, and how many are
// known to be 0.
func (d *domain) trailing() (n, zeros int) {
	return bits.TrailingZeros64(^(d.zeros | d.ones)), bits.TrailingZeros64(^d.zeros)
}

// addBits returns what is known of the bits of a sum with a carry. (As LLVM's
// KnownBits: a bit of the sum is known where both bits and the carry into
// them are.)
func addBits(x, y domain, carry uint64, width uint8) domain {
	most, least := ^x.zeros+^y.zeros+carry, x.ones+y.ones+carry
	carries := ^(most ^ x.zeros ^ y.zeros) | (least ^ x.ones ^ y.ones)
	sure := (x.zeros | x.ones) & (y.zeros | y.ones) & carries
	return known(^most&sure, least&sure, width)
}

// complement returns the domain of the values of d with each bit inverted.
func (d domain) complement(width uint8) domain {
	m := maskOf(width)
	return domain{
		lo: ^d.hi & m, hi: ^d.lo & m, least: ^d.most, most: ^d.least,
		zeros: d.ones | ^m, ones: d.zeros & m,
	}
}

func addDomains(x, y domain, width uint8) domain {
	m := maskOf(width)
	d := addBits(x, y, 0, width)
	lo, low := bits.Add64(x.lo, y.lo, 0)
	hi, high := bits.Add64(x.hi, y.hi, 0)
	if width < 64 {
		low, high = lo>>width, hi>>width
	}
	if low == high { // all sums wrap around, or none
		d.lo, d.hi = lo&m, hi&m
	}
	least, ok1 := fit(x.least, y.least, x.least+y.least, width)
	most, ok2 := fit(x.most, y.most, x.most+y.most, width)
	if ok1 && ok2 {
		d.least, d.most = least, most
	}
	return d
}

// fit returns the sum of x and y, and whether it is a signed number of the width.
func fit(x, y, sum int64, width uint8) (int64, bool) {
	overflow := (x^sum)&(y^sum) < 0
	return sum, !overflow && signedOf(uint64(sum), width) == sum
}

func subDomains(x, y domain, width uint8) domain {
	m := maskOf(width)
	d := addBits(x, y.complement(width), 1, width)
	_, low := bits.Sub64(x.lo, y.hi, 0)
	_, high := bits.Sub64(x.hi, y.lo, 0)
	if low == high {
		d.lo, d.hi = (x.lo-y.hi)&m, (x.hi-y.lo)&m
	}
	least, ok1 := fit(x.least, ^y.most, x.least-y.most, width)
	most, ok2 := fit(x.most, ^y.least, x.most-y.least, width)
	if ok1 && ok2 {
		d.least, d.most = least, most
	}
	return d
}

func mulDomains(x, y domain, width uint8) domain {
	m := maskOf(width)
	knownX, zerosX := x.trailing()
	knownY, zerosY := y.trailing()
	low := uint64(1)<<min(knownX, knownY) - 1
	product := x.ones * y.ones
	zeros := uint64(1)<<min(zerosX+zerosY, 64) - 1
	d := known(^product&low|zeros, product&low, width)
	if over, hi := bits.Mul64(x.hi, y.hi); over == 0 && hi <= m {
		d.lo, d.hi = x.lo*y.lo, hi
	}
	// Signed products that fit in half a word cannot overflow.
	const half = math.MaxInt32
	if x.least >= -half && x.most <= half && y.least >= -half && y.most <= half {
		a, b, c, e := x.least*y.least, x.least*y.most, x.most*y.least, x.most*y.most
		least, most := min(a, b, c, e), max(a, b, c, e)
		if signedOf(uint64(least), width) == least && signedOf(uint64(most), width) == most {
			d.least, d.most = least, most
		}
	}
	return d
}

// mulHiDomains bounds the high half of a product.
func mulHiDomains(x, y domain, width uint8) domain {
	high := func(v, w uint64) uint64 {
		hi, lo := bits.Mul64(v, w)
		return hi<<(64-width) | lo>>width
	}
	return unsigned(high(x.lo, y.lo), high(x.hi, y.hi), width)
}

func udivDomains(x, y domain, width uint8) domain {
	d := anything(width) // also dividing by zero gives no less than x / y.hi
	if y.hi > 0 {
		d.lo = x.lo / y.hi
	}
	if y.lo > 0 {
		d.hi = x.hi / y.lo
	}
	return d
}

func uremDomains(x, y domain, width uint8) domain {
	switch {
	case x.hi < y.lo:
		return x
	case y.lo > 0:
		return unsigned(0, min(x.hi, y.hi-1), width)
	}
	return unsigned(0, x.hi, width)
}

func sdivDomains(x, y domain, width uint8) domain {
	if y.least <= 0 {
		return anything(width)
	}
	a, b, c, e := x.least/y.least, x.least/y.most, x.most/y.least, x.most/y.most
	return signed(min(a, b, c, e), max(a, b, c, e), width)
}

func sremDomains(x, y domain, width uint8) domain {
	if y.least <= 0 {
		return anything(width)
	}
	return signed(min(0, max(x.least, 1-y.most)), max(0, min(x.most, y.most-1)), width)
}

func shlDomains(x, y domain, width uint8) domain {
	w := uint64(width)
	if y.lo >= w {
		return exactly(0, width)
	}
	k := y.lo
	_, zeros := x.trailing()
	d := known(uint64(1)<<min(uint64(zeros)+k, 64)-1, 0, width)
	if y.hi == k {
		d = known(x.zeros<<k|(1<<k-1), x.ones<<k, width)
	}
	if y.hi < w && uint64(bits.Len64(x.hi))+y.hi <= w {
		d.lo, d.hi = x.lo<<k, x.hi<<y.hi
	}
	return d
}

func lshrDomains(x, y domain, width uint8) domain {
	d := unsigned(x.lo>>y.hi, x.hi>>y.lo, width) // shifts of 64 and more give 0, as Go's do
	if y.lo == y.hi {
		d.zeros, d.ones = x.zeros>>y.lo|^(^uint64(0)>>y.lo), x.ones>>y.lo
	}
	return d
}

func ashrDomains(x, y domain, width uint8) domain {
	below, above := y.lo, y.lo // shifts are towards 0 and -1
	if x.least >= 0 {
		below = y.hi
	}
	if x.most < 0 {
		above = y.hi
	}
	d := signed(x.least>>below, x.most>>above, width)
	if y.lo == y.hi && y.lo < uint64(width) {
		unused := 64 - width
		zeros, ones := int64(x.zeros<<unused)>>unused, int64(x.ones<<unused)>>unused
		e := known(uint64(zeros>>y.lo), uint64(ones>>y.lo), width)
		d.zeros, d.ones = e.zeros, e.ones
	}
	return d
}

// extractDomain bounds the bits of x from bit lo upwards.
func extractDomain(x domain, lo, width uint8) domain {
	d := known(x.zeros>>lo, x.ones>>lo, width)
	if a, b := x.lo>>lo, x.hi>>lo; width < 64 && a>>width == b>>width {
		d.lo, d.hi = a&maskOf(width), b&maskOf(width)
	}
	return d
}

// concatDomains bounds the bits of hi above the k bits of lo.
func concatDomains(hi, lo domain, k, width uint8) domain {
	d := known(hi.zeros<<k|lo.zeros&maskOf(k), hi.ones<<k|lo.ones, width)
	d.lo, d.hi = hi.lo<<k|lo.lo, hi.hi<<k|lo.hi
	return d
}

// zextDomain bounds x widened with zeros.
func zextDomain(x domain, width uint8) domain {
	d := unsigned(x.lo, x.hi, width)
	d.zeros, d.ones = x.zeros, x.ones
	return d
}

// sextDomain bounds x, of the width from, widened with its sign.
func sextDomain(x domain, from, width uint8) domain {
	unused := 64 - from
	zeros, ones := int64(x.zeros<<unused)>>unused, int64(x.ones<<unused)>>unused
	d := known(uint64(zeros), uint64(ones), width)
	d.least, d.most = x.least, x.most
	return d
}

// truth returns the domain of a comparison that is known to be true, or false.
func truth(yes, no bool) domain {
	switch {
	case yes:
		return exactly(1, 1)
	case no:
		return exactly(0, 1)
	}
	return anything(1)
}

func equalDomains(x, y domain) domain {
	_, single := x.value()
	apart := x.hi < y.lo || y.hi < x.lo || x.most < y.least || y.most < x.least || (x.zeros&y.ones|x.ones&y.zeros) != 0
	return truth(single && x.lo == y.lo && y.lo == y.hi, apart)
}

// binaryDomain bounds the result of a binary operator over operands of the
// width. It reports false for an operator that it knows nothing of.
func binaryDomain(op expr.Op, x, y domain, width uint8) (domain, bool) {
	switch op {
	case expr.And:
		d := known(x.zeros|y.zeros, x.ones&y.ones, width)
		d.hi = min(x.hi, y.hi)
		return d, true
	case expr.Or:
		d := known(x.zeros&y.zeros, x.ones|y.ones, width)
		d.lo = max(x.lo, y.lo)
		return d, true
	case expr.Xor:
		return known(x.zeros&y.zeros|x.ones&y.ones, x.zeros&y.ones|x.ones&y.zeros, width), true
	case expr.Add:
		return addDomains(x, y, width), true
	case expr.Sub:
		return subDomains(x, y, width), true
	case expr.Mul:
		return mulDomains(x, y, width), true
	case expr.UMulHi:
		return mulHiDomains(x, y, width), true
	case expr.UDiv:
		return udivDomains(x, y, width), true
	case expr.URem:
		return uremDomains(x, y, width), true
	case expr.SDiv:
		return sdivDomains(x, y, width), true
	case expr.SRem:
		return sremDomains(x, y, width), true
	case expr.Shl:
		return shlDomains(x, y, width), true
	case expr.LShr:
		return lshrDomains(x, y, width), true
	case expr.AShr:
		return ashrDomains(x, y, width), true
	case expr.Eq:
		return equalDomains(x, y), true
	case expr.Ult:
		return truth(x.hi < y.lo, x.lo >= y.hi), true
	case expr.Ule:
		return truth(x.hi <= y.lo, x.lo > y.hi), true
	case expr.Slt:
		return truth(x.most < y.least, x.least >= y.most), true
	case expr.Sle:
		return truth(x.most <= y.least, x.least > y.most), true
	}
	return domain{}, false
}
