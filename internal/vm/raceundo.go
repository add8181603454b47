package vm

import "slices"

// A savedShadow is the former content of the shadow of an object, without its cells.
type savedShadow struct {
	s  *raceShadow
	as raceShadow
}

// A savedCellShadow is the former content of the shadow of a cell.
type savedCellShadow struct {
	c    *cellShadow
	as   cellShadow
	sync syncShadow // what as.sync points to
}

// A raceMark says how much race detection knew.
type raceMark struct {
	touched, block, taken, synced, listed int
}

// mark returns how much r knows.
func (r *raceState) mark() raceMark {
	return raceMark{len(r.touched), r.block, r.taken, r.synced, len(r.listed)}
}

// saveShadow saves s, which was not saved in this stretch.
func (m *Machine) saveShadow(s *raceShadow) {
	u := &m.undo
	n := len(u.shadows)
	u.shadows = slices.Grow(u.shadows, 1)[:n+1]
	saved := &u.shadows[n]
	saved.s = s
	saved.as.copy(s)
	s.stamp = m.stamp
}

// saveCellShadow saves c, which was not saved in this stretch.
func (m *Machine) saveCellShadow(c *cellShadow) {
	u := &m.undo
	n := len(u.histories)
	u.histories = slices.Grow(u.histories, 1)[:n+1]
	saved := &u.histories[n]
	saved.c = c
	saved.as.copy(c)
	if c.sync != nil {
		saved.sync.copy(c.sync)
	}
	c.stamp = m.stamp
}

// forgetShadows drops what was saved of shadows.
func (u *undoLog) forgetShadows() {
	u.shadows, u.histories = u.shadows[:0], u.histories[:0]
}

// rewindRaces takes what race detection knows back to a checkpoint in the run. It
// comes before the objects made since are gone.
func (m *Machine) rewindRaces(l *level) {
	u, r, to := &m.undo, &m.races, &l.progress.races
	for i := len(u.histories) - 1; i >= l.histories; i-- {
		h := &u.histories[i]
		h.c.copy(&h.as)
		if h.c.sync != nil {
			h.c.sync.copy(&h.sync)
		}
	}
	for i := len(u.shadows) - 1; i >= l.shadows; i-- {
		u.shadows[i].s.copy(&u.shadows[i].as)
	}
	u.shadows, u.histories = u.shadows[:l.shadows], u.histories[:l.histories]
	for i, o := range r.touched[to.touched:] {
		o.race.run = 0 // the first run has number 1
		r.touched[to.touched+i] = nil
	}
	r.touched = r.touched[:to.touched]
	r.block, r.taken, r.synced = to.block, to.taken, to.synced
	for _, pair := range r.listed[to.listed:] {
		delete(r.pairs, pair)
	}
	r.listed = r.listed[:to.listed]
}

// copy makes s equal to from. They share only the shadows of cells.
func (s *raceShadow) copy(from *raceShadow) {
	readers, writers, indexed, stored, pages, ch := s.readers.more, s.writers.more, s.indexed, s.stored, s.pages, s.ch
	*s = *from
	s.readers.more = append(readers[:0], from.readers.more...)
	s.writers.more = append(writers[:0], from.writers.more...)
	s.indexed = append(indexed[:0], from.indexed...)
	s.stored = append(stored[:0], from.stored...)
	s.pages = append(pages[:0], from.pages...)
	s.ch.close = ch.close
	s.ch.close.assign(&from.ch.close)
	s.ch.slots = slices.Grow(ch.slots[:0], len(from.ch.slots))[:len(from.ch.slots)]
	for i := range from.ch.slots {
		to, slot := &s.ch.slots[i], &from.ch.slots[i]
		to.clock.assign(&slot.clock)
		to.sent = slot.sent
	}
}

// copy makes c equal to from. They share only what synchronising operations left.
func (c *cellShadow) copy(from *cellShadow) {
	reads := c.reads
	*c = *from
	c.reads = append(reads[:0], from.reads...)
}

// copy makes s equal to from. They share nothing.
func (s *syncShadow) copy(from *syncShadow) {
	s.clock.assign(&from.clock)
	s.readers.assign(&from.readers)
	s.reads = append(s.reads[:0], from.reads...)
	s.writes = append(s.writes[:0], from.writes...)
	s.waits = append(s.waits[:0], from.waits...)
	s.adds = append(s.adds[:0], from.adds...)
}
