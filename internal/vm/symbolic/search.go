package symbolic

import (
	"bytes"
	"math/bits"

	"github.com/everyway-go/everyway/internal/expr"
)

// Summaries of searches in texts with symbolic bytes. The result of a search is a single
// number, an if-then-else expression over the offsets at which something may be found,
// instead of one path for each offset. Thus "c is not in the set", "s contains no comma"
// and "there are three colons" are one condition each.

// maxCandidates bounds the number of offsets of a text that a summary considers, and
// maxCompared the number of bytes that it compares in all. Larger searches run as a loop
// with branches.
const (
	maxCandidates = 1 << 10
	maxCompared   = 1 << 13
)

// Never reports whether cond is the constant false.
func Never(a *expr.Arena, cond expr.ID) bool { return cond == a.Bool(false) }

// Always reports whether cond is the constant true.
func Always(a *expr.Arena, cond expr.ID) bool { return cond == a.Bool(true) }

// A candidate is a possible result and the condition for it.
type candidate struct {
	is    expr.ID
	value expr.ID
}

// firstOf returns the value of the first candidate whose condition holds, -1 if there is
// none.
func firstOf(a *expr.Arena, list []candidate) expr.ID {
	value := a.Const(^uint64(0), 64)
	for i := len(list) - 1; i >= 0; i-- {
		value = a.Ite(list[i].is, list[i].value, value)
	}
	return value
}

// index returns the offset of the first sub in s, -1 if there is none. The result is
// false if a summary would be too large.
func index(a *expr.Arena, s, sub Text) (expr.ID, bool) {
	if s.Syms == nil && len(sub.Bytes) == 1 {
		return indexInSet(a, s.Bytes, sub.ByteAt(a, 0)), true
	}
	return search(a, s, sub, len(s.Bytes)-len(sub.Bytes), func(k int) int { return k })
}

// lastIndex is index for the last sub.
func lastIndex(a *expr.Arena, s, sub Text) (expr.ID, bool) {
	last := len(s.Bytes) - len(sub.Bytes)
	return search(a, s, sub, last, func(k int) int { return last - k })
}

// search returns the first of the offsets at(0) to at(last) of s at which sub is found.
func search(a *expr.Arena, s, sub Text, last int, at func(k int) int) (expr.ID, bool) {
	var list []candidate
	for k := 0; k <= last; k++ {
		i := at(k)
		is := s.Match(a, sub, i)
		if Never(a, is) {
			continue
		}
		list = append(list, candidate{is, a.Const(uint64(i), 64)})
		if Always(a, is) {
			break
		}
		if len(list) > maxCandidates || len(list)*len(sub.Bytes) > maxCompared {
			return expr.None, false
		}
	}
	return firstOf(a, list), true
}

// indexInSet returns the offset of the first c in concrete bytes, -1 if there is none.
// Consecutive characters at consecutive offsets, such as the digits, are one case.
func indexInSet(a *expr.Arena, set []byte, c expr.ID) expr.ID {
	var first [256]int // 1 + offset of each byte
	for i := len(set) - 1; i >= 0; i-- {
		first[set[i]] = i + 1
	}
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
			// Use as few bits as possible, which makes it obvious that the result is not negative.
			width := uint8(max(8, bits.Len64(at+uint64(hi-lo-1))))
			p.value = a.ZExt(a.Add(a.ZExt(c, width), a.Const(at-uint64(lo), width)), 64)
		}
		list = append(list, p)
		lo = hi
	}
	return firstOf(a, list)
}

// count returns how many bytes of s are equal to c, a text of one byte. The result is
// false if a summary would be too large.
func count(a *expr.Arena, s, c Text) (expr.ID, bool) {
	width := uint8(bits.Len(uint(len(s.Bytes))) + 1)
	n, certain, terms := expr.None, uint64(0), 0
	for i := range s.Bytes {
		is := s.Match(a, c, i)
		switch {
		case Never(a, is):
			continue
		case Always(a, is):
			certain++
			continue
		}
		if terms++; terms > maxCandidates {
			return expr.None, false
		}
		one := a.ZExt(is, width)
		if n == expr.None {
			n = one
		} else {
			n = a.Add(n, one)
		}
	}
	if n == expr.None {
		return a.Const(certain, 64), true
	}
	return a.ZExt(a.Add(n, a.Const(certain, width)), 64), true
}

// order returns -1, 0 or 1 according to how s and t compare. The result is false if a
// summary would be too large.
func order(a *expr.Arena, s, t Text) (expr.ID, bool) {
	if min(len(s.Bytes), len(t.Bytes)) > maxCandidates {
		return expr.None, false
	}
	order := a.Ite(s.Less(a, t, false), a.Const(^uint64(0), 64), a.Const(1, 64))
	if len(s.Bytes) != len(t.Bytes) {
		return order, true
	}
	return a.Ite(s.Match(a, t, 0), a.Const(0, 64), order), true
}

// A Kernel is a search or comparison of package internal/bytealg.
type Kernel struct {
	Name   string
	OfByte bool // the second text is one byte
	Native func(s, t []byte) int
	// Summary is Native for symbolic bytes. It returns false if the result would be too
	// large.
	Summary func(a *expr.Arena, s, t Text) (expr.ID, bool)
	Widths  []int // numbers of words of the types of the first text: 3 for []byte, 2 for string
}

// Kernels are the kernels of package internal/bytealg.
var Kernels = []Kernel{
	{"IndexByte", true, bytes.Index, index, []int{3, 2}},
	{"LastIndexByte", true, bytes.LastIndex, lastIndex, []int{3, 2}},
	{"Count", true, bytes.Count, count, []int{3, 2}},
	{"Index", false, bytes.Index, index, []int{3, 2}},
	{"LastIndex", false, bytes.LastIndex, lastIndex, []int{2}},
	{"Compare", false, bytes.Compare, order, []int{3, 2}},
}
