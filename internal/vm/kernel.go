package vm

import (
	"math/bits"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// Searches in texts with symbolic bytes, summed up: the result is one number that
// depends on the bytes, an if-then-else over the places at which something may lie, and
// not a path for each of them. So "c is not in the set", "s has no comma" and "there are
// three colons" are one condition each.

// maxCandidates bounds the places of a text that a summary asks about, maxCompared the bytes
// that it compares in all. Beyond them the search is a loop with branches.
const (
	maxCandidates = 1 << 10
	maxCompared   = 1 << 13
)

// A text is a sequence of bytes with their symbolic values, nil when all are
// concrete.
type text struct {
	bytes []byte
	syms  []expr.ID
}

// textOf returns the bytes of the string, or []byte, in the words w.
func textOf(w []heap.Word) text {
	n := int(w[1].N)
	if n == 0 {
		return text{}
	}
	return text{heap.BytesAt(w[0], n), w[0].P.ShadowAt(int(w[0].N), n)}
}

// byteOf returns byte i of t as an expression.
func (m *Machine) byteOf(t text, i int) expr.ID {
	x := operand{Word: heap.Word{N: uint64(t.bytes[i])}}
	if t.syms != nil {
		x.sym = t.syms[i]
	}
	return m.exprOf(x, code.Uint8)
}

// matchAt returns whether the bytes of b are those of a from place i on.
func (m *Machine) matchAt(a, b text, i int) expr.ID {
	all := m.Arena.Bool(true)
	for k := range b.bytes {
		all = m.Arena.And(all, m.Arena.Eq(m.byteOf(a, i+k), m.byteOf(b, k)))
		if m.never(all) {
			break
		}
	}
	return all
}

// never reports whether cond is plainly false, always whether it is plainly true.
func (m *Machine) never(cond expr.ID) bool  { return cond == m.Arena.Bool(false) }
func (m *Machine) always(cond expr.ID) bool { return cond == m.Arena.Bool(true) }

// A candidate is a result, and the condition for it.
type candidate struct {
	is    expr.ID
	value expr.ID
}

// firstOf returns the value of the first candidate whose condition holds, -1 when there is none.
func (m *Machine) firstOf(list []candidate) expr.ID {
	value := m.Arena.Const(^uint64(0), 64)
	for i := len(list) - 1; i >= 0; i-- {
		value = m.Arena.Ite(list[i].is, list[i].value, value)
	}
	return value
}

// indexText returns the place of the first b in a, -1 when there is none. It is false
// when a summary would be too large.
func (m *Machine) indexText(a, b text) (expr.ID, bool) {
	if a.syms == nil && len(b.bytes) == 1 {
		return m.indexInSet(a.bytes, m.byteOf(b, 0)), true
	}
	return m.searchText(a, b, len(a.bytes)-len(b.bytes), func(k int) int { return k })
}

// lastIndexText is indexText for the last b.
func (m *Machine) lastIndexText(a, b text) (expr.ID, bool) {
	last := len(a.bytes) - len(b.bytes)
	return m.searchText(a, b, last, func(k int) int { return last - k })
}

// searchText returns the first of the places at(0) to at(last) of a at which b is.
func (m *Machine) searchText(a, b text, last int, at func(k int) int) (expr.ID, bool) {
	var list []candidate
	for k := 0; k <= last; k++ {
		i := at(k)
		is := m.matchAt(a, b, i)
		if m.never(is) {
			continue
		}
		list = append(list, candidate{is, m.Arena.Const(uint64(i), 64)})
		if m.always(is) {
			break
		}
		if len(list) > maxCandidates || len(list)*len(b.bytes) > maxCompared {
			return expr.None, false
		}
	}
	return m.firstOf(list), true
}

// indexInSet returns the place of the first c in concrete bytes, -1 when there is
// none. Characters whose places follow each other as they do themselves, such as the
// digits, are one case.
func (m *Machine) indexInSet(set []byte, c expr.ID) expr.ID {
	var first [256]int // 1 + place, of each byte
	for i := len(set) - 1; i >= 0; i-- {
		first[set[i]] = i + 1
	}
	a := m.Arena
	var list []candidate
	for lo := 0; lo < len(first); {
		hi := lo + 1
		if first[lo] == 0 {
			lo = hi
			continue
		}
		for hi < len(first) && first[hi] == first[lo]+hi-lo {
			hi++
		}
		at := uint64(first[lo] - 1)
		p := candidate{a.Eq(c, a.Const(uint64(lo), 8)), a.Const(at, 64)}
		if hi > lo+1 {
			p.is = a.And(a.Ule(a.Const(uint64(lo), 8), c), a.Ule(c, a.Const(uint64(hi-1), 8)))
			// In as few bits as possible, so that it is plainly not negative.
			width := uint8(max(8, bits.Len64(at+uint64(hi-lo-1))))
			p.value = a.ZExt(a.Add(a.ZExt(c, width), a.Const(at-uint64(lo), width)), 64)
		}
		list = append(list, p)
		lo = hi
	}
	return m.firstOf(list)
}

// countByte returns how many bytes of a are b, a text of one byte. It is false when a summary would be too large.
func (m *Machine) countByte(a, b text) (expr.ID, bool) {
	width := uint8(bits.Len(uint(len(a.bytes))) + 1)
	n, certain, terms := expr.None, uint64(0), 0
	for i := range a.bytes {
		is := m.matchAt(a, b, i)
		switch {
		case m.never(is):
			continue
		case m.always(is):
			certain++
			continue
		}
		if terms++; terms > maxCandidates {
			return expr.None, false
		}
		one := m.Arena.ZExt(is, width)
		if n == expr.None {
			n = one
		} else {
			n = m.Arena.Add(n, one)
		}
	}
	if n == expr.None {
		return m.Arena.Const(certain, 64), true
	}
	return m.Arena.ZExt(m.Arena.Add(n, m.Arena.Const(certain, width)), 64), true
}

// compareOrder returns -1, 0 or 1: how a and b compare. It is false when a summary would be
// too large.
func (m *Machine) compareOrder(a, b text) (expr.ID, bool) {
	if min(len(a.bytes), len(b.bytes)) > maxCandidates {
		return expr.None, false
	}
	n := m.Arena
	order := n.Ite(m.lessText(a, b, false), n.Const(^uint64(0), 64), n.Const(1, 64))
	if len(a.bytes) != len(b.bytes) {
		return order, true
	}
	return n.Ite(m.matchAt(a, b, 0), n.Const(0, 64), order), true
}

// lessText returns whether a is before b or, when orEqual is set, equal to it.
func (m *Machine) lessText(a, b text, orEqual bool) expr.ID {
	// From the last byte that both have to the first: the first difference decides.
	rest := m.Arena.Bool(len(a.bytes) < len(b.bytes) || orEqual && len(a.bytes) == len(b.bytes))
	for i := min(len(a.bytes), len(b.bytes)) - 1; i >= 0; i-- {
		x, y := m.byteOf(a, i), m.byteOf(b, i)
		rest = m.Arena.Ite(m.Arena.Eq(x, y), rest, m.Arena.Ult(x, y))
	}
	return rest
}
