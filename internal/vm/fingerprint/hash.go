package fingerprint

import (
	"encoding/binary"
	"math/bits"
)

// A hash is the hash of a sequence of numbers: two independent ones of 64 bits.
type hash struct{ a, b uint64 }

// A tag says what a sequence describes. Tags are not small numbers, so that what stands for a
// pointer does not occur as a number in a program.
type tag uint64

// The tags.
const (
	tagRun tag = 0x8a5cd789635d2d00 + iota
	tagGoroutine
	tagTimer
	tagObject
	tagCell
	tagPointer
	tagSymbolic
	tagView
	tagHidden
	tagOldHidden
	tagAccess
	tagOpen
	tagUses
	tagKnown
	tagReadings
	tagTime
	tagListed
	tagClock
	tagCondition
	tagParted
	tagEnded
	tagUsed
	tagSpin
	tagPending
	tagNumber
	tagGuard
	tagWritten
	tagHeld
	tagInherited
	tagReaders
	tagClosed
	tagBegan
	tagLatest
	tagLate
	tagPools
	tagQueue
	tagWord
)

// begin returns the hash of a sequence that begins with t.
func begin(t tag) hash {
	h := hash{0x243f6a8885a308d3, 0x13198a2e03707344}
	h.add(uint64(t))
	return h
}

// add appends a number to the sequence.
func (h *hash) add(x uint64) {
	h.a = bits.RotateLeft64(h.a^x*0x9e3779b97f4a7c15, 29) * 0xbf58476d1ce4e5b9
	h.b = bits.RotateLeft64(h.b+(x^0x452821e638d01377), 37) * 0x94d049bb133111eb
}

// addInt, addBool and addText append other values.
func (h *hash) addInt(x int) { h.add(uint64(x)) }

func (h *hash) addBool(x bool) {
	n := uint64(0)
	if x {
		n = 1
	}
	h.add(n)
}

func (h *hash) addText(s string) {
	h.addInt(len(s))
	for ; len(s) > 0; s = s[1:] {
		h.add(uint64(s[0]))
	}
}

// addBytes appends bytes, but not their number.
func (h *hash) addBytes(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		h.add(binary.LittleEndian.Uint64(b))
	}
	last := uint64(0)
	for i, c := range b {
		last |= uint64(c) << (8 * i)
	}
	h.add(last)
}

// addHash appends another hash, that of a sequence which is complete.
func (h *hash) addHash(x hash) {
	h.add(x.a)
	h.add(x.b)
}

// sum returns the hash with its bits mixed, so that sums of such hashes are hashes of sets.
func (h hash) sum() hash {
	a := mix(h.a ^ bits.RotateLeft64(h.b, 23))
	return hash{a, mix(h.b + a)}
}

// mix spreads the bits of x (MurmurHash3, fmix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// A set is the hash of a multiset of hashes.
type set hash

// add adds an element.
func (s *set) add(h hash) {
	h = h.sum()
	s.a += h.a
	s.b += h.b
}
