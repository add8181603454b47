package expr

import "math/bits"

// Comparisons. With a constant the strict form is used: x <= c is x < c+1.

// Eq returns whether x == y.
func (a *Arena) Eq(x, y ID) ID {
	w := a.sameWidth(Eq, x, y)
	x, y = a.commute(x, y)
	nx, ny := a.nodes[x], a.nodes[y]
	if x == y { // x == x
		return a.Bool(true)
	}
	if z := a.decided(Eq, x, y); z != None {
		return z
	}
	if ny.op == Const {
		if z := a.eqConst(x, ny.value()); z != None {
			return z
		}
		return a.build(Eq, 1, 0, x, y, None)
	}
	switch {
	case a.complements(x, y): // x == ^x
		return a.Bool(false)
	case nx.op == Add && nx.args[0] == y: // x + y == x  is  y == 0
		return a.Eq(nx.args[1], a.Const(0, w))
	case nx.op == Add && nx.args[1] == y:
		return a.Eq(nx.args[0], a.Const(0, w))
	case ny.op == Add && ny.args[0] == x:
		return a.Eq(ny.args[1], a.Const(0, w))
	case ny.op == Add && ny.args[1] == x:
		return a.Eq(ny.args[0], a.Const(0, w))
	case nx.op == Add && ny.op == Add && nx.args[0] == ny.args[0]: // x + y == x + z  is  y == z
		return a.Eq(nx.args[1], ny.args[1])
	case nx.op == Add && ny.op == Add && nx.args[1] == ny.args[1]:
		return a.Eq(nx.args[0], ny.args[0])
	case nx.op == Neg && ny.op == Neg, nx.op == Not && ny.op == Not: // -x == -y  is  x == y
		return a.Eq(nx.args[0], ny.args[0])
	case w == 1 && nx.op == Not: // of booleans, !x == y  is  !(x == y)
		return a.Not(a.Eq(nx.args[0], y))
	case w == 1 && ny.op == Not:
		return a.Not(a.Eq(x, ny.args[0]))
	case nx.op == Concat && ny.op == Concat && a.nodes[nx.args[1]].width == a.nodes[ny.args[1]].width: // part by part
		return a.And(a.Eq(nx.args[0], ny.args[0]), a.Eq(nx.args[1], ny.args[1]))
	case nx.op == SExt && ny.op == SExt && a.nodes[nx.args[0]].width == a.nodes[ny.args[0]].width: // before extension
		return a.Eq(nx.args[0], ny.args[0])
	}
	if x, y, narrow := a.narrow(x, y); narrow { // before extension
		return a.Eq(x, y)
	}
	if p, ok := a.cancel(Sub, x, y); ok { // x - y == 0, without products that cancel
		if c, ok := p.constant(); ok {
			return a.Bool(c == 0)
		}
		x, y := a.sides(p)
		return a.Eq(x, y)
	}
	return a.build(Eq, 1, 0, x, y, None)
}

