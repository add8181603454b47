package race

import "math/bits"

// A SlotSet is a set of goroutines, represented by their slots.
type SlotSet struct {
	first uint64   // slots below 64
	more  []uint64 // the others
}

// Add adds a slot.
func (s *SlotSet) Add(slot int32) {
	if slot < 64 {
		s.first |= 1 << slot
		return
	}
	i := int(slot)>>6 - 1
	for i >= len(s.more) {
		s.more = append(s.more, 0)
	}
	s.more[i] |= 1 << (slot & 63)
}

// Has reports whether a slot is in the set.
func (s *SlotSet) Has(slot int32) bool {
	if slot < 64 {
		return s.first&(1<<slot) != 0
	}
	i := int(slot)>>6 - 1
	return i < len(s.more) && s.more[i]&(1<<(slot&63)) != 0
}

// HasOther reports whether the set has a goroutine other than the one in slot.
func (s *SlotSet) HasOther(slot int32) bool {
	first := s.first
	if slot < 64 {
		first &^= 1 << slot
	}
	if first != 0 {
		return true
	}
	for i, w := range s.more {
		if int(slot)>>6-1 == i {
			w &^= 1 << (slot & 63)
		}
		if w != 0 {
			return true
		}
	}
	return false
}

// Remove removes a slot, if it is there.
func (s *SlotSet) Remove(slot int32) {
	if slot < 64 {
		s.first &^= 1 << slot
	} else if i := int(slot)>>6 - 1; i < len(s.more) {
		s.more[i] &^= 1 << (slot & 63)
	}
}

// Next returns the first slot in the set that is not below slot, -1 if there is none.
func (s *SlotSet) Next(slot int32) int32 {
	if slot < 64 {
		if rest := s.first >> slot; rest != 0 {
			return slot + int32(bits.TrailingZeros64(rest))
		}
		slot = 64
	}
	for i := int(slot)>>6 - 1; i < len(s.more); i++ {
		if rest := s.more[i] >> (slot & 63); rest != 0 {
			return slot + int32(bits.TrailingZeros64(rest))
		}
		slot = slot&^63 + 64
	}
	return -1
}

// Empty reports whether there is no slot in the set.
func (s *SlotSet) Empty() bool { return s.Next(0) < 0 }

// AddAll adds the slots of another set.
func (s *SlotSet) AddAll(from *SlotSet) {
	s.first |= from.first
	for len(s.more) < len(from.more) {
		s.more = append(s.more, 0)
	}
	for i, set := range from.more {
		s.more[i] |= set
	}
}

// Clear makes the set empty.
func (s *SlotSet) Clear() { s.first, s.more = 0, s.more[:0] }

// Copy makes s a copy of from that shares no memory with it.
func (s *SlotSet) Copy(from *SlotSet) {
	s.first, s.more = from.first, append(s.more[:0], from.more...)
}
