package expr

import "math/bits"

// Spans. Each expression carries an interval that its values lie in, whatever those
// of the variables are. It follows from the spans of its operands when it is
// built, so that it depends on the structure alone. Rules use it where the structure
// at the top does not show enough: no value of s[0] changes the high bits of
// (s[0]-'0')*10 + 292277022399.

// span is an interval of values, from lo upwards to hi modulo 2^width: if lo > hi
// it wraps around through 0. (Wrapped intervals: Navas, Schachte, Søndergaard, Stuckey,
// Signedness-Agnostic Program Analysis, APLAS 2012.) Of an array it is the one of the elements.
type span struct{ lo, hi uint64 }

func everything(width uint8) span { return span{0, mask(width)} }

// size is the number of values less one.
func (s span) size(width uint8) uint64 { return (s.hi - s.lo) & mask(width) }

// between returns the span from lo to hi, which are taken modulo 2^width, given the
// number of values less one: everything if they wrap around.
func between(lo, hi, size uint64, width uint8) span {
	if size >= mask(width) {
		return everything(width)
	}
	return span{lo & mask(width), hi & mask(width)}
}

// unsigned returns the least and the greatest value as unsigned numbers.
func (s span) unsigned(width uint8) (least, greatest uint64) {
	if s.lo > s.hi {
		return 0, mask(width)
	}
	return s.lo, s.hi
}

// signed returns the least and the greatest value as signed numbers.
func (s span) signed(width uint8) (least, greatest int64) {
	least, greatest = signed(s.lo, width), signed(s.hi, width)
	if least > greatest {
		return signed(signBit(width), width), signed(signBit(width)-1, width)
	}
	return least, greatest
}

// signedSpan returns the span of the signed numbers from least to greatest.
func signedSpan(least, greatest int64, width uint8) span {
	return between(uint64(least), uint64(greatest), uint64(greatest)-uint64(least), width)
}

// spanOf returns the span of the new node n.
func (a *Arena) spanOf(n *node) span {
	w := n.width
	arg := func(i int) span { return a.spans[n.args[i]] }
	argWidth := func(i int) uint8 { return a.nodes[n.args[i]].width }
	switch n.op {
	case Const:
		return span{n.value(), n.value()}
	case Not:
		return span{^arg(0).hi & mask(w), ^arg(0).lo & mask(w)}
	case Neg:
		return between(-arg(0).hi, -arg(0).lo, arg(0).size(w), w)
	case Add:
		x, y := arg(0), arg(1)
		size, carry := bits.Add64(x.size(w), y.size(w), 0)
		return between(x.lo+y.lo, x.hi+y.hi, size|-carry, w)
	case Sub:
		x, y := arg(0), arg(1)
		size, carry := bits.Add64(x.size(w), y.size(w), 0)
		return between(x.lo-y.hi, x.hi-y.lo, size|-carry, w)
	case Mul:
		return productSpan(arg(0), arg(1), w)
	case UMulHi, UDiv, URem, And, Or, Xor, LShr:
		return unsignedSpan(n.op, arg(0), arg(1), w)
	case SDiv, SRem, AShr:
		return signedOpSpan(n.op, arg(0), arg(1), w)
	case Ite:
		if s, ok := a.minimumSpan(n); ok {
			return s
		}
		return arg(1).join(arg(2), w)
	case Extract:
		x, from := arg(0), argWidth(0)
		if n.lo == 0 {
			return between(x.lo, x.hi, x.size(from), w)
		}
		least, greatest := x.unsigned(from)
		least, greatest = least>>n.lo, greatest>>n.lo
		return between(least, greatest, greatest-least, w)
	case Concat:
		k := argWidth(1)
		least, greatest := arg(1).unsigned(k)
		return span{arg(0).lo<<k | least, arg(0).hi<<k | greatest}
	case ZExt:
		least, greatest := arg(0).unsigned(argWidth(0))
		return span{least, greatest}
	case SExt:
		least, greatest := arg(0).signed(argWidth(0))
		return signedSpan(least, greatest, w)
	case Table:
		args := a.operands(n)
		s := a.spans[args[0]]
		for _, x := range args[1:] {
			s = s.join(a.spans[x], a.nodes[x].width)
		}
		return s
	case Store:
		return arg(0).join(arg(2), argWidth(2))
	case Select:
		return arg(0)
	}
	return everything(w)
}

// minimumSpan returns the span of the Ite n if that is the minimum of two unsigned numbers.
func (a *Arena) minimumSpan(n *node) (s span, ok bool) {
	c := &a.nodes[n.args[0]]
	if c.op != Ult || c.args[0] != n.args[1] || c.args[1] != n.args[2] {
		return s, false
	}
	l1, h1 := a.spans[n.args[1]].unsigned(n.width)
	l2, h2 := a.spans[n.args[2]].unsigned(n.width)
	return span{min(l1, l2), min(h1, h2)}, true
}