// eqConst returns x == c if there is a simpler way to write it, else None.
func (a *Arena) eqConst(x ID, c uint64) ID {
	n := a.nodes[x]
	w := n.width
	switch n.op {
	case Const:
		return a.Bool(n.value() == c)
	case Not: // ^x == c  is  x == ^c
		return a.Eq(n.args[0], a.Const(^c, w))
	case Neg: // -x == c  is  x == -c
		return a.Eq(n.args[0], a.Const(-c, w))
	case Add: // x + d == c  is  x == c - d
		if d, ok := a.ConstValue(n.args[1]); ok {
			return a.Eq(n.args[0], a.Const(c-d, w))
		}
	case Sub: // x - y == 0  is  x == y;  d - x == c  is  x == d - c
		if c == 0 {
			return a.Eq(n.args[0], n.args[1])
		}
		if d, ok := a.ConstValue(n.args[0]); ok {
			return a.Eq(n.args[1], a.Const(d-c, w))
		}
	case Xor: // x ^ y == 0  is  x == y;  x ^ d == c  is  x == c ^ d
		if d, ok := a.ConstValue(n.args[1]); ok {
			return a.Eq(n.args[0], a.Const(c^d, w))
		}
		if c == 0 {
			return a.Eq(n.args[0], n.args[1])
		}
	case And: // x & d == c  is false if c has a bit that d has not
		if d, ok := a.ConstValue(n.args[1]); ok && c&^d != 0 {
			return a.Bool(false)
		}
	case Or: // x | d == c  is false if d has a bit that c has not
		if d, ok := a.ConstValue(n.args[1]); ok && d&^c != 0 {
			return a.Bool(false)
		}
	case Mul: // x * d == c with d odd  is  x == c / d
		if d, ok := a.ConstValue(n.args[1]); ok && d&1 == 1 {
			return a.Eq(n.args[0], a.Const(c*inverse(d), w))
		}
	case Concat: // part by part
		low := a.nodes[n.args[1]].width
		return a.And(a.Eq(n.args[0], a.Const(c>>low, w-low)), a.Eq(n.args[1], a.Const(c, low)))
	case ZExt: // before extension
		inner := a.nodes[n.args[0]].width
		if c > mask(inner) {
			return a.Bool(false)
		}
		return a.Eq(n.args[0], a.Const(c, inner))
	case SExt:
		inner := a.nodes[n.args[0]].width
		if uint64(signed(c&mask(inner), inner))&mask(w) != c {
			return a.Bool(false)
		}
		return a.Eq(n.args[0], a.Const(c, inner))
	case Ite: // (b ? d : y) == c  is  b | y == c  or  !b & y == c
		b, t, e := n.args[0], n.args[1], n.args[2]
		if d, ok := a.ConstValue(t); ok {
			rest := a.Eq(e, a.Const(c, w))
			if d == c {
				return a.Or(b, rest)
			}
			return a.And(a.Not(b), rest)
		}
		if d, ok := a.ConstValue(e); ok {
			rest := a.Eq(t, a.Const(c, w))
			if d == c {
				return a.Or(a.Not(b), rest)
			}
			return a.And(b, rest)
		}
		if z := a.decidedArm(Eq, &n, a.Const(c, w), false); z != None {
			return z
		}
	}
	if w == 1 { // of booleans, x == 1  is  x
		if c == 1 {
			return x
		}
		return a.Not(x)
	}
	return None
}

// inverse returns the multiplicative inverse of an odd d modulo 2^64, by
// Newton's method: each round doubles the number of right bits.
func inverse(d uint64) uint64 {
	x := d // right in three bits
	for range 5 {
		x *= 2 - d*x
	}
	return x
}

// Ne returns whether x != y, as Not of Eq.
func (a *Arena) Ne(x, y ID) ID { return a.Not(a.Eq(x, y)) }

// Ult returns whether x < y, unsigned.
func (a *Arena) Ult(x, y ID) ID {
	w := a.sameWidth(Ult, x, y)
	nx, ny := a.nodes[x], a.nodes[y]
	if x == y { // x < x
		return a.Bool(false)
	}
	if w == 1 { // of booleans, x < y  is  !x & y
		return a.And(a.Not(x), y)
	}
	if z := a.decided(Ult, x, y); z != None {
		return z
	}
	switch {
	case nx.op == Const && ny.op == Const:
		return a.Bool(nx.value() < ny.value())
	case ny.op == Const && ny.value() == 0: // x < 0
		return a.Bool(false)
	case ny.op == Const && ny.value() == 1: // x < 1  is  x == 0
		return a.Eq(x, a.Const(0, w))
	case ny.op == Const && ny.value() == mask(w): // x < max  is  x != max
		return a.Ne(x, y)
	case nx.op == Const && nx.value() == mask(w): // max < y
		return a.Bool(false)
	case nx.op == Const && nx.value() == mask(w)-1: // max-1 < y  is  y == max
		return a.Eq(y, a.Const(mask(w), w))
	case nx.op == Const && nx.value() == 0: // 0 < y  is  y != 0
		return a.Ne(y, x)
	case nx.op == ZExt && ny.op == Const && ny.value() > mask(a.nodes[nx.args[0]].width): // beyond the range of x
		return a.Bool(true)
	case ny.op == ZExt && nx.op == Const && nx.value() >= mask(a.nodes[ny.args[0]].width):
		return a.Bool(false)
	case nx.op == SExt && ny.op == SExt && a.nodes[nx.args[0]].width == a.nodes[ny.args[0]].width: // extension keeps the order
		return a.Ult(nx.args[0], ny.args[0])
	}
	if z := a.compareIte(Ult, x, y); z != None {
		return z
	}
	if x, y, ok := a.compareSum(Ult, x, y); ok {
		return a.Ult(x, y)
	}
	if x, y, narrow := a.narrow(x, y); narrow { // before extension
		return a.Ult(x, y)
	}
	if a.same(x, y) {
		return a.Bool(false)
	}
	return a.build(Ult, 1, 0, x, y, None)
}

