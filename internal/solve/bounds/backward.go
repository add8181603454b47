package bounds

import (
	"math/bits"

	"github.com/everyway-go/everyway/internal/expr"
)

// backward bounds the operands of n by its own domain.
func (b *Analysis) backward(n *node) {
	d := n.domain
	switch n.op {
	case expr.Not:
		b.refine(n, 0, d.complement(n.width))
	case expr.Neg:
		b.refine(n, 0, subDomains(exactly(0, n.width), d, n.width))
	case expr.ZExt:
		b.refine(n, 0, extractDomain(d, 0, b.widthOf(n, 0)))
	case expr.SExt:
		inner := b.widthOf(n, 0)
		low := extractDomain(d, 0, inner)
		limits := anything(inner)
		low.least, low.most = max(d.least, limits.least), min(d.most, limits.most)
		b.refine(n, 0, low)
	case expr.Extract:
		b.refine(n, 0, b.extracted(n))
	case expr.Concat:
		k := b.widthOf(n, 1)
		b.refine(n, 0, extractDomain(d, k, n.width-k))
		b.refine(n, 1, extractDomain(d, 0, k))
	case expr.Ite:
		b.backwardIte(n)
	case expr.Add:
		b.refine(n, 0, subDomains(d, *b.operand(n, 1), n.width))
		b.refine(n, 1, subDomains(d, *b.operand(n, 0), n.width))
	case expr.Sub:
		b.refine(n, 0, addDomains(d, *b.operand(n, 1), n.width))
		b.refine(n, 1, subDomains(*b.operand(n, 0), d, n.width))
	case expr.And, expr.Or, expr.Xor:
		b.backwardBits(n, 0)
		b.backwardBits(n, 1)
	case expr.Mul:
		b.backwardMul(n, 0)
		b.backwardMul(n, 1)
	case expr.UDiv, expr.URem, expr.Shl, expr.LShr, expr.AShr:
		b.backwardShift(n)
	case expr.Eq:
		b.backwardEq(n)
	case expr.Ult, expr.Ule, expr.Slt, expr.Sle:
		b.backwardOrder(n)
	}
}

// extracted bounds the operand of the Extract n.
func (b *Analysis) extracted(n *node) domain {
	inner, d := b.widthOf(n, 0), n.domain
	m := maskOf(n.width)
	r := known((d.zeros&m)<<n.lo, d.ones<<n.lo, inner)
	if n.lo+n.width == inner { // the highest bits
		r.lo, r.hi = d.lo<<n.lo, d.hi<<n.lo|(1<<n.lo-1)
	}
	return r
}

func (b *Analysis) backwardIte(n *node) {
	c, yes, no := b.operand(n, 0), *b.operand(n, 1), *b.operand(n, 2)
	switch {
	case c.is(1):
		b.refine(n, 1, n.domain)
	case c.is(0):
		b.refine(n, 2, n.domain)
	default:
		if yes = yes.meet(n.domain); !yes.tighten(n.width) {
			b.refine(n, 0, exactly(0, 1))
		}
		if no = no.meet(n.domain); !no.tighten(n.width) {
			b.refine(n, 0, exactly(1, 1))
		}
	}
}

// backwardBits bounds an operand of And, Or and Xor bit by bit.
func (b *Analysis) backwardBits(n *node, side int32) {
	d, other := n.domain, b.operand(n, 1-side)
	var zeros, ones uint64
	switch n.op {
	case expr.And:
		ones, zeros = d.ones, d.zeros&other.ones
	case expr.Or:
		zeros, ones = d.zeros, d.ones&other.zeros
	default:
		zeros = d.zeros&other.zeros | d.ones&other.ones
		ones = d.ones&other.zeros | d.zeros&other.ones
	}
	b.refine(n, side, known(zeros, ones, n.width))
}

