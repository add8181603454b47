package solve

import (
	"math/bits"

	"github.com/everyway-go/everyway/internal/expr"
)

// Limits of an analysis: passes over a slice, expressions in it, and elements of
// a table that are looked at.
const (
	boundsRounds = 4
	boundsSize   = 20_000
	boundsTable  = 64
)

// bounder finds out what the conjuncts of a slice, all of them true, say about
// the values of each expression in it. Domains are computed from operands to
// results and back, over and over, until nothing changes: they bound the values
// in every model, so where one becomes empty there is none.
type bounder struct {
	arena *expr.Arena

	// The expressions of the slice, operands first.
	nodes    []bounded
	operands []int32 // of nodes, one after another
	changed  bool
	empty    bool

	// By ID: the index in nodes of those that have the stamp of the round.
	round  uint32
	stamps []uint32
	index  []int32
	stack  []expr.ID
}

// bounded is an expression with what is known of its values.
type bounded struct {
	x           expr.ID
	op          expr.Op
	width, lo   uint8 // lo as in expr.ExtractLo
	first, last int32 // operands
	domain      domain
}

// refute looks for a contradiction between conjuncts. Without one, the domains
// stay known until the next call.
func (b *bounder) refute(parts []part) bool {
	if !b.collect(parts) {
		return false
	}
	for _, p := range parts {
		b.narrow(b.index[p.x], exactly(1, 1))
	}
	for range boundsRounds {
		b.changed = false
		for i := range b.nodes {
			b.forward(int32(i))
			if b.empty {
				return true
			}
		}
		for i := len(b.nodes) - 1; i >= 0; i-- {
			b.backward(&b.nodes[i])
			if b.empty {
				return true
			}
		}
		if !b.changed {
			break
		}
	}
	return false
}

// forget makes nothing known of any expression.
func (b *bounder) forget() {
	b.nodes, b.operands = b.nodes[:0], b.operands[:0]
	b.empty = false
	if b.round++; b.round == 0 || len(b.stamps) <= b.arena.Len() {
		n := 2*b.arena.Len() + 1
		b.round = 1
		b.stamps = make([]uint32, n)
		b.index = make([]int32, n)
	}
}

// collect lists the expressions in the parts. It reports false if there are too
// many.
func (b *bounder) collect(parts []part) bool {
	b.forget()
	for _, p := range parts {
		b.stack = append(b.stack[:0], p.x)
		for len(b.stack) > 0 {
			x := b.stack[len(b.stack)-1]
			if b.stamps[x] == b.round {
				b.stack = b.stack[:len(b.stack)-1]
				continue
			}
			n, waiting := b.arena.NumArgs(x), false
			for i := range n {
				if arg := b.arena.Arg(x, i); b.stamps[arg] != b.round {
					b.stack = append(b.stack, arg)
					waiting = true
				}
			}
			if waiting {
				continue
			}
			if len(b.nodes) == boundsSize {
				b.forget()
				return false
			}
			b.stack = b.stack[:len(b.stack)-1]
			b.add(x, n)
		}
	}
	return true
}

// add appends an expression whose n operands are there.
func (b *bounder) add(x expr.ID, n int) {
	a := b.arena
	node := bounded{x: x, op: a.Op(x), width: a.Width(x), first: int32(len(b.operands))}
	for i := range n {
		b.operands = append(b.operands, b.index[a.Arg(x, i)])
	}
	node.last = int32(len(b.operands))
	switch {
	case node.op == expr.Const:
		v, _ := a.ConstValue(x)
		node.domain = exactly(v, node.width)
	case node.width > 0:
		node.domain = anything(node.width)
	}
	if node.op == expr.Extract {
		node.lo = a.ExtractLo(x)
	}
	b.stamps[x], b.index[x] = b.round, int32(len(b.nodes))
	b.nodes = append(b.nodes, node)
}

// domain returns what is known of x.
func (b *bounder) domain(x expr.ID) (domain, bool) {
	if int(x) >= len(b.stamps) || b.stamps[x] != b.round {
		return domain{}, false
	}
	return b.nodes[b.index[x]].domain, true
}