// Ule returns whether x <= y, unsigned.
func (a *Arena) Ule(x, y ID) ID {
	w := a.sameWidth(Ule, x, y)
	if x == y { // x <= x
		return a.Bool(true)
	}
	if w == 1 { // of booleans, x <= y  is  !x | y
		return a.Or(a.Not(x), y)
	}
	if z := a.decided(Ule, x, y); z != None {
		return z
	}
	if c, ok := a.ConstValue(y); ok {
		if c == mask(w) { // x <= max
			return a.Bool(true)
		}
		return a.Ult(x, a.Const(c+1, w))
	}
	if c, ok := a.ConstValue(x); ok {
		if c == 0 { // 0 <= y
			return a.Bool(true)
		}
		return a.Ult(a.Const(c-1, w), y)
	}
	nx, ny := &a.nodes[x], &a.nodes[y]
	if nx.op == SExt && ny.op == SExt && a.nodes[nx.args[0]].width == a.nodes[ny.args[0]].width {
		return a.Ule(nx.args[0], ny.args[0])
	}
	if x, y, narrow := a.narrow(x, y); narrow {
		return a.Ule(x, y)
	}
	if a.same(x, y) {
		return a.Bool(true)
	}
	return a.build(Ule, 1, 0, x, y, None)
}

// Slt returns whether x < y, signed.
func (a *Arena) Slt(x, y ID) ID {
	w := a.sameWidth(Slt, x, y)
	nx, ny := a.nodes[x], a.nodes[y]
	if x == y { // x < x
		return a.Bool(false)
	}
	if w == 1 { // of signed bits, x < y  is  x & !y
		return a.And(x, a.Not(y))
	}
	if z := a.decided(Slt, x, y); z != None {
		return z
	}
	least, greatest := signBit(w), signBit(w)-1
	switch {
	case nx.op == Const && ny.op == Const:
		return a.Bool(signed(nx.value(), w) < signed(ny.value(), w))
	case ny.op == Const && ny.value() == least, nx.op == Const && nx.value() == greatest: // x < min, max < y
		return a.Bool(false)
	case ny.op == Const && ny.value() == least+1: // x < min+1  is  x == min
		return a.Eq(x, a.Const(least, w))
	case nx.op == Const && nx.value() == greatest-1: // max-1 < y  is  y == max
		return a.Eq(y, a.Const(greatest, w))
	case ny.op == Const && ny.value() == greatest, nx.op == Const && nx.value() == least: // x < max  is  x != max
		return a.Ne(x, y)
	case nx.op == ZExt && ny.op == Const && ny.value() >= least: // not below 0
		return a.Bool(false)
	case ny.op == ZExt && nx.op == Const && nx.value() >= least:
		return a.Bool(true)
	case a.nonNegative(x) && a.nonNegative(y):
		return a.Ult(x, y)
	}
	if nx.op == SExt || ny.op == SExt {
		if x, y, narrow := a.narrowSigned(x, y); narrow { // before extension
			return a.Slt(x, y)
		}
	}
	switch {
	case nx.op == SExt && ny.op == Const: // y is beyond the range of x
		return a.Bool(signed(ny.value(), w) > 0)
	case ny.op == SExt && nx.op == Const:
		return a.Bool(signed(nx.value(), w) < 0)
	}
	if z := a.compareIte(Slt, x, y); z != None {
		return z
	}
	if x, y, ok := a.compareSum(Slt, x, y); ok {
		return a.Slt(x, y)
	}
	if a.same(x, y) {
		return a.Bool(false)
	}
	return a.build(Slt, 1, 0, x, y, None)
}

// Sle returns whether x <= y, signed.
func (a *Arena) Sle(x, y ID) ID {
	w := a.sameWidth(Sle, x, y)
	if x == y { // x <= x
		return a.Bool(true)
	}
	if w == 1 { // of signed bits, x <= y  is  x | !y
		return a.Or(x, a.Not(y))
	}
	if z := a.decided(Sle, x, y); z != None {
		return z
	}
	if c, ok := a.ConstValue(y); ok {
		if c == signBit(w)-1 { // x <= max
			return a.Bool(true)
		}
		return a.Slt(x, a.Const(c+1, w))
	}
	if c, ok := a.ConstValue(x); ok {
		if c == signBit(w) { // min <= y
			return a.Bool(true)
		}
		return a.Slt(a.Const(c-1, w), y)
	}
	if a.nonNegative(x) && a.nonNegative(y) {
		return a.Ule(x, y)
	}
	if x, y, narrow := a.narrowSigned(x, y); narrow {
		return a.Sle(x, y)
	}
	if a.same(x, y) {
		return a.Bool(true)
	}
	return a.build(Sle, 1, 0, x, y, None)
}

