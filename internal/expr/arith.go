package expr

import "math/bits"

// Arithmetic. A sum is kept with its constant outermost and on the right: x + y + c.

// Neg returns the two's complement of x.
func (a *Arena) Neg(x ID) ID {
	n := &a.nodes[x]
	switch {
	case n.op == Const:
		return a.Const(-n.value(), n.width)
	case n.width == 1: // -x = x
		return x
	case n.op == Neg: // - -x = x
		return n.args[0]
	case n.op == Sub: // -(x - y) = y - x
		return a.Sub(n.args[1], n.args[0])
	case n.op == Add && a.isConst(n.args[1]): // -(x + c) = -c - x
		x, c := n.args[0], n.args[1]
		return a.Sub(a.Neg(c), x)
	}
	checkWidth(n.width)
	return a.build(Neg, n.width, 0, x, None, None)
}

// Add returns x + y.
func (a *Arena) Add(x, y ID) ID {
	w := a.sameWidth(Add, x, y)
	if w == 1 { // x + y = x ^ y
		return a.Xor(x, y)
	}
	x, y = a.commute(x, y)
	nx, ny := a.nodes[x], a.nodes[y]
	if ny.op == Const {
		c := ny.value()
		switch {
		case nx.op == Const:
			return a.Const(nx.value()+c, w)
		case c == 0: // x + 0 = x
			return x
		case nx.op == Add && a.isConst(nx.args[1]): // (x + c) + d = x + (c + d)
			return a.Add(nx.args[0], a.Add(nx.args[1], y))
		case nx.op == Sub && a.isConst(nx.args[0]): // (c - x) + d = (c + d) - x
			return a.Sub(a.Add(nx.args[0], y), nx.args[1])
		case nx.op == Not && c == 1: // ^x + 1 = -x
			return a.Neg(nx.args[0])
		case nx.op == Ite && (a.isConst(nx.args[1]) || a.isConst(nx.args[2])): // (b ? d : x) + c = b ? d + c : x + c
			return a.Ite(nx.args[0], a.Add(nx.args[1], y), a.Add(nx.args[2], y))
		}
		return a.build(Add, w, 0, x, y, None)
	}
	switch {
	case x == y: // x + x = x << 1
		return a.Shl(x, a.Const(1, w))
	case nx.op == Add && a.isConst(nx.args[1]): // (x + c) + y = (x + y) + c
		return a.Add(a.Add(nx.args[0], y), nx.args[1])
	case ny.op == Add && a.isConst(ny.args[1]):
		return a.Add(a.Add(ny.args[0], x), ny.args[1])
	case nx.op == Neg: // -x + y = y - x
		return a.Sub(y, nx.args[0])
	case ny.op == Neg:
		return a.Sub(x, ny.args[0])
	case nx.op == Sub && nx.args[1] == y: // (x - y) + y = x
		return nx.args[0]
	case ny.op == Sub && ny.args[1] == x:
		return ny.args[0]
	case nx.op == Not && nx.args[0] == y, ny.op == Not && ny.args[0] == x: // x + ^x = -1
		return a.Const(mask(w), w)
	}
	if sum, ok := a.cancelSummands(Add, x, y); ok { // (x + y) + (z - x) = y + z
		return sum
	}
	if p, ok := a.cancel(Add, x, y); ok { // x*y + (z - x*y) = z
		return a.sum(p)
	}
	return a.build(Add, w, 0, x, y, None)
}

// Sub returns x - y.
func (a *Arena) Sub(x, y ID) ID {
	w := a.sameWidth(Sub, x, y)
	nx, ny := a.nodes[x], a.nodes[y]
	switch {
	case x == y: // x - x = 0
		return a.Const(0, w)
	case w == 1: // x - y = x ^ y
		return a.Xor(x, y)
	case ny.op == Const: // x - c = x + -c
		return a.Add(x, a.Const(-ny.value(), w))
	case ny.op == Neg: // x - -y = x + y
		return a.Add(x, ny.args[0])
	case nx.op == Const && nx.value() == 0: // 0 - y = -y
		return a.Neg(y)
	case nx.op == Const && nx.value() == mask(w): // -1 - y = ^y
		return a.Not(y)
	case ny.op == Add && a.isConst(ny.args[1]): // x - (y + c) = (x - y) + -c
		return a.Add(a.Sub(x, ny.args[0]), a.Neg(ny.args[1]))
	case nx.op == Add && a.isConst(nx.args[1]): // (x + c) - y = (x - y) + c
		return a.Add(a.Sub(nx.args[0], y), nx.args[1])
	case nx.op == Add && nx.args[0] == y: // (x + y) - x = y
		return nx.args[1]
	case nx.op == Add && nx.args[1] == y:
		return nx.args[0]
	case nx.op == Sub && nx.args[0] == y: // (x - y) - x = -y
		return a.Neg(nx.args[1])
	case ny.op == Sub && ny.args[0] == x: // x - (x - y) = y
		return ny.args[1]
	case ny.op == Sub && a.isConst(ny.args[0]) && nx.op == Const: // c - (d - x) = x + (c - d)
		return a.Add(ny.args[1], a.Sub(x, ny.args[0]))
	}
	if difference, ok := a.cancelSummands(Sub, x, y); ok { // (x + y + z) - (y + x) = z
		return difference
	}
	if p, ok := a.cancel(Sub, x, y); ok { // (x+y)*z - x*z = y*z
		return a.sum(p)
	}
	return a.build(Sub, w, 0, x, y, None)
}