// backwardMul bounds an operand of a product that cannot overflow.
func (b *Analysis) backwardMul(n *node, side int32) {
	x, y := b.operand(n, side), b.operand(n, 1-side)
	over, most := bits.Mul64(x.hi, y.hi)
	if over != 0 || most > maskOf(n.width) || y.lo == 0 {
		return
	}
	least := n.domain.lo / y.hi
	if n.domain.lo%y.hi != 0 {
		least++
	}
	b.refine(n, side, unsigned(least, n.domain.hi/y.lo, n.width))
}

// backwardShift bounds the first operand of a division, or of a shift by a
// constant.
func (b *Analysis) backwardShift(n *node) {
	d, y := n.domain, b.operand(n, 1)
	k, constant := y.value()
	m := maskOf(n.width)
	switch {
	case n.op == expr.URem: // the remainder is at most the dividend
		b.refine(n, 0, unsigned(d.lo, m, n.width))
	case n.op == expr.UDiv:
		if y.lo == 0 {
			return
		}
		r := anything(n.width)
		if over, least := bits.Mul64(d.lo, y.lo); over == 0 && least <= m {
			r.lo = least
		}
		over, most := bits.Mul64(d.hi, y.hi)
		if most, carry := bits.Add64(most, y.hi-1, 0); over == 0 && carry == 0 && most <= m {
			r.hi = most
		}
		b.refine(n, 0, r)
	case !constant || k >= uint64(n.width):
	case n.op == expr.Shl: // the lowest bits
		b.refine(n, 0, known(d.zeros>>k&(m>>k), d.ones>>k, n.width))
	default: // the highest bits
		low := uint64(1)<<k - 1
		r := known(d.zeros<<k&^low, d.ones<<k, n.width)
		if n.op == expr.LShr {
			r.lo, r.hi = d.lo<<k, d.hi<<k|low
		} else {
			r.least, r.most = d.least<<k, d.most<<k|int64(low)
		}
		b.refine(n, 0, r)
	}
}

func (b *Analysis) backwardEq(n *node) {
	switch {
	case n.domain.is(1):
		b.refine(n, 0, *b.operand(n, 1))
		b.refine(n, 1, *b.operand(n, 0))
	case n.domain.is(0):
		width := b.widthOf(n, 0)
		for side := range int32(2) {
			if v, ok := b.operand(n, 1-side).value(); ok {
				b.refine(n, side, without(*b.operand(n, side), v, width))
			}
		}
	}
}

// without removes v from d if it is at an end.
func without(d domain, v uint64, width uint8) domain {
	s := signedOf(v, width)
	switch {
	case d.lo == d.hi && d.lo == v: // no value is left
		d.lo, d.hi = 1, 0
	case d.lo == v:
		d.lo++
	case d.hi == v:
		d.hi--
	}
	switch {
	case d.least == d.most:
	case d.least == s:
		d.least++
	case d.most == s:
		d.most--
	}
	return d
}

// backwardOrder bounds the operands of a comparison by each other.
func (b *Analysis) backwardOrder(n *node) {
	if _, ok := n.domain.value(); !ok {
		return
	}
	less, more := int32(0), int32(1)
	strict := n.op == expr.Ult || n.op == expr.Slt
	if n.domain.is(0) { // not x < y is y <= x
		less, more, strict = more, less, !strict
	}
	width := b.widthOf(n, 0)
	x, y := *b.operand(n, less), *b.operand(n, more)
	below, above := anything(width), anything(width)
	if n.op == expr.Ult || n.op == expr.Ule {
		below.hi, above.lo = y.hi, x.lo
		if strict {
			if y.hi == 0 || x.lo == maskOf(width) {
				b.empty = true
				return
			}
			below.hi--
			above.lo++
		}
	} else {
		below.most, above.least = y.most, x.least
		if limits := anything(width); strict {
			if y.most == limits.least || x.least == limits.most {
				b.empty = true
				return
			}
			below.most--
			above.least++
		}
	}
	b.refine(n, less, below)
	b.refine(n, more, above)
}
