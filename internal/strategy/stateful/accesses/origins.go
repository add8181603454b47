package accesses

import "slices"

// Origins are the holders in some state from which a goroutine has learned something. They are not changed in place.
type Origins struct {
	list []int32 // numbers of holders, ascending
	sign uint64  // a bit for each of them, which several may share
	hash uint64
}

// One returns the origins of a holder that has not learned anything.
func One(holder int32) Origins { return originsOf([]int32{holder}) }

// originsOf returns the origins that are in a list, which is ascending.
func originsOf(list []int32) Origins {
	o := Origins{list: list}
	for _, h := range list {
		m := uint64(h+1) * 0x9e3779b97f4a7c15
		o.sign |= 1 << (m >> 58)
		o.hash += m ^ m>>31*0xbf58476d1ce4e5b9
	}
	return o
}

// isOne reports whether o has only one holder, the given one.
func (o Origins) isOne(holder int32) bool { return len(o.list) == 1 && o.list[0] == holder }

// equal reports whether o and p are equal.
func (o Origins) equal(p Origins) bool { return o.hash == p.hash && slices.Equal(o.list, p.list) }

// isWithin reports whether all of o is in p.
func (o Origins) isWithin(p Origins) bool {
	if o.sign&^p.sign != 0 || len(o.list) > len(p.list) {
		return false
	}
	rest := p.list
	for _, x := range o.list {
		for len(rest) > 0 && rest[0] < x {
			rest = rest[1:]
		}
		if len(rest) == 0 || rest[0] != x {
			return false
		}
		rest = rest[1:]
	}
	return true
}

// Union returns the union of o and p.
func Union(o, p Origins) Origins {
	switch {
	case p.isWithin(o):
		return o
	case o.isWithin(p):
		return p
	}
	a, b := o.list, p.list
	out := make([]int32, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case a[0] > b[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return originsOf(append(append(out, a...), b...))
}