// Mul returns x * y.
func (a *Arena) Mul(x, y ID) ID {
	w := a.sameWidth(Mul, x, y)
	if w == 1 { // x * y = x & y
		return a.And(x, y)
	}
	x, y = a.commute(x, y)
	nx, ny := a.nodes[x], a.nodes[y]
	if ny.op == Const {
		c := ny.value()
		k, power := log2(c)
		switch {
		case nx.op == Const:
			return a.Const(nx.value()*c, w)
		case c == 0: // x * 0 = 0
			return y
		case c == mask(w): // x * -1 = -x
			return a.Neg(x)
		case power: // x * 2^k = x << k, and x * 1 = x
			return a.Shl(x, a.Const(uint64(k), w))
		case nx.op == Mul && a.isConst(nx.args[1]): // (x * c) * d = x * (c * d)
			return a.Mul(nx.args[0], a.Mul(nx.args[1], y))
		case nx.op == Add && a.isConst(nx.args[1]): // (x + c) * d = x*d + c*d
			return a.Add(a.Mul(nx.args[0], y), a.Mul(nx.args[1], y))
		case nx.op == Neg: // -x * c = x * -c
			return a.Mul(nx.args[0], a.Neg(y))
		case nx.op == Ite && a.constArms(&nx):
			return a.Ite(nx.args[0], a.Mul(nx.args[1], y), a.Mul(nx.args[2], y))
		}
	}
	return a.build(Mul, w, 0, x, y, None)
}

// UMulHi returns the high half of the unsigned product x * y, the upper width
// bits of the 2*width that it has. The low half is Mul(x, y).
func (a *Arena) UMulHi(x, y ID) ID {
	w := a.sameWidth(UMulHi, x, y)
	x, y = a.commute(x, y)
	nx, ny := a.nodes[x], a.nodes[y]
	if ny.op == Const {
		c := ny.value()
		k, power := log2(c)
		switch {
		case nx.op == Const:
			return a.Const(apply(UMulHi, w, nx.value(), c), w)
		case c <= 1: // of x * 0 and x * 1
			return a.Const(0, w)
		case power: // of x * 2^k  is  x >> w-k
			return a.LShr(x, a.Const(uint64(w-k), w))
		case nx.op == Ite && a.constArms(&nx):
			return a.Ite(nx.args[0], a.UMulHi(nx.args[1], y), a.UMulHi(nx.args[2], y))
		}
	}
	// A product of few bits is multiplied as it is.
	wx, wy := w-a.zeros(x), w-a.zeros(y)
	switch product := wx + wy; {
	case product <= w:
		return a.Const(0, w)
	case product <= 64:
		whole := a.Mul(a.ZExt(a.Extract(x, 0, wx), product), a.ZExt(a.Extract(y, 0, wy), product))
		return a.ZExt(a.Extract(whole, w, product-w), w)
	}
	return a.build(UMulHi, w, 0, x, y, None)
}

// UDiv returns the unsigned quotient x / y, all ones if y is 0.
func (a *Arena) UDiv(x, y ID) ID {
	w := a.sameWidth(UDiv, x, y)
	nx, ny := a.nodes[x], a.nodes[y]
	if ny.op == Const {
		c := ny.value()
		k, power := log2(c)
		switch {
		case nx.op == Const:
			return a.Const(apply(UDiv, w, nx.value(), c), w)
		case c == 0: // x / 0 = -1
			return a.Const(mask(w), w)
		case power: // x / 2^k = x >> k, and x / 1 = x
			return a.LShr(x, a.Const(uint64(k), w))
		case nx.op == ZExt: // divide in the narrower width
			inner := a.nodes[nx.args[0]].width
			if c > mask(inner) {
				return a.Const(0, w)
			}
			return a.ZExt(a.UDiv(nx.args[0], a.Const(c, inner)), w)
		}
		if multiple, rest, ok := a.splitMultiple(x, c); ok { // (x*c + y) / c = x + y/c
			return a.Add(multiple, a.UDiv(rest, y))
		}
		if quo, _, ok := a.divideSpan(x, c); ok {
			return quo
		}
	}
	return a.build(UDiv, w, 0, x, y, None)
}

