package expr

import (
	"fmt"
	"math/bits"
)

// Choice, and the operators that change widths. Concats lean to the right and
// zeros on top are written as ZExt.

// Ite returns x if c, of width 1, is 1, and otherwise y.
func (a *Arena) Ite(c, x, y ID) ID {
	if a.nodes[c].width != 1 {
		panic(fmt.Sprintf("expr: Ite with a condition of width %d", a.nodes[c].width))
	}
	w := a.sameWidth(Ite, x, y)
	nc, nx, ny := a.nodes[c], a.nodes[x], a.nodes[y]
	switch {
	case nc.op == Const:
		if nc.value() == 1 {
			return x
		}
		return y
	case x == y: // c ? x : x = x
		return x
	case nc.op == Not: // !c ? x : y = c ? y : x
		return a.Ite(nc.args[0], y, x)
	case w == 1 && a.is(x, 1): // c ? 1 : y = c | y
		return a.Or(c, y)
	case w == 1 && a.is(x, 0): // c ? 0 : y = !c & y
		return a.And(a.Not(c), y)
	case w == 1 && a.is(y, 1): // c ? x : 1 = !c | x
		return a.Or(a.Not(c), x)
	case w == 1 && a.is(y, 0): // c ? x : 0 = c & x
		return a.And(c, x)
	case x == c: // c ? c : y = c | y
		return a.Or(c, y)
	case y == c: // c ? x : c = c & x
		return a.And(c, x)
	case nx.op == Ite && nx.args[0] == c: // c ? (c ? x : z) : y = c ? x : y
		return a.Ite(c, nx.args[1], y)
	case ny.op == Ite && ny.args[0] == c: // c ? x : (c ? z : y) = c ? x : y
		return a.Ite(c, x, ny.args[2])
	case ny.op == Ite && ny.args[1] == x: // c ? x : (d ? x : y) = c | d ? x : y
		return a.Ite(a.Or(c, ny.args[0]), x, ny.args[2])
	case nx.op == Ite && nx.args[2] == y: // c ? (d ? x : y) : y = c & d ? x : y
		return a.Ite(a.And(c, nx.args[0]), nx.args[1], y)
	}
	return a.build(Ite, w, 0, c, x, y)
}

// constArms reports whether the Ite n chooses between constants. An operator
// applied to it and to constants is then applied to the arms.
func (a *Arena) constArms(n *node) bool {
	return a.isConst(n.args[1]) && a.isConst(n.args[2])
}

// Extract returns the width bits of x from bit lo upwards.
func (a *Arena) Extract(x ID, lo, width uint8) ID {
	checkWidth(width)
	n := a.nodes[x]
	if int(lo)+int(width) > int(n.width) {
		panic(fmt.Sprintf("expr: Extract of bits %d to %d from width %d", lo, int(lo)+int(width)-1, n.width))
	}
	if width == n.width {
		return x
	}
	switch n.op {
	case Const:
		return a.Const(n.value()>>lo, width)
	case Extract:
		return a.Extract(n.args[0], n.lo+lo, width)
	case Concat:
		hi, low := n.args[0], n.args[1]
		k := a.nodes[low].width
		switch {
		case lo >= k:
			return a.Extract(hi, lo-k, width)
		case lo+width <= k:
			return a.Extract(low, lo, width)
		}
		return a.Concat(a.Extract(hi, 0, lo+width-k), a.Extract(low, lo, k-lo))
	case ZExt:
		inner := a.nodes[n.args[0]].width
		if lo >= inner {
			return a.Const(0, width)
		}
		return a.ZExt(a.Extract(n.args[0], lo, min(width, inner-lo)), width)
	case SExt:
		inner := a.nodes[n.args[0]].width
		if lo >= inner { // copies of the sign
			return a.SExt(a.Extract(n.args[0], inner-1, 1), width)
		}
		return a.SExt(a.Extract(n.args[0], lo, min(width, inner-lo)), width)
	case Ite:
		if a.constArms(&n) {
			return a.Ite(n.args[0], a.Extract(n.args[1], lo, width), a.Extract(n.args[2], lo, width))
		}
	case Not:
		if a.cheap(n.args[0]) {
			return a.Not(a.Extract(n.args[0], lo, width))
		}
	case And, Or, Xor:
		if a.cheap(n.args[0]) && a.cheap(n.args[1]) {
			return a.Binary(n.op, a.Extract(n.args[0], lo, width), a.Extract(n.args[1], lo, width))
		}
	case Add, Sub, Mul: // low bits depend on low bits only
		if lo == 0 && a.cheap(n.args[0]) && a.cheap(n.args[1]) {
			return a.Binary(n.op, a.Extract(n.args[0], 0, width), a.Extract(n.args[1], 0, width))
		}
	}
	return a.build(Extract, width, lo, x, None, None)
}

