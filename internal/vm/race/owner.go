package race

import "slices"

// Most accesses are made by the goroutine that was the last to access the cell, and knew then of all that
// others had done with it. Such a goroutine owns the cell until another one uses it: its accesses cannot race,
// whatever it acquires and releases, and each replaces its earlier ones. (FastTrack, section 3, has such rules
// for accesses in the same epoch, and for reads of one goroutine.)
//
// So there is little to do for them, and the machine asks for it at each load and store, with [Detector.OwnRead]
// and [Detector.OwnWrite]: a comparison with what has been prepared, and a copy of where the goroutine is.

//
// If others have read the cell, and nobody has written to it since, a goroutine that reads it and
// knows of the last write owns it for reading, in the same way: each of its reads replaces its
// earlier ones in the list. The list gets the last one of them when somebody else asks for it, see
// [Cell.settle].

// An owner says who owns a cell: the checkpoint interval in which that was found out, 1 + the slot
// of the goroutine, whether it has read and written the object before, and whether it owns the cell
// only for reading. In another interval the cell may have to be saved first. It is 0 if nobody owns
// the cell.
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
	if t.own = 0; d.Flow == nil {
		t.own, t.next = d.ownerOf(t), t.now()
	}
}

// Prepared reports whether OwnRead and OwnWrite record accesses of t.
func (t *Thread) Prepared() bool { return t.own != 0 }

// Unprepare makes OwnRead and OwnWrite record nothing. It has to be called when another checkpoint interval may have
// begun, unless t is prepared again.
func (t *Thread) Unprepare() { t.own = 0 }

// OwnRead records a plain read of t, at an instruction of the innermost function of a call chain,
// of a cell of the object with shadow s. It does so if t owns the cell, or may, and is prepared,
// the chain has a number, and there is no more to record. It returns false if it has recorded
// nothing, but perhaps that t reads the object. The shadow may be nil, or one of another run.
func (d *Detector) OwnRead(t *Thread, s *Shadow, off int, in Chain, instr int32) bool {
	c := d.seen(s, off)
	if c == nil || in == 0 || !c.owner.reads(t.own) && !c.takeForRead(t, s, off) {
		return false
	}
	c.read = Access{t.next, in.at(instr)}
	return true
}

// OwnWrite is OwnRead for a plain write.
func (d *Detector) OwnWrite(t *Thread, s *Shadow, off int, in Chain, instr int32) bool {
	c := d.seen(s, off)
	if c == nil || in == 0 || !c.owner.writes(t.own) && !c.takeForWrite(t, s, off) {
		return false
	}
	c.Write = Access{t.next, in.at(instr)}
	c.read.epoch = 0
	return true
}

// The parts of OwnRead and OwnWrite that the machine carries out in its dispatch loop, for cells
// that are owned already: a call takes as long as these. Each is small enough to be inlined there.

// Knows reports whether s is the shadow of an object in the present run. It may be nil.
func (d *Detector) Knows(s *Shadow) bool { return s != nil && s.run == d.run }

// Near reports whether cell off is one of the first, for NearCell.
func (s *Shadow) Near(off int) bool { return uint(off) < uint(len(s.first)) }

// NearCell returns the history of one of the first cells.
func (s *Shadow) NearCell(off int) *Cell { return &s.first[off] }

// OwnedForRead reports whether t is prepared and owns the cell, so that a read has no more to record than Reread does.
func (c *Cell) OwnedForRead(t *Thread) bool { return c.owner.reads(t.own) }

// OwnedForWrite is OwnedForRead for a write, and Rewrite.
func (c *Cell) OwnedForWrite(t *Thread) bool { return c.owner.writes(t.own) }

// Reread records a read of the owner. It returns true.
func (c *Cell) Reread(t *Thread, in Chain, instr int32) bool {
	c.read = Access{t.next, in.at(instr)}
	return true
}

// Rewrite records a write of the owner, after which the caller calls Unread. It returns true.
func (c *Cell) Rewrite(t *Thread, in Chain, instr int32) bool {
	c.Write = Access{t.next, in.at(instr)}
	return true
}

// Unread forgets the reads of the owner. It returns true.
func (c *Cell) Unread() bool {
	c.read.epoch = 0
	return true
}