// divideSpan returns the quotient and the remainder of x and c, which is not 0, if
// the span of x makes them simpler: when the largest multiple of c that is not above
// the span is subtracted from x, fewer bits may be enough.
func (a *Arena) divideSpan(x ID, c uint64) (quo, rem ID, ok bool) {
	w := a.nodes[x].width
	least, greatest := a.spans[x].unsigned(w)
	first := least / c
	base := first * c
	if first == greatest/c {
		return a.Const(first, w), a.Sub(x, a.Const(base, w)), true
	}
	k := uint8(bits.Len64(greatest - base))
	if k == w {
		return None, None, false
	}
	above, by := a.Extract(a.Sub(x, a.Const(base, w)), 0, k), a.Const(c, k)
	quo = a.Add(a.ZExt(a.UDiv(above, by), w), a.Const(first, w))
	return quo, a.ZExt(a.URem(above, by), w), true
}

// splitMultiple returns multiple and rest if x is plainly multiple*c + rest, without
// overflow.
func (a *Arena) splitMultiple(x ID, c uint64) (multiple, rest ID, ok bool) {
	n := &a.nodes[x]
	w := n.width
	if n.op == Mul {
		if multiple, ok = a.dividedProduct(x, c); ok {
			return multiple, a.Const(0, w), true
		}
	}
	if n.op != Add {
		return None, None, false
	}
	for i, side := range n.args[:2] {
		multiple, rest, ok = a.splitMultiple(side, c)
		if !ok {
			continue
		}
		other := a.nodes[x].args[1-i]
		_, most := a.spans[side].unsigned(w)
		_, more := a.spans[other].unsigned(w)
		if more <= mask(w)-most {
			return multiple, a.Add(rest, other), true
		}
	}
	return None, None, false
}

// dividedProduct returns x / c for a product x without overflow by a multiple of c.
func (a *Arena) dividedProduct(x ID, c uint64) (ID, bool) {
	n := a.nodes[x]
	d, ok := a.ConstValue(n.args[1])
	if !ok || d%c != 0 {
		return None, false
	}
	_, most := a.spans[n.args[0]].unsigned(n.width)
	if over, hi := bits.Mul64(most, d); over != 0 || hi > mask(n.width) {
		return None, false
	}
	return a.Mul(n.args[0], a.Const(d/c, n.width)), true
}

// URem returns the unsigned remainder x % y, x if y is 0.
func (a *Arena) URem(x, y ID) ID {
	w := a.sameWidth(URem, x, y)
	nx, ny := a.nodes[x], a.nodes[y]
	if ny.op == Const {
		c := ny.value()
		k, power := log2(c)
		switch {
		case nx.op == Const:
			return a.Const(apply(URem, w, nx.value(), c), w)
		case c == 0: // x % 0 = x
			return x
		case power: // x % 2^k = x & (2^k - 1), and x % 1 = 0
			return a.And(x, a.Const(1<<k-1, w))
		}
	}
	if nx.op == Const && nx.value() == 0 || x == y { // 0 % y = x % x = 0
		return a.Const(0, w)
	}
	if x, y, narrow := a.narrow(x, y); narrow { // the remainder in the narrower width
		return a.ZExt(a.URem(x, y), w)
	}
	if c, ok := a.ConstValue(y); ok {
		if _, rest, ok := a.splitMultiple(x, c); ok { // (x*c + y) % c = y % c
			return a.URem(rest, y)
		}
		if _, rem, ok := a.divideSpan(x, c); ok {
			return rem
		}
	}
	return a.build(URem, w, 0, x, y, None)
}

// SDiv returns the signed quotient x / y, truncated. If y is 0 it is 1 for a
// negative x and -1 otherwise.
func (a *Arena) SDiv(x, y ID) ID {
	w := a.sameWidth(SDiv, x, y)
	nx, ny := a.nodes[x], a.nodes[y]
	switch {
	case nx.op == Const && ny.op == Const:
		return a.Const(apply(SDiv, w, nx.value(), ny.value()), w)
	case w == 1: // 1 / 1 = -1 / 0 = 1, 0 / 0 = 1, 0 / 1 = 0
		return a.Or(x, a.Not(y))
	case a.is(y, 1): // x / 1 = x
		return x
	case a.is(y, mask(w)): // x / -1 = -x
		return a.Neg(x)
	case a.nonNegative(x) && a.nonNegative(y):
		return a.UDiv(x, y)
	}
	return a.build(SDiv, w, 0, x, y, None)
}

// SRem returns the signed remainder x % y, which has the sign of x; x if y is 0.
func (a *Arena) SRem(x, y ID) ID {
	w := a.sameWidth(SRem, x, y)
	nx, ny := a.nodes[x], a.nodes[y]
	switch {
	case nx.op == Const && ny.op == Const:
		return a.Const(apply(SRem, w, nx.value(), ny.value()), w)
	case w == 1: // 1 % 1 = 0 % y = 0, 1 % 0 = 1
		return a.And(x, a.Not(y))
	case a.is(y, 0): // x % 0 = x
		return x
	case a.is(y, 1), a.is(y, mask(w)), a.is(x, 0), x == y: // x % 1 = x % -1 = 0 % y = x % x = 0
		return a.Const(0, w)
	case a.nonNegative(x) && a.nonNegative(y):
		return a.URem(x, y)
	}
	return a.build(SRem, w, 0, x, y, None)
}