// cheap reports whether an Extract from x goes away or moves down at once.
func (a *Arena) cheap(x ID) bool {
	switch a.nodes[x].op {
	case Const, ZExt, SExt, Concat, Extract:
		return true
	}
	return false
}

// Concat returns the bits of hi above those of lo.
func (a *Arena) Concat(hi, lo ID) ID {
	nh, nl := a.nodes[hi], a.nodes[lo]
	w := nh.width + nl.width
	checkWidth(nh.width)
	checkWidth(nl.width)
	checkWidth(w)
	switch {
	case nh.op == Const && nl.op == Const:
		return a.Const(nh.value()<<nl.width|nl.value(), w)
	case nh.op == Const && nh.value() == 0: // zeros on top
		return a.ZExt(lo, w)
	case nh.op == ZExt:
		return a.ZExt(a.Concat(nh.args[0], lo), w)
	case nh.op == Concat: // lean to the right
		return a.Concat(nh.args[0], a.Concat(nh.args[1], lo))
	}
	// Join hi with the topmost part of lo if they are constants or neighbours.
	top, rest := lo, None
	if nl.op == Concat {
		top, rest = nl.args[0], nl.args[1]
	}
	joined := None
	nt := a.nodes[top]
	switch {
	case nh.op == Const && nt.op == Const:
		joined = a.Const(nh.value()<<nt.width|nt.value(), nh.width+nt.width)
	case nh.op == Const && nt.op == ZExt && rest == None: // c above zeros above x
		inner := a.nodes[nt.args[0]].width
		zeros := nt.width - inner
		joined, rest = a.Const(nh.value()<<zeros, nh.width+zeros), nt.args[0]
	case nh.op == Extract && nt.op == Extract && nh.args[0] == nt.args[0] && nh.lo == nt.lo+nt.width:
		joined = a.Extract(nh.args[0], nt.lo, nh.width+nt.width)
	}
	switch {
	case joined == None:
		return a.build(Concat, w, 0, hi, lo, None)
	case rest == None:
		return joined
	}
	return a.Concat(joined, rest)
}

// ZExt returns x widened to width with zeros.
func (a *Arena) ZExt(x ID, width uint8) ID {
	n := a.nodes[x]
	checkExtend(ZExt, n.width, width)
	switch {
	case width == n.width:
		return x
	case n.op == Const:
		return a.Const(n.value(), width)
	case n.op == ZExt:
		return a.ZExt(n.args[0], width)
	case n.op == Ite && a.constArms(&n):
		return a.Ite(n.args[0], a.ZExt(n.args[1], width), a.ZExt(n.args[2], width))
	}
	return a.build(ZExt, width, 0, x, None, None)
}

// SExt returns x widened to width with copies of its highest bit.
func (a *Arena) SExt(x ID, width uint8) ID {
	n := a.nodes[x]
	checkExtend(SExt, n.width, width)
	switch {
	case width == n.width:
		return x
	case n.op == Const:
		return a.Const(uint64(signed(n.value(), n.width)), width)
	case n.op == ZExt: // the sign is 0
		return a.ZExt(n.args[0], width)
	case n.op == SExt:
		return a.SExt(n.args[0], width)
	case n.op == Ite && a.constArms(&n):
		return a.Ite(n.args[0], a.SExt(n.args[1], width), a.SExt(n.args[2], width))
	}
	return a.build(SExt, width, 0, x, None, None)
}

func checkExtend(op Op, from, to uint8) {
	checkWidth(to)
	if from == 0 || from > to {
		panic(fmt.Sprintf("expr: %s from width %d to %d", op, from, to))
	}
}

// leadingZeros returns how many of the highest bits of x are plainly 0.
func (a *Arena) leadingZeros(x ID) uint8 {
	switch n := &a.nodes[x]; n.op {
	case Const:
		return n.width - uint8(bits.Len64(n.value()))
	case ZExt:
		return n.width - a.nodes[n.args[0]].width
	}
	return 0
}

// narrow returns x and y without the highest bits that are plainly 0 in both,
// and whether there are such bits.
func (a *Arena) narrow(x, y ID) (ID, ID, bool) {
	w := a.nodes[x].width
	k := min(a.leadingZeros(x), a.leadingZeros(y), w-1)
	if k == 0 {
		return x, y, false
	}
	return a.Extract(x, 0, w-k), a.Extract(y, 0, w-k), true
}