// OwnReads is OwnRead for the n cells from off on. If it returns false, it may have recorded accesses to some
// of them, which [Detector.Plain] may record again.
func (d *Detector) OwnReads(t *Thread, s *Shadow, off, n int, in Chain, instr int32) bool {
	if n == 3 && s != nil && s.run == d.run && in != 0 && uint(off) < uint(len(s.first)) && uint(off+2) < uint(len(s.first)) { // a slice
		x, y, z, now := &s.first[off], &s.first[off+1], &s.first[off+2], Access{t.next, in.at(instr)}
		if as := t.own ^ hasRead; ((x.owner^as)|(y.owner^as)|(z.owner^as))&^(hasWritten|onlyReads) == 0 {
			x.read, y.read, z.read = now, now, now
			return true
		}
	}
	return d.ownReads(t, s, off, n, in, instr)
}

// ownReads is OwnReads for any values.
func (d *Detector) ownReads(t *Thread, s *Shadow, off, n int, in Chain, instr int32) bool {
	if s == nil || s.run != d.run || in == 0 || off+n > len(s.first) { // most values of several words are in the first page
		return d.ownEach(t, s, off, n, in, instr, false)
	}
	cells := s.first[off : off+n]
	for i := range cells { // without calls, so that all is in registers
		if !cells[i].owner.reads(t.own) {
			return d.ownEach(t, s, off, n, in, instr, false)
		}
	}
	for i := range cells {
		cells[i].read = Access{t.next, in.at(instr)}
	}
	return true
}

// OwnWrites is OwnReads for writes.
func (d *Detector) OwnWrites(t *Thread, s *Shadow, off, n int, in Chain, instr int32) bool {
	if s == nil || s.run != d.run || in == 0 || off+n > len(s.first) {
		return d.ownEach(t, s, off, n, in, instr, true)
	}
	cells := s.first[off : off+n]
	for i := range cells {
		if !cells[i].owner.writes(t.own) {
			return d.ownEach(t, s, off, n, in, instr, true)
		}
	}
	for i := range cells {
		c := &cells[i]
		c.Write = Access{t.next, in.at(instr)}
		c.read.epoch = 0
	}
	return true
}