// same reports whether x - y is 0 once its products cancel.
func (a *Arena) same(x, y ID) bool {
	p, ok := a.cancel(Sub, x, y)
	return ok && len(p.terms) == 0
}

// compareIte returns the comparison op of a constant with a choice, one arm of
// which decides it, as a formula of the condition, or None for other operands.
func (a *Arena) compareIte(op Op, x, y ID) ID {
	nx, ny := a.nodes[x], a.nodes[y]
	switch {
	case nx.op == Ite && ny.op == Const:
		return a.decidedArm(op, &nx, y, false)
	case ny.op == Ite && nx.op == Const:
		return a.decidedArm(op, &ny, x, true)
	}
	return None
}

// decidedArm returns the comparison op of the Ite n with the constant c, which is the
// first operand if swapped is set, when one of the arms makes it plainly true or false:
// (b ? x : y) < c  is  b | y < c  or  !b & y < c. Otherwise it returns None. Arms that are
// choices themselves are not looked into, except for choices between constants: so the
// work is linear in the length of a chain of choices.
func (a *Arena) decidedArm(op Op, n *node, c ID, swapped bool) ID {
	compare := func(x ID) ID {
		if swapped {
			return a.Binary(op, c, x)
		}
		return a.Binary(op, x, c)
	}
	decides := func(x ID) ID {
		if arm := a.nodes[x]; arm.op == Ite && !a.constArms(&arm) {
			return None
		}
		if z := compare(x); a.isConst(z) {
			return z
		}
		return None
	}
	if z := decides(n.args[1]); z != None {
		return a.Ite(n.args[0], z, compare(n.args[2]))
	}
	if z := decides(n.args[2]); z != None {
		return a.Ite(n.args[0], compare(n.args[1]), z)
	}
	return None
}

// compareSum takes the constant c of a sum z + c to the other side of its comparison op
// with a constant, if the sum does not overflow, whatever z is.
func (a *Arena) compareSum(op Op, x, y ID) (ID, ID, bool) {
	sum, other := x, y
	if a.isConst(x) {
		sum, other = y, x
	}
	n := a.nodes[sum]
	if n.op != Add || !a.isConst(n.args[1]) || !a.isConst(other) {
		return None, None, false
	}
	z, w := n.args[0], n.width
	s, t := a.spans[z], a.spans[sum]
	if d := a.nodes[n.args[1]].value(); t != (span{(s.lo + d) & mask(w), (s.hi + d) & mask(w)}) {
		return None, None, false // nothing is known of the sum
	}
	var flip uint64 // takes signed order to unsigned order
	if op == Slt {
		flip = signBit(w)
	}
	// In both z and the sum, and in what the other side becomes, order has to be kept.
	rest := a.Sub(other, n.args[1])
	c, r := a.nodes[other].value()^flip, a.nodes[rest].value()^flip
	if s.lo^flip > s.hi^flip || t.lo^flip > t.hi^flip || t.lo^flip > c || c > t.hi^flip || s.lo^flip > r || r > s.hi^flip {
		return None, None, false
	}
	if other == x {
		return rest, z, true
	}
	return z, rest, true
}

// narrowSigned returns x and y without the highest bits that plainly repeat
// the sign in both, and whether there are such bits.
func (a *Arena) narrowSigned(x, y ID) (ID, ID, bool) {
	w := a.nodes[x].width
	k := min(a.signCopies(x), a.signCopies(y))
	if k == 0 {
		return x, y, false
	}
	return a.Extract(x, 0, w-k), a.Extract(y, 0, w-k), true
}

// signCopies returns how many bits below the highest are plainly equal to it.
func (a *Arena) signCopies(x ID) uint8 {
	n := &a.nodes[x]
	switch n.op {
	case SExt:
		return n.width - a.nodes[n.args[0]].width
	case Const:
		v := signed(n.value(), n.width)
		if v < 0 {
			v = ^v
		}
		return n.width - 1 - uint8(bits.Len64(uint64(v)))
	}
	return max(a.leadingZeros(x), 1) - 1
}
