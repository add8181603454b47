package bitset

import (
	"iter"
	"math/bits"
)

// A Set is a set of numbers that are not negative. It has room for those below 64
// times its length; the zero Set is empty and has room for none.
type Set []uint64

// New returns an empty set with room for the numbers below n.
func New(n int) Set { return make(Set, (n+63)/64) }

// Grow makes room for the numbers below n.
func (s *Set) Grow(n int) {
	if words := (n + 63) / 64; words > len(*s) {
		*s = append(*s, make(Set, words-len(*s))...)
	}
}

// Has reports whether i is in s.
func (s Set) Has(i int) bool { return i>>6 < len(s) && s[i>>6]>>(i&63)&1 != 0 }

// Add adds i, for which there has to be room.
func (s Set) Add(i int) { s[i>>6] |= 1 << (i & 63) }

// Remove removes i.
func (s Set) Remove(i int) {
	if i>>6 < len(s) {
		s[i>>6] &^= 1 << (i & 63)
	}
}

// AddAll adds the elements of t, for which it makes room.
func (s *Set) AddAll(t Set) {
	s.Grow(64 * len(t))
	for i, word := range t {
		(*s)[i] |= word
	}
}

// Count returns the number of elements.
func (s Set) Count() int {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// All returns the elements in ascending order. The set may change meanwhile.
func (s Set) All() iter.Seq[int] { return s.Without(nil) }

// Without returns the elements that are not in t, in ascending order. The sets may
// change meanwhile.
func (s Set) Without(t Set) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range s {
			if i < len(t) {
				word &^= t[i]
			}
			for ; word != 0; word &= word - 1 {
				if !yield(64*i + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}
