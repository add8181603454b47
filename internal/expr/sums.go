package expr

// Sums. A term that two operands have in common, with opposite signs, is left out of their
// sum or difference, however deep it lies: (x + y + z) - (y + x) = z.

// maxSummands bounds the terms of an operand that are looked at. Longer sums stay as they are.
const maxSummands = 8

// A summand is a term of a sum.
type summand struct {
	term    ID
	negated bool
}

// appendSummands appends the terms of x to list, with opposite signs if negated is set. It
// returns false if there are too many.
func (a *Arena) appendSummands(list []summand, x ID, negated bool) ([]summand, bool) {
	n := &a.nodes[x]
	switch n.op {
	case Add, Sub:
		y := n.args[1]
		list, ok := a.appendSummands(list, n.args[0], negated)
		if !ok {
			return list, false
		}
		return a.appendSummands(list, y, negated != (n.op == Sub))
	case Neg:
		return a.appendSummands(list, n.args[0], !negated)
	}
	return append(list, summand{x, negated}), len(list) < maxSummands
}

// cancelSummands returns x + y, or x - y, without the terms that the two have in common with
// opposite signs. The result is false if there are none.
func (a *Arena) cancelSummands(op Op, x, y ID) (ID, bool) {
	if ox, oy := a.nodes[x].op, a.nodes[y].op; ox != Add && ox != Sub && oy != Add && oy != Sub {
		return None, false
	}
	var xs, ys [maxSummands + 1]summand
	plus, ok := a.appendSummands(xs[:0], x, false)
	if !ok {
		return None, false
	}
	more, ok := a.appendSummands(ys[:0], y, op == Sub)
	if !ok {
		return None, false
	}
	cancelled := false
	for i := range more {
		for j := range plus {
			if plus[j].term == more[i].term && plus[j].negated != more[i].negated {
				plus[j].term, more[i].term = None, None
				cancelled = true
				break
			}
		}
	}
	if !cancelled {
		return None, false
	}
	sum := a.Const(0, a.nodes[x].width)
	for _, negated := range [...]bool{false, true} {
		for _, list := range [...][]summand{plus, more} {
			for _, t := range list {
				switch {
				case t.term == None || t.negated != negated:
				case negated:
					sum = a.Sub(sum, t.term)
				default:
					sum = a.Add(sum, t.term)
				}
			}
		}
	}
	return sum, true
}
