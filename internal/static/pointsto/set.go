package pointsto

import (
	"iter"
	"math/bits"

	"github.com/everyway-go/everyway/internal/bitset"
)

// A set is a set of numbers: words of 64, in order, without those that are empty.
type set []word

type word struct {
	index int32
	bits  uint64
}

// has reports whether i is in s.
func (s set) has(i int32) bool {
	at, ok := s.find(i >> 6)
	return ok && s[at].bits>>(i&63)&1 != 0
}

// find returns the place of the word with an index, and whether it is there.
func (s set) find(index int32) (int, bool) {
	lo, hi := 0, len(s)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); s[mid].index < index {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(s) && s[lo].index == index
}

// add adds i and reports whether it was not there.
func (s *set) add(i int32) bool {
	at, ok := s.find(i >> 6)
	bit := uint64(1) << (i & 63)
	if ok {
		if (*s)[at].bits&bit != 0 {
			return false
		}
		(*s)[at].bits |= bit
		return true
	}
	*s = append(*s, word{})
	copy((*s)[at+1:], (*s)[at:])
	(*s)[at] = word{i >> 6, bit}
	return true
}

// addAll adds the members of t to s, and to delta those that were not in s. It reports whether there are any.
func (s *set) addAll(t set, delta *set) bool {
	if len(t) == 0 {
		return false
	}
	if len(t) <= 4 || len(*s) > 16*len(t) {
		return s.addFew(t, delta)
	}
	a := *s
	missing := 0 // words of t that s does not have
	more := 0    // words with members that s does not have
	for i, j := 0, 0; j < len(t); {
		switch {
		case i == len(a) || a[i].index > t[j].index:
			missing++
			more++
			j++
		case a[i].index < t[j].index:
			i++
		default:
			if t[j].bits&^a[i].bits != 0 {
				more++
			}
			i++
			j++
		}
	}
	if more == 0 {
		return false
	}
	fresh := make(set, more)
	i, j := len(a)-1, len(t)-1
	a = append(a, make(set, missing)...)
	for k := len(a) - 1; j >= 0; k-- {
		switch {
		case i < 0 || a[i].index < t[j].index:
			a[k] = t[j]
			more--
			fresh[more] = t[j]
			j--
		case a[i].index > t[j].index:
			a[k] = a[i]
			i--
		default:
			if bits := t[j].bits &^ a[i].bits; bits != 0 {
				more--
				fresh[more] = word{t[j].index, bits}
			}
			a[k] = word{a[i].index, a[i].bits | t[j].bits}
			i--
			j--
		}
	}
	*s = a
	if len(*delta) == 0 {
		*delta = fresh
	} else {
		var none set
		delta.addAll(fresh, &none)
	}
	return true
}

// addFew is addAll for a set that is much smaller than s.
func (s *set) addFew(t set, delta *set) bool {
	changed := false
	for _, w := range t {
		at, ok := s.find(w.index)
		more := w.bits
		if ok {
			more &^= (*s)[at].bits
			if more == 0 {
				continue
			}
			(*s)[at].bits |= more
		} else {
			*s = append(*s, word{})
			copy((*s)[at+1:], (*s)[at:])
			(*s)[at] = w
		}
		changed = true
		delta.addWord(word{w.index, more})
	}
	return changed
}

// addWord adds the members in a word.
func (s *set) addWord(w word) {
	at, ok := s.find(w.index)
	if ok {
		(*s)[at].bits |= w.bits
		return
	}
	*s = append(*s, word{})
	copy((*s)[at+1:], (*s)[at:])
	(*s)[at] = w
}

// all returns the members in ascending order. The set must not change meanwhile.
func (s set) all() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for _, w := range s {
			for b := w.bits; b != 0; b &= b - 1 {
				if !yield(w.index<<6 + int32(bits.TrailingZeros64(b))) {
					return
				}
			}
		}
	}
}

// count returns the number of members.
func (s set) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w.bits)
	}
	return n
}

// meets reports whether two sets have a member in common.
func (s set) meets(t set) bool {
	for i, j := 0, 0; i < len(s) && j < len(t); {
		switch {
		case s[i].index < t[j].index:
			i++
		case s[i].index > t[j].index:
			j++
		default:
			if s[i].bits&t[j].bits != 0 {
				return true
			}
			i++
			j++
		}
	}
	return false
}

// meetsAny is meets for a set that has a bit for each number.
func (s set) meetsAny(t bitset.Set) bool {
	for _, w := range s {
		if int(w.index) < len(t) && w.bits&t[w.index] != 0 {
			return true
		}
	}
	return false
}