// narrow takes over what is known of the node of index i.
func (b *bounder) narrow(i int32, d domain) {
	n := &b.nodes[i]
	if n.width == 0 {
		return
	}
	d = n.domain.meet(d)
	if d == n.domain {
		return
	}
	if !d.tighten(n.width) {
		b.empty = true
	} else if d != n.domain {
		n.domain = d
		b.changed = true
	}
}

// operand returns the domain of operand i of n.
func (b *bounder) operand(n *bounded, i int32) *domain { return &b.nodes[b.operands[n.first+i]].domain }

// refine is narrow for operand i of n.
func (b *bounder) refine(n *bounded, i int32, d domain) { b.narrow(b.operands[n.first+i], d) }

// forward bounds node i by its operands.
func (b *bounder) forward(i int32) {
	n := &b.nodes[i]
	switch n.op {
	case expr.Const, expr.Var, expr.Table, expr.Store:
		return
	case expr.Not:
		b.narrow(i, b.operand(n, 0).complement(n.width))
	case expr.Neg:
		b.narrow(i, subDomains(exactly(0, n.width), *b.operand(n, 0), n.width))
	case expr.ZExt:
		b.narrow(i, zextDomain(*b.operand(n, 0), n.width))
	case expr.SExt:
		b.narrow(i, sextDomain(*b.operand(n, 0), b.widthOf(n, 0), n.width))
	case expr.Extract:
		b.narrow(i, extractDomain(*b.operand(n, 0), n.lo, n.width))
	case expr.Concat:
		b.narrow(i, concatDomains(*b.operand(n, 0), *b.operand(n, 1), b.widthOf(n, 1), n.width))
	case expr.Ite:
		switch c := b.operand(n, 0); {
		case c.is(1):
			b.narrow(i, *b.operand(n, 1))
		case c.is(0):
			b.narrow(i, *b.operand(n, 2))
		default:
			b.narrow(i, b.operand(n, 1).join(*b.operand(n, 2)))
		}
	case expr.Select:
		b.narrow(i, b.element(n))
	default:
		if n.last-n.first == 2 {
			if d, ok := binaryDomain(n.op, *b.operand(n, 0), *b.operand(n, 1), b.widthOf(n, 0)); ok {
				b.narrow(i, d)
			}
		}
	}
}

func (b *bounder) widthOf(n *bounded, i int32) uint8 { return b.nodes[b.operands[n.first+i]].width }

// element bounds the Select n by the elements of a table that it can be.
func (b *bounder) element(n *bounded) domain {
	table, index := &b.nodes[b.operands[n.first]], b.operand(n, 1)
	if table.op != expr.Table || index.hi-index.lo >= boundsTable {
		return anything(n.width)
	}
	rest := table.last - table.first - 1
	at := func(i uint64) domain { return *b.operand(table, int32(min(i, uint64(rest)))) }
	d := at(index.lo)
	for i := index.lo; i < index.hi; i++ {
		d = d.join(at(i + 1))
	}
	return d
}

// backward bounds the operands of n by its own domain.
func (b *bounder) backward(n *bounded) {
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
func (b *bounder) extracted(n *bounded) domain {
	inner, d := b.widthOf(n, 0), n.domain
	m := maskOf(n.width)
	r := known((d.zeros&m)<<n.lo, d.ones<<n.lo, inner)
	if n.lo+n.width == inner { // the highest bits
		r.lo, r.hi = d.lo<<n.lo, d.hi<<n.lo|(1<<n.lo-1)
	}
	return r
}

func (b *bounder) backwardIte(n *bounded) {
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
func (b *bounder) backwardBits(n *bounded, side int32) {
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
func (b *bounder) backwardMul(n *bounded, side int32) {
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
func (b *bounder) backwardShift(n *bounded) {
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

func (b *bounder) backwardEq(n *bounded) {
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

// without takes v off the ends of d.
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
func (b *bounder) backwardOrder(n *bounded) {
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