// join returns a span that holds both.
func (s span) join(t span, width uint8) span {
	if s == t {
		return s
	}
	l1, h1 := s.unsigned(width)
	l2, h2 := t.unsigned(width)
	u := span{min(l1, l2), max(h1, h2)}
	sl1, sh1 := s.signed(width)
	sl2, sh2 := t.signed(width)
	if v := signedSpan(min(sl1, sl2), max(sh1, sh2), width); v.size(width) < u.size(width) {
		return v
	}
	return u
}

// productSpan returns the span of products, unless they may overflow.
func productSpan(x, y span, width uint8) span {
	l1, h1 := x.unsigned(width)
	l2, h2 := y.unsigned(width)
	if over, most := bits.Mul64(h1, h2); over == 0 && most <= mask(width) {
		return span{l1 * l2, most}
	}
	sl1, sh1 := x.signed(width)
	sl2, sh2 := y.signed(width)
	var corners [4]int64
	for i, p := range [...][2]int64{{sl1, sl2}, {sl1, sh2}, {sh1, sl2}, {sh1, sh2}} {
		if corners[i] = p[0] * p[1]; p[0] != 0 && (corners[i]/p[0] != p[1] || p[0] == -1 && corners[i] == p[1] && p[1] != 0) {
			return everything(width)
		}
	}
	return signedSpan(min(corners[0], corners[1], corners[2], corners[3]), max(corners[0], corners[1], corners[2], corners[3]), width)
}

// unsignedSpan returns the span of an operator on unsigned numbers.
func unsignedSpan(op Op, x, y span, width uint8) span {
	l1, h1 := x.unsigned(width)
	l2, h2 := y.unsigned(width)
	switch op {
	case UMulHi:
		return span{apply(UMulHi, width, l1, l2), apply(UMulHi, width, h1, h2)}
	case UDiv:
		if l2 == 0 {
			return span{l1 / max(h2, 1), mask(width)}
		}
		return span{l1 / h2, h1 / l2}
	case URem:
		switch {
		case h1 < l2:
			return span{l1, h1}
		case l2 == 0:
			return span{0, h1}
		case l2 == h2 && l1/l2 == h1/l2:
			return span{l1 % l2, h1 % l2}
		}
		return span{0, min(h1, h2-1)}
	case And:
		return span{0, min(h1, h2)}
	case Or:
		return span{max(l1, l2), 1<<bits.Len64(h1|h2) - 1}
	case Xor:
		return span{0, 1<<bits.Len64(h1|h2) - 1}
	}
	return span{apply(LShr, width, l1, h2), apply(LShr, width, h1, l2)}
}

// signedOpSpan returns the span of an operator on signed numbers.
func signedOpSpan(op Op, x, y span, width uint8) span {
	l1, h1 := x.signed(width)
	l2, h2 := y.signed(width)
	switch {
	case op == AShr:
		return signedSpan(min(l1, 0), max(h1, 0), width)
	case l2 <= 0:
		return everything(width)
	case op == SDiv:
		return signedSpan(min(l1/l2, l1/h2), max(h1/l2, h1/h2), width)
	}
	return signedSpan(min(0, max(l1, 1-h2)), max(0, min(h1, h2-1)), width)
}

// SignedBounds returns numbers between which the value of x lies, as a signed number,
// whatever the values of the variables are.
func (a *Arena) SignedBounds(x ID) (least, greatest int64) {
	return a.spans[x].signed(a.nodes[x].width)
}

// Spread returns the number of values that x may have, less one, whatever the values of the
// variables are: at most so many.
func (a *Arena) Spread(x ID) uint64 { return a.spans[x].size(a.nodes[x].width) }

// nonNegative reports whether x, as a signed number, is never negative.
func (a *Arena) nonNegative(x ID) bool {
	w := a.nodes[x].width
	least, _ := a.spans[x].signed(w)
	return least >= 0
}

// zeros returns how many of the highest bits of x are 0 whatever it is.
func (a *Arena) zeros(x ID) uint8 {
	w := a.nodes[x].width
	_, greatest := a.spans[x].unsigned(w)
	return w - uint8(bits.Len64(greatest))
}

// decided returns the comparison x op y if the spans decide it, otherwise None.
func (a *Arena) decided(op Op, x, y ID) ID {
	w := a.nodes[x].width
	s, t := a.spans[x], a.spans[y]
	var yes, no bool
	switch op {
	case Eq: // do they meet?
		no = (t.lo-s.lo)&mask(w) > s.size(w) && (s.lo-t.lo)&mask(w) > t.size(w)
	case Ult, Ule:
		l1, h1 := s.unsigned(w)
		l2, h2 := t.unsigned(w)
		yes, no = h1 < l2 || op == Ule && h1 == l2, l1 > h2 || op == Ult && l1 == h2
	case Slt, Sle:
		l1, h1 := s.signed(w)
		l2, h2 := t.signed(w)
		yes, no = h1 < l2 || op == Sle && h1 == l2, l1 > h2 || op == Slt && l1 == h2
	}
	if yes || no {
		return a.Bool(yes)
	}
	return None
}
