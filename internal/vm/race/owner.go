package race

// Most accesses are made by the goroutine that was the last to access the cell, and knew then of all that
// others had done with it. Such a goroutine owns the cell until another one uses it: its accesses cannot race,
// whatever it acquires and releases, and each replaces its earlier ones. (FastTrack, section 3, has such rules
// for accesses in the same epoch, and for reads of one goroutine.)
//
// So there is little to do for them, and the machine asks for it at each load and store, with [Detector.OwnRead]
// and [Detector.OwnWrite]: a comparison with what has been prepared, and a copy of where the goroutine is.

//
// If others have read the cell, and nobody has written to it since, a goroutine that reads it and knows of the last write owns it for reading, in
// the same way: each of its reads replaces its earlier ones in the list. The list gets the last one of them when somebody
// else asks for it, see [Cell.settle].

// An owner says who owns a cell: the checkpoint interval in which that was found out, 1 + the slot of the
// goroutine, whether it has read and written the object before, and whether it owns the cell only for reading. In another interval the
// cell may have to be saved first. It is 0 if nobody owns the cell.
type owner uint64

const (
	hasRead owner = 1 << iota
	hasWritten
	onlyReads
	ownerShift = iota
)

// ownerOf returns t as an owner that has neither read nor written.
func (d *Detector) ownerOf(t *Thread) owner {
	return owner(d.interval)<<32 | owner(t.Slot+1)<<ownerShift
}

// reads reports whether o is as, perhaps only for reading, and has read the object before.
func (o owner) reads(as owner) bool { return (o^as)&^(hasWritten|onlyReads) == hasRead }

// writes reports whether o is as, and has written to the object before.
func (o owner) writes(as owner) bool { return (o^as)&^hasRead == hasWritten }

// Prepare makes OwnRead and OwnWrite record accesses of t, until the next [Thread.Unprepare]. It does nothing if
// [Detector.Flow] wants to know of all accesses.
func (d *Detector) Prepare(t *Thread) {
	if d.Flow == nil {
		t.own, t.next = d.ownerOf(t), t.now()
	}
}

// Prepared reports whether OwnRead and OwnWrite record accesses of t.
func (t *Thread) Prepared() bool { return t.own != 0 }

// Unprepare makes OwnRead and OwnWrite record nothing. It is called when the time of t advances, and has to be when another checkpoint
// interval may have begun.
func (t *Thread) Unprepare() { t.own = 0 }

// OwnRead records a plain read of t, at an instruction of the innermost function of a call chain, of a cell of the object with shadow
// s. It does so if t owns the cell and is prepared, the chain has a number,
// and there is no more to record: it is not the first read of the object by t. It returns false if it
// has recorded nothing. The shadow may be nil, or one of another run.
func (d *Detector) OwnRead(t *Thread, s *Shadow, off int, in *Chain, instr int32) bool {
	c := d.seen(s, off)
	if c == nil || in.Context == 0 || !c.owner.reads(t.own) && !c.takeForRead(t, s) {
		return false
	}
	c.read.set(t.next, in, instr)
	return true
}

// OwnWrite is OwnRead for a plain write.
func (d *Detector) OwnWrite(t *Thread, s *Shadow, off int, in *Chain, instr int32) bool {
	c := d.seen(s, off)
	if c == nil || in.Context == 0 || !c.owner.writes(t.own) && !c.takeForWrite(t, s) {
		return false
	}
	c.Write.set(t.next, in, instr)
	c.read.time = 0
	return true
}

// Own is OwnRead or OwnWrite for the n cells from off on. If it returns false, it may have recorded accesses to some
// of them, which [Detector.Plain] may record again.
func (d *Detector) Own(t *Thread, s *Shadow, off, n int, in *Chain, instr int32, write bool) bool {
	if s == nil || s.run != d.run || in.Context == 0 {
		return false
	}
	if off+n <= len(s.first) { // most values of several words
		cells := s.first[off : off+n]
		if write {
			return t.ownWrites(s, cells, in, instr)
		}
		return t.ownReads(s, cells, in, instr)
	}
	for i := off; i < off+n; i++ {
		if write && !d.OwnWrite(t, s, i, in, instr) || !write && !d.OwnRead(t, s, i, in, instr) {
			return false
		}
	}
	return true
}

// ownReads is Own for reads of cells, which are some of the object with shadow s.
func (t *Thread) ownReads(s *Shadow, cells []Cell, in *Chain, instr int32) bool {
	own, next, chain := t.own, t.next, *in
	for i := range cells {
		c := &cells[i]
		if !c.owner.reads(own) && !c.takeForRead(t, s) {
			return false
		}
		c.read.set(next, &chain, instr)
	}
	return true
}

// ownWrites is ownReads for writes.
func (t *Thread) ownWrites(s *Shadow, cells []Cell, in *Chain, instr int32) bool {
	own, next, chain := t.own, t.next, *in
	for i := range cells {
		c := &cells[i]
		if !c.owner.writes(own) && !c.takeForWrite(t, s) {
			return false
		}
		c.Write.set(next, &chain, instr)
		c.read.time = 0
	}
	return true
}

