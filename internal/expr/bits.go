package expr

import "math/bits"

// Bitwise operators and shifts. A shift by a constant is written with
// Extract, Concat and extensions, so that all ways to move bits look alike.

// Not returns x with each bit inverted.
func (a *Arena) Not(x ID) ID {
	n := a.nodes[x]
	switch n.op {
	case Const:
		return a.Const(^n.value(), n.width)
	case Not: // ^^x = x
		return n.args[0]
	case Ult: // !(x < y) = y <= x
		return a.Ule(n.args[1], n.args[0])
	case Ule:
		return a.Ult(n.args[1], n.args[0])
	case Slt:
		return a.Sle(n.args[1], n.args[0])
	case Sle:
		return a.Slt(n.args[1], n.args[0])
	case Neg: // ^-x = x + -1
		return a.Add(n.args[0], a.Const(mask(n.width), n.width))
	case Add: // ^(x + -1) = -x
		if a.is(n.args[1], mask(n.width)) {
			return a.Neg(n.args[0])
		}
	case Ite:
		if a.constArms(&n) {
			return a.Ite(n.args[0], a.Not(n.args[1]), a.Not(n.args[2]))
		}
	}
	checkWidth(n.width)
	return a.build(Not, n.width, 0, x, None, None)
}

// complements reports whether x is Not(y).
func (a *Arena) complements(x, y ID) bool {
	nx, ny := &a.nodes[x], &a.nodes[y]
	if nx.op == Not && nx.args[0] == y || ny.op == Not && ny.args[0] == x {
		return true
	}
	if nx.op == Ule || nx.op == Sle {
		nx, ny = ny, nx
	}
	switch {
	case nx.op == Ult && ny.op == Ule, nx.op == Slt && ny.op == Sle: // x < y and y <= x
		return nx.args[0] == ny.args[1] && nx.args[1] == ny.args[0]
	case nx.op == Ult && ny.op == Ult, nx.op == Slt && ny.op == Slt: // x < c and c-1 < x
		if a.isConst(nx.args[0]) {
			nx, ny = ny, nx
		}
		return nx.args[0] == ny.args[1] && a.isConst(nx.args[1]) && a.isConst(ny.args[0]) &&
			a.nodes[nx.args[1]].value() == a.nodes[ny.args[0]].value()+1
	}
	return false
}

// And returns x & y.
func (a *Arena) And(x, y ID) ID {
	w := a.sameWidth(And, x, y)
	x, y = a.commute(x, y)
	nx, ny := a.nodes[x], a.nodes[y]
	if ny.op == Const {
		c := ny.value()
		switch {
		case nx.op == Const:
			return a.Const(nx.value()&c, w)
		case c == 0: // x & 0 = 0
			return y
		case c == mask(w): // x & -1 = x
			return x
		case nx.op == And && a.isConst(nx.args[1]): // (x & c) & d = x & (c & d)
			return a.And(nx.args[0], a.And(nx.args[1], y))
		case c&(c+1) == 0: // x & (2^k - 1) keeps the low k bits
			return a.ZExt(a.Extract(x, 0, uint8(bits.Len64(c))), w)
		case nx.op == ZExt: // mask in the narrower width
			inner := a.nodes[nx.args[0]].width
			return a.ZExt(a.And(nx.args[0], a.Const(c, inner)), w)
		}
		return a.build(And, w, 0, x, y, None)
	}
	switch {
	case x == y: // x & x = x
		return x
	case a.complements(x, y): // x & ^x = 0
		return a.Const(0, w)
	case nx.op == And && (nx.args[0] == y || nx.args[1] == y): // (x & y) & y = x & y
		return x
	case ny.op == And && (ny.args[0] == x || ny.args[1] == x):
		return y
	case nx.op == Or && (nx.args[0] == y || nx.args[1] == y): // (x | y) & y = y
		return y
	case ny.op == Or && (ny.args[0] == x || ny.args[1] == x):
		return x
	}
	return a.build(And, w, 0, x, y, None)
}

// Or returns x | y.
func (a *Arena) Or(x, y ID) ID {
	w := a.sameWidth(Or, x, y)
	x, y = a.commute(x, y)
	nx, ny := a.nodes[x], a.nodes[y]
	if ny.op == Const {
		c := ny.value()
		switch {
		case nx.op == Const:
			return a.Const(nx.value()|c, w)
		case c == 0: // x | 0 = x
			return x
		case c == mask(w): // x | -1 = -1
			return y
		case nx.op == Or && a.isConst(nx.args[1]): // (x | c) | d = x | (c | d)
			return a.Or(nx.args[0], a.Or(nx.args[1], y))
		}
	}
	switch {
	case x == y: // x | x = x
		return x
	case a.complements(x, y): // x | ^x = -1
		return a.Const(mask(w), w)
	case nx.op == Or && (nx.args[0] == y || nx.args[1] == y): // (x | y) | y = x | y
		return x
	case ny.op == Or && (ny.args[0] == x || ny.args[1] == x):
		return y
	case nx.op == And && (nx.args[0] == y || nx.args[1] == y): // (x & y) | y = y
		return y
	case ny.op == And && (ny.args[0] == x || ny.args[1] == x):
		return x
	}
	if z, ok := a.join(x, y); ok {
		return z
	}
	if z, ok := a.join(y, x); ok {
		return z
	}
	return a.build(Or, w, 0, x, y, None)
}

