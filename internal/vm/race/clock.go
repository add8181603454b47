package race

import (
	"math/bits"

	"github.com/everyway-go/everyway/internal/run"
)

// A Clock is a vector clock. For each goroutine of the run, by slot, it holds the time up
// to which the goroutine's actions are known to have happened before. Missing entries are
// 0. In a goroutine's own clock, its own entry is its current time, which advances after
// each operation that others can synchronise with.
//
// The entries of the first goroutines are in a slice that the clock owns. The others are
// in a tree that clocks share: among ten thousand goroutines, most clocks have few
// entries or the same ones.
type Clock struct {
	first []uint32
	more  *clockNode
	// Time is the earliest virtual time at which all that the clock covers can have
	// happened, if it is not before the last quiescent point (package clock, carry.go).
	Time int64
	// Readings are the readings of the virtual clock that the clock covers, nil if there
	// are none that matter. What comes later cannot show an earlier time.
	Readings *Readings
	// Of says whose clock it is, as far as anybody asks. It belongs to the place where the clock is, and not to
	// what the clock covers.
	Of run.Holder
}

// firstSlots is the number of goroutines that have their entries in Clock.first.
const firstSlots = 64

// Join sets each entry of c to the maximum of those of c and d.
func (c *Clock) Join(d *Clock) {
	for len(c.first) < len(d.first) {
		c.first = append(c.first, 0)
	}
	for i, t := range d.first {
		if t > c.first[i] {
			c.first[i] = t
		}
	}
	if d.more != c.more {
		c.more = joinNodes(c.more, d.more)
	}
	c.Time = max(c.Time, d.Time)
	if d.Readings != c.Readings {
		c.Readings = c.Readings.Join(d.Readings)
	}
}

// Meet sets each entry of c to the minimum of those of c and d.
func (c *Clock) Meet(d *Clock) {
	if len(c.first) > len(d.first) {
		c.first = c.first[:len(d.first)]
	}
	for i, t := range c.first {
		if t > d.first[i] {
			c.first[i] = d.first[i]
		}
	}
	c.more = meetNodes(c.more, d.more)
}

// Includes reports whether c covers all that d covers.
func (c *Clock) Includes(d *Clock) bool {
	for i, t := range d.first {
		if t > 0 && (i >= len(c.first) || t > c.first[i]) {
			return false
		}
	}
	return joinNodes(c.more, d.more) == c.more
}

// Assign makes c equal to d.
func (c *Clock) Assign(d *Clock) {
	c.first = append(c.first[:0], d.first...)
	c.more = d.more
	c.Time, c.Readings = d.Time, d.Readings
}

// Empty returns a clock without entries that reuses the memory of c.
func (c *Clock) Empty() Clock { return Clock{first: c.first[:0]} }

// At returns the entry of a slot.
func (c *Clock) At(slot int32) uint32 {
	if int(slot) < len(c.first) {
		return c.first[slot]
	}
	return c.more.at(slot)
}

// Set makes t the entry of a slot. The entry must not be greater than t before.
func (c *Clock) Set(slot int32, t uint32) {
	if slot >= firstSlots {
		c.more = joinNodes(c.more, &clockNode{slot: slot, time: t})
		return
	}
	for len(c.first) <= int(slot) {
		c.first = append(c.first, 0)
	}
	c.first[slot] = t
}

// A clockNode is a set of entries, as a big-endian Patricia tree (Okasaki and Gill, Fast
// Mergeable Integer Maps, ML 1998, section 4). Nodes are immutable, so that a join can
// return an operand that is already the result instead of allocating.
type clockNode struct {
	bit  int32 // the bit of the slot in which the two children differ; 0 for a single entry
	slot int32 // of a single entry; otherwise the bits above bit that all slots below have in common
	time uint32

	zero, one *clockNode // entries without and with the bit
}

// has reports whether slot belongs below the branch n.
func (n *clockNode) has(slot int32) bool { return slot&^(n.bit<<1-1) == n.slot }

// at returns the entry of a slot. It is 0 in a nil tree, which has none.
func (n *clockNode) at(slot int32) uint32 {
	if n == nil {
		return 0
	}
	for n.bit != 0 {
		if slot&n.bit == 0 {
			n = n.zero
		} else {
			n = n.one
		}
	}
	if n.slot != slot {
		return 0
	}
	return n.time
}

// with returns n with the given children.
func (n *clockNode) with(zero, one *clockNode) *clockNode {
	if zero == n.zero && one == n.one {
		return n
	}
	return &clockNode{bit: n.bit, slot: n.slot, zero: zero, one: one}
}

// joinNodes returns the tree with the maximum of each entry of a and b.
func joinNodes(a, b *clockNode) *clockNode {
	switch {
	case b == nil || a == b:
		return a
	case a == nil:
		return b
	case a.bit == b.bit && a.slot == b.slot && a.bit == 0:
		if a.time < b.time {
			return b
		}
		return a
	case a.bit == b.bit && a.slot == b.slot:
		zero, one := joinNodes(a.zero, b.zero), joinNodes(a.one, b.one)
		if zero == b.zero && one == b.one {
			return b
		}
		return a.with(zero, one)
	case a.bit > b.bit && a.has(b.slot):
		if b.slot&a.bit == 0 {
			return a.with(joinNodes(a.zero, b), a.one)
		}
		return a.with(a.zero, joinNodes(a.one, b))
	case b.bit > a.bit && b.has(a.slot):
		if a.slot&b.bit == 0 {
			return b.with(joinNodes(a, b.zero), b.one)
		}
		return b.with(b.zero, joinNodes(a, b.one))
	}
	n := &clockNode{bit: 1 << (31 - bits.LeadingZeros32(uint32(a.slot^b.slot)))}
	n.slot = a.slot &^ (n.bit<<1 - 1)
	if a.slot&n.bit == 0 {
		n.zero, n.one = a, b
	} else {
		n.zero, n.one = b, a
	}
	return n
}

// meetNodes returns the tree with the minimum of each entry of a and b.
func meetNodes(a, b *clockNode) *clockNode {
	switch {
	case a == nil || a == b:
		return a
	case b == nil:
		return nil
	case a.bit == b.bit && a.slot == b.slot && a.bit == 0:
		if a.time < b.time {
			return a
		}
		return b
	case a.bit == b.bit && a.slot == b.slot:
		zero, one := meetNodes(a.zero, b.zero), meetNodes(a.one, b.one)
		switch {
		case zero == nil:
			return one
		case one == nil:
			return zero
		case zero == b.zero && one == b.one:
			return b
		}
		return a.with(zero, one)
	case a.bit > b.bit && a.has(b.slot):
		if b.slot&a.bit == 0 {
			return meetNodes(a.zero, b)
		}
		return meetNodes(a.one, b)
	case b.bit > a.bit && b.has(a.slot):
		if a.slot&b.bit == 0 {
			return meetNodes(a, b.zero)
		}
		return meetNodes(a, b.one)
	}
	return nil
}