// seen returns the history of a cell of the object with shadow s, nil if the cell was not accessed in this run.
func (d *Detector) seen(s *Shadow, off int) *Cell {
	if s == nil || s.run != d.run {
		return nil
	}
	return s.Seen(off)
}

// takeForRead makes t, which is about to read a cell of the object with shadow s, its owner. It returns false if t is
// not prepared, the read may race, there is more to record, or nobody else reads the cell at a time
// that t does not know of: then the reads have to be listed.
func (c *Cell) takeForRead(t *Thread, s *Shadow) bool {
	switch {
	case !c.free(t, s) || !s.Readers.Has(t.Slot):
		return false
	case len(c.reads) == 0:
		if c.read.Concurrent(t) {
			return false
		}
		c.owner = t.own.of(t, s)
		return true
	}
	c.settle()
	c.owner, c.ownRead = t.own.of(t, s)|onlyReads, 0
	for int(c.ownRead) < len(c.reads) && c.reads[c.ownRead].Slot != t.Slot {
		c.ownRead++
	}
	if int(c.ownRead) == len(c.reads) {
		c.reads = append(c.reads, Access{})
	}
	return true
}

// settle puts the last read of who owns the cell only for reading, which is in c.read, into the list of reads. From now on nobody owns
// the cell in this way.
func (c *Cell) settle() {
	if c.owner&onlyReads != 0 {
		c.reads[c.ownRead] = c.read
		c.read.time, c.owner = 0, 0
	}
}

// takeForWrite makes t, which is about to write to a cell of the object with shadow s, its owner. It returns false if t is
// not prepared, the write may race, or there is more to record.
func (c *Cell) takeForWrite(t *Thread, s *Shadow) bool {
	if !c.free(t, s) || !s.Writers.Has(t.Slot) || len(c.reads) > 0 || c.read.Concurrent(t) {
		return false
	}
	c.owner = t.own.of(t, s)
	return true
}

// free reports whether t, which may not be prepared, could own the cell for reading, and does not have to save it first.
func (c *Cell) free(t *Thread, s *Shadow) bool {
	return t.own != 0 && c.interval == uint32(t.own>>32) && c.sync == nil &&
		!s.Visible && len(s.Indexed)+len(s.Stored) == 0 && !c.Write.Concurrent(t)
}

// paged is [Shadow.Seen] for cells beyond the first page.
func (s *Shadow) paged(off int) *Cell {
	if p := uint(off) / pageSize; p < uint(len(s.pages)) && s.pages[p] != nil {
		return &s.pages[p][uint(off)%pageSize]
	}
	return nil
}

// Owned returns the history of a cell of the object with shadow s if t owns the cell, and a plain access
// has no more to record than [Cell.Renew] does: it is not the first read or write of the object by t. Otherwise it
// returns nil, as it does if [Detector.Flow] wants to know of all accesses. The shadow may be nil, or one of another run.
func (d *Detector) Owned(t *Thread, s *Shadow, off int, write bool) *Cell {
	c := d.seen(s, off)
	if c == nil || d.Flow != nil {
		return nil
	}
	users := &s.Readers
	if write {
		users = &s.Writers
	}
	if (c.owner^d.ownerOf(t))&^(hasRead|hasWritten) != 0 || !users.Has(t.Slot) {
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

// newOwner returns what t is as the owner of cells of an object with shadow s that it has just accessed, 0 if it cannot own any.
func (d *Detector) newOwner(t *Thread, s *Shadow) owner {
	if s.Visible || len(s.Indexed)+len(s.Stored) > 0 {
		return 0
	}
	return d.ownerOf(t).of(t, s)
}

// of returns t, which is o, as an owner of cells of the object with shadow s.
func (o owner) of(t *Thread, s *Shadow) owner {
	if s.Readers.Has(t.Slot) {
		o |= hasRead
	}
	if s.Writers.Has(t.Slot) {
		o |= hasWritten
	}
	return o
}

// noteOwner notes, after a plain access of t to a cell, whether t owns it, and then as what.
func (c *Cell) noteOwner(t *Thread, as owner) {
	if c.sync != nil || len(c.reads) > 0 || c.Write.Concurrent(t) {
		as = 0
	}
	c.owner = as
}

// Indexes records an access of t, described by now, at a symbolic index of the object with shadow s. From now on nobody owns its cells.
func (s *Shadow) Indexes(now Access, write bool) {
	if len(s.Indexed)+len(s.Stored) == 0 {
		disown(s.first)
		for _, page := range s.pages {
			disown(page)
		}
	}
	if write {
		s.Stored = ReplaceAccess(s.Stored, now)
	} else {
		s.Indexed = ReplaceAccess(s.Indexed, now)
	}
}

func disown(cells []Cell) {
	for i := range cells {
		cells[i].settle()
		cells[i].owner = 0
	}
}