// join returns x | y if x is a value shifted left, past all bits of y: they
// lie side by side, as when bytes are put together to a word.
func (a *Arena) join(x, y ID) (ID, bool) {
	nx := &a.nodes[x]
	hi, low := x, None
	switch nx.op {
	case Concat:
		hi, low = nx.args[0], nx.args[1]
	case ZExt: // of hi with zeros below
		if inner := &a.nodes[nx.args[0]]; inner.op == Concat {
			hi, low = inner.args[0], inner.args[1]
		}
	}
	if low == None || !a.is(low, 0) {
		return None, false
	}
	w, k := nx.width, a.nodes[low].width
	if a.leadingZeros(y) < w-k {
		return None, false
	}
	return a.ZExt(a.Concat(hi, a.Extract(y, 0, k)), w), true
}

// Xor returns x ^ y.
func (a *Arena) Xor(x, y ID) ID {
	w := a.sameWidth(Xor, x, y)
	x, y = a.commute(x, y)
	nx, ny := a.nodes[x], a.nodes[y]
	if ny.op == Const {
		c := ny.value()
		switch {
		case nx.op == Const:
			return a.Const(nx.value()^c, w)
		case c == 0: // x ^ 0 = x
			return x
		case c == mask(w): // x ^ -1 = ^x
			return a.Not(x)
		case nx.op == Xor && a.isConst(nx.args[1]): // (x ^ c) ^ d = x ^ (c ^ d)
			return a.Xor(nx.args[0], a.Xor(nx.args[1], y))
		case nx.op == Not: // ^x ^ c = x ^ ^c
			return a.Xor(nx.args[0], a.Not(y))
		}
		return a.build(Xor, w, 0, x, y, None)
	}
	switch {
	case x == y: // x ^ x = 0
		return a.Const(0, w)
	case a.complements(x, y): // x ^ ^x = -1
		return a.Const(mask(w), w)
	case nx.op == Not: // ^x ^ y = ^(x ^ y)
		return a.Not(a.Xor(nx.args[0], y))
	case ny.op == Not:
		return a.Not(a.Xor(x, ny.args[0]))
	case nx.op == Xor && nx.args[0] == y: // (x ^ y) ^ x = y
		return nx.args[1]
	case nx.op == Xor && nx.args[1] == y:
		return nx.args[0]
	case ny.op == Xor && ny.args[0] == x:
		return ny.args[1]
	case ny.op == Xor && ny.args[1] == x:
		return ny.args[0]
	case w == 1: // of booleans, x ^ y = !(x == y)
		return a.Not(a.Eq(x, y))
	}
	return a.build(Xor, w, 0, x, y, None)
}

// Shl returns x << y, 0 if y is the width or more.
func (a *Arena) Shl(x, y ID) ID {
	w := a.sameWidth(Shl, x, y)
	if k, ok := a.ConstValue(y); ok {
		switch {
		case k >= uint64(w):
			return a.Const(0, w)
		case k == 0: // x << 0 = x
			return x
		}
		return a.Concat(a.Extract(x, 0, w-uint8(k)), a.Const(0, uint8(k)))
	}
	if a.is(x, 0) { // 0 << y = 0
		return x
	}
	return a.build(Shl, w, 0, x, y, None)
}

// LShr returns x >> y filled with zeros, 0 if y is the width or more.
func (a *Arena) LShr(x, y ID) ID {
	w := a.sameWidth(LShr, x, y)
	if k, ok := a.ConstValue(y); ok {
		if k >= uint64(w) {
			return a.Const(0, w)
		}
		if least, _ := a.spans[x].unsigned(w); least>>k > 0 {
			if quo, _, ok := a.divideSpan(x, 1<<k); ok {
				return quo
			}
		}
		return a.ZExt(a.Extract(x, uint8(k), w-uint8(k)), w)
	}
	if a.is(x, 0) { // 0 >> y = 0
		return x
	}
	return a.build(LShr, w, 0, x, y, None)
}

// AShr returns x >> y filled with the sign of x.
func (a *Arena) AShr(x, y ID) ID {
	w := a.sameWidth(AShr, x, y)
	if k, ok := a.ConstValue(y); ok {
		k = min(k, uint64(w-1))
		return a.SExt(a.Extract(x, uint8(k), w-uint8(k)), w)
	}
	switch {
	case a.is(x, 0), a.is(x, mask(w)): // 0 >> y = 0, -1 >> y = -1
		return x
	case a.nonNegative(x):
		return a.LShr(x, y)
	}
	return a.build(AShr, w, 0, x, y, None)
}
