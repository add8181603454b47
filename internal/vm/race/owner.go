package race

// Most accesses are made by the goroutine that was the last to access the cell, and knew then of all that
// others had done with it. Such a goroutine owns the cell until another one uses it: its accesses cannot race,
// whatever it acquires and releases, and each replaces its earlier ones. (FastTrack, section 3, has such rules
// for accesses in the same epoch, and for reads of one goroutine.)

// Owned returns the history of a cell of the object with shadow s if t owns the cell, and a plain access
// has no more to record than [Cell.Renew] does: it is not the first read or write of the object by t. Otherwise it
// returns nil, as it does if [Detector.Flow] wants to know of all accesses. The shadow may be nil, or one of another run.
func (d *Detector) Owned(t *Thread, s *Shadow, off int, write bool) *Cell {
	if s == nil || s.run != d.run || d.Flow != nil {
		return nil
	}
	var c *Cell
	if uint(off) < uint(len(s.first)) {
		c = &s.first[off]
	} else if c = s.Seen(off); c == nil {
		return nil
	}
	users := &s.Readers
	if write {
		users = &s.Writers
	}
	if c.owner != t.Slot+1 || c.interval != d.interval || len(s.Indexed)+len(s.Stored) > 0 || !users.Has(t.Slot) {
		return nil
	}
	return c
}

// Renew records a plain access of the owner of the cell, as [Detector.Plain] does.
func (c *Cell) Renew(now *Access, write bool) {
	if write {
		c.Write, c.read.time = *now, 0
	} else {
		c.read = *now
	}
}

// noteOwner notes, after a plain access of t to cell c of an object with shadow s, whether t owns the cell.
func (c *Cell) noteOwner(t *Thread, s *Shadow) {
	c.owner = 0
	if !s.Visible && c.sync == nil && len(c.reads) == 0 && !c.Write.Concurrent(t) {
		c.owner = t.Slot + 1
	}
}