// ownEach is OwnReads or OwnWrites, cell by cell.
func (d *Detector) ownEach(t *Thread, s *Shadow, off, n int, in Chain, instr int32, write bool) bool {
	for i := off; i < off+n; i++ {
		if write && !d.OwnWrite(t, s, i, in, instr) || !write && !d.OwnRead(t, s, i, in, instr) {
			return false
		}
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

// takeForRead makes t, which is about to read c, cell off of the object with shadow s, its owner.
// It returns false if t is not prepared, the read may race, or there is more to record. If others
// have read the cell at a time that t does not know of, the reads are listed.
func (c *Cell) takeForRead(t *Thread, s *Shadow, off int) bool {
	as := s.owner
	if (as^t.own)&^hasWritten != hasRead {
		as = s.ownerFor(t, false)
	}
	if as&hasRead == 0 || c.interval != uint32(as>>32) || c.Write.Concurrent(t) {
		return false
	}
	if c.rare == nil && !c.read.Concurrent(t) {
		c.owner = as
		s.takeAhead(t, off, as)
		return true
	}
	return c.listForRead(t, as)
}

// listForRead is takeForRead, for who is as, where there may be a list of reads, or more.
func (c *Cell) listForRead(t *Thread, as owner) bool {
	switch {
	case c.sync() != nil:
		return false
	case len(c.reads()) > 0:
		c.settle()
	case !c.read.Concurrent(t):
		c.owner = as
		return true
	default: // from now on there is a list
		r := c.more()
		r.reads = append(r.reads, c.read)
	}
	c.owner = as | onlyReads
	r := c.rare
	at := slices.IndexFunc(r.reads, func(a Access) bool { return a.Slot() == t.Slot })
	if at < 0 {
		at = len(r.reads)
		r.reads = append(r.reads, Access{})
	}
	r.ownRead = int32(at)
	return true
}

// settle puts the last read of who owns the cell only for reading, which is in c.read, into the
// list of reads. From now on nobody owns the cell in this way.
func (c *Cell) settle() {
	if c.owner&onlyReads != 0 {
		c.rare.reads[c.rare.ownRead] = c.read
		c.read.epoch, c.owner = 0, 0
	}
}

// takeForWrite makes t, which is about to write to c, cell off of the object with shadow s, its
// owner. It returns false if t is not prepared, the write may race, or there is more to record.
func (c *Cell) takeForWrite(t *Thread, s *Shadow, off int) bool {
	as := s.owner
	if (as^t.own)&^hasRead != hasWritten {
		as = s.ownerFor(t, true)
	}
	if as&hasWritten == 0 || c.interval != uint32(as>>32) || c.rare != nil && (c.rare.sync != nil || len(c.rare.reads) > 0) ||
		c.Write.Concurrent(t) || c.read.Concurrent(t) {
		return false
	}
	c.owner = as
	s.takeAhead(t, off, as)
	return true
}

// takeAhead makes t, which has taken cell off of the object for its own as someone who may, and has
// the cells before it, the owner of some cells behind it, too: it may go on there. Others have to
// take them back if it does not, so there are no more than it has before them. It stops at a cell
// of which there is more to know than that a goroutine has accessed it, the one that has accessed
// cell off.
func (s *Shadow) takeAhead(t *Thread, off int, as owner) {
	if off == 0 || off >= len(s.first) || s.first[off-1].owner != as {
		return
	}
	n := 1
	for n < maxAhead && off > 2*n && s.first[off-2*n-1].owner == as {
		n = 2*n + 1
	}
	last := max(s.first[off].Write.epoch, s.first[off].read.epoch)
	slot := last.Slot()
	from, known := epochOf(slot, 0), epoch(t.Clock.At(slot))
	cells := s.first[off+1 : min(off+1+n, len(s.first))]
	for i := range cells {
		c := &cells[i]
		w, r := c.Write.epoch, c.read.epoch
		if c.owner == as || c.interval != uint32(as>>32) || c.rare != nil || w != 0 && w-from > known || r != 0 && r-from > known {
			return
		}
		c.owner = as
	}
}

// maxAhead is how many cells are taken ahead at most: as many as t has before them.
const maxAhead = 15

// ownerFor returns what t, which may not be prepared and is about to read or write the object, is
// as the owner of cells of it, 0 if it cannot own any. Whoever asks for it next is most often the
// same, hence [Shadow.owner].
func (s *Shadow) ownerFor(t *Thread, write bool) owner {
	if s.owner = 0; t.own != 0 && s.Ownable() {
		if s.interval == uint32(t.own>>32) { // otherwise it has to be saved before it changes
			s.users(write).Add(t.Slot)
		}
		s.owner = t.own.of(t, s)
	}
	return s.owner
}

// UsedBy reports whether the goroutine in a slot has read or written the object.
func (s *Shadow) UsedBy(slot int32, write bool) bool { return s.users(write).Has(slot) }

// users returns who has read or written the object.
func (s *Shadow) users(write bool) *SlotSet {
	if write {
		return &s.Writers
	}
	return &s.Readers
}

// Ownable reports whether somebody can own cells of the object: not every access has more to record.
func (s *Shadow) Ownable() bool { return !s.Visible && len(s.Indexed)+len(s.Stored) == 0 }

// paged is [Shadow.Seen] for cells beyond the first page.
func (s *Shadow) paged(off int) *Cell {
	if p := uint(off) / pageSize; p < uint(len(s.pages)) && s.pages[p] != nil {
		return &s.pages[p][uint(off)%pageSize]
	}
	return nil
}

// Owned returns the history of a cell of the object with shadow s if t owns the cell, and a plain
// access has no more to record than [Cell.Renew] does: it is not the first read or write of the
// object by t. Otherwise it returns nil, as it does if [Detector.Flow] wants to know of all
// accesses. The shadow may be nil, or one of another run.
func (d *Detector) Owned(t *Thread, s *Shadow, off int, write bool) *Cell {
	c := d.seen(s, off)
	if c == nil || d.Flow != nil {
		return nil
	}
	if (c.owner^d.ownerOf(t))&^(hasRead|hasWritten) != 0 || !s.UsedBy(t.Slot, write) {
		return nil
	}
	return c
}

// Renew records a plain access of the owner of the cell, as [Detector.Plain] does.
func (c *Cell) Renew(now *Access, write bool) {
	if write {
		c.Write, c.read.epoch = *now, 0
	} else {
		c.read = *now
	}
}

// newOwner returns what t is as the owner of cells of an object with shadow s that it has just
// accessed, 0 if it cannot own any.
func (d *Detector) newOwner(t *Thread, s *Shadow) owner {
	if !s.Ownable() {
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

// give makes who accesses the object as the first of all the owner of those of its first cells that
// are empty: nobody has accessed them who would have to be compared with.
func (s *Shadow) give(as owner) {
	for i := range s.first {
		if c := &s.first[i]; c.interval == uint32(as>>32) && c.empty() {
			c.owner = as
		}
	}
}

// noteOwner notes, after a plain access of t to a cell, whether t owns it, and then as what.
func (c *Cell) noteOwner(t *Thread, as owner) {
	if c.sync() != nil || len(c.reads()) > 0 || c.Write.Concurrent(t) {
		as = 0
	}
	c.owner = as
}

// Indexes records an access of t, described by now, at a symbolic index of the object with shadow
// s. From now on nobody owns its cells.
func (s *Shadow) Indexes(now Access, write bool) {
	s.owner = 0
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
