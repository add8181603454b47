package race

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// A Detector finds the races of a run. The zero Detector is ready to use. Everything that
// it returns is valid until the next run, which reuses the memory.
type Detector struct {
	// Found is called for each race, once for each pair of sites.
	Found func(Race)

	run      uint32    // number of the current run; shadows of other runs are not valid
	touched  []*Shadow // of the objects accessed in the run
	cells    [][]Cell  // blocks from which shadows take their cells
	block    int       // index of the block in use
	taken    int       // number of cells taken from that block
	syncs    []*Sync
	synced   int                    // number of elements of syncs in use
	pairs    map[[2]run.SiteID]bool // of the races that were found
	pairList [][2]run.SiteID        // the same, in order

	// Mixed says that there was a plain access to a cell after operations that synchronise, with
	// which it might race in another order, or a send on a closed channel.
	Mixed bool

	// Shown are the sites of hidden and watched operations that are not ordered as they have to be
	// if they are hidden, and Watched those of all that are watched, each once.
	Shown, Watched []run.SiteID

	// Flow is what the run has done that decides which of its accesses race, nil if nobody wants that.
	Flow *run.Flow
	turn uint32 // number of the part of the run in which each access is recorded there once

	contexts  []callContext
	numbering uint32

	undo
	digests
}

// A Race is a pair of accesses to a cell that happens-before does not order, at least one
// of them a write.
type Race struct {
	Earlier, Later             Access // in the order of this run
	EarlierWrites, LaterWrites bool
}

// Begin makes d ready for a new run, without any history.
func (d *Detector) Begin() {
	d.run++
	clear(d.touched)
	d.touched = d.touched[:0]
	d.block, d.taken, d.synced, d.digested = 0, 0, 0, 0
	if d.pairs == nil {
		d.pairs = make(map[[2]run.SiteID]bool)
	}
	clear(d.pairs)
	d.Mixed, d.Shown, d.Watched = false, nil, nil
	d.turn++
	d.pairList = d.pairList[:0]
	d.beginContexts()
	d.undo.forget()
}

// Shadow returns s if it belongs to the current run, and nil otherwise. The caller may
// change the shadow: it has been saved for Rewind.
func (d *Detector) Shadow(s *Shadow) *Shadow {
	if s == nil || s.run != d.run {
		return nil
	}
	if s.interval != d.interval {
		d.saveShadow(s)
	}
	return s
}

// Releases returns what synchronising operations have left at a cell of the object with shadow s in
// this run, nil if there have been none.
func (d *Detector) Releases(s *Shadow, off int) *Sync {
	if c := d.seen(s, off); c != nil {
		return c.sync()
	}
	return nil
}

// NewShadow makes s the shadow of an object of size cells that was not accessed before in
// the run, and returns it. If s is nil it allocates a new one.
func (d *Detector) NewShadow(s *Shadow, size int, visible bool) *Shadow {
	return d.newShadow(s, size, visible, 0)
}

// NewOwnedShadow is NewShadow for an object to which t, which is prepared, is about to make the
// first access, a plain one to some of its first cells: nobody has accessed these who would have to
// be compared with, so t owns them.
func (d *Detector) NewOwnedShadow(s *Shadow, size int, t *Thread, write bool) *Shadow {
	as := t.own | hasRead
	if write {
		as = t.own | hasWritten
	}
	s = d.newShadow(s, size, false, as)
	s.users(write).Add(t.Slot)
	s.owner, s.untouched = as, false
	return s
}

// newShadow is NewShadow, where somebody owns the first cells.
func (d *Detector) newShadow(s *Shadow, size int, visible bool, as owner) *Shadow {
	if s == nil {
		s = new(Shadow)
	}
	s.run, s.interval = d.run, d.interval
	s.Visible, s.owner, s.untouched = visible, 0, true
	s.Readers.Clear()
	s.Writers.Clear()
	s.Guards, s.Unguarded, s.ByCell = nil, false, false
	s.Indexed, s.Stored = s.Indexed[:0], s.Stored[:0]
	if size > maxWhole {
		size = pageSize
	}
	s.first, s.firstDigest = d.page(size, as), 0
	if size >= pageSize {
		s.firstDigest = d.newDigest()
	}
	s.pages, s.pageDigests = s.pages[:0], s.pageDigests[:0]
	if s.Chan.Of != (run.ObjectID{}) || s.Chan.Closed == 0 { // it was that of a channel, or is a new one
		s.Chan = Chan{Close: s.Chan.Close.Empty(), Closed: -1, Sends: s.Chan.Sends[:0], elements: s.Chan.elements[:0]}
	}
	d.touched = append(d.touched, s)
	return s
}

// Touched returns how many objects were accessed in the run, which is how often NewShadow
// was called.
func (d *Detector) Touched() int { return len(d.touched) }

// Cell returns the history of a cell of the object with shadow s. The caller may change
// it: it has been saved for Rewind.
func (d *Detector) Cell(s *Shadow, off int) *Cell {
	var c *Cell
	if off < len(s.first) {
		c = &s.first[off]
	} else {
		c = d.pagedCell(s, off)
	}
	if c.interval != d.interval {
		d.saveCell(c, s.digestAt(off))
	}
	c.settle()
	return c
}

// pagedCell is Cell for cells beyond the first page.
func (d *Detector) pagedCell(s *Shadow, off int) *Cell {
	p := off / pageSize
	for len(s.pages) <= p {
		s.pages, s.pageDigests = append(s.pages, nil), append(s.pageDigests, 0)
	}
	if s.pages[p] == nil {
		s.pages[p], s.pageDigests[p] = d.page(pageSize, 0), d.newDigest()
	}
	return &s.pages[p][off%pageSize]
}

// page returns empty histories of n cells, where n is at most maxWhole, that have an owner.
func (d *Detector) page(n int, as owner) []Cell {
	if len(d.cells) == 0 || d.taken+n > len(d.cells[d.block]) {
		if len(d.cells) > 0 {
			d.block++
		}
		if d.block == len(d.cells) {
			d.cells = append(d.cells, make([]Cell, 8*pageSize))
		}
		d.taken = 0
	}
	page := d.cells[d.block][d.taken : d.taken+n]
	d.taken += n
	for i := range page {
		own := page[i].rare
		if own != nil {
			own.clear()
		}
		page[i] = Cell{rare: own, interval: d.interval, owner: as}
	}
	return page
}

// Sync returns the history of the synchronising operations on a cell.
func (d *Detector) Sync(c *Cell) *Sync {
	more := c.more()
	if more.sync == nil {
		more.sync, c.owner = d.newSync(), 0
	}
	return more.sync
}

// newSync returns an empty Sync.
func (d *Detector) newSync() *Sync {
	if d.synced == len(d.syncs) {
		d.syncs = append(d.syncs, new(Sync))
	}
	s := d.syncs[d.synced]
	d.synced++
	*s = Sync{
		Clock: s.Clock.Empty(), Readers: s.Readers.Empty(),
		reads: s.reads[:0], writes: s.writes[:0], adds: s.adds[:0], uses: s.uses[:0], hidden: s.hidden[:0], Waits: s.Waits[:0], Adds: s.Adds[:0],
		Count: s.Count,
	}
	s.Count.clear()
	return s
}

// Plain records that t accesses the n cells from off on of the object with shadow s, by
// plain reads or writes described by now, and reports their races with earlier accesses. It reports whether
// the access has to be added to the Flow.
func (d *Detector) Plain(t *Thread, now *Access, s *Shadow, off, n int, write bool) (isNew bool) {
	as := d.newOwner(t, s)
	s.owner = as
	if s.untouched {
		s.untouched = false
		s.give(as)
	}
	for i := off; i < off+n; i++ {
		c := d.Cell(s, i)
		switch {
		case c.empty() && write:
			c.Write, c.owner = *now, as
		case c.empty():
			c.read, c.owner = *now, as
		case write:
			d.plainWrite(t, now, c)
			c.noteOwner(t, as)
		default:
			d.plainRead(t, now, c)
			c.noteOwner(t, as)
		}
		if d.Flow != nil && d.note(t, c, kindOf(write)) {
			isNew = true
		}
	}
	return isNew
}

// kindOf returns the kind of a plain access.
func kindOf(write bool) run.AccessKind {
	if write {
		return run.PlainWrite
	}
	return run.PlainRead
}

func (d *Detector) plainWrite(t *Thread, now *Access, c *Cell) {
	d.comparePlain(t, now, c, true)
	if sync := c.sync(); sync != nil {
		d.Mixed = d.Mixed || d.Flow == nil && len(sync.reads)+len(sync.writes)+len(sync.adds)+len(sync.uses) > 0
		d.Compare(t, now, sync.reads, false, true)
		d.Compare(t, now, sync.uses, false, true)
		d.compareHidden(t, now, sync, true)
		d.Compare(t, now, sync.writes, true, true)
		d.Compare(t, now, sync.adds, true, true)
	}
	c.Write, c.read.epoch = *now, 0
	c.clearReads()
}

func (d *Detector) plainRead(t *Thread, now *Access, c *Cell) {
	d.comparePlain(t, now, c, false)
	if sync := c.sync(); sync != nil {
		d.Mixed = d.Mixed || d.Flow == nil && len(sync.writes)+len(sync.adds) > 0
		d.compareHidden(t, now, sync, false)
		d.Compare(t, now, sync.writes, true, false)
		d.Compare(t, now, sync.adds, true, false)
	}
	switch {
	case len(c.reads()) > 0:
		c.rare.reads = ReplaceAccess(c.rare.reads, *now)
	case c.read.Concurrent(t):
		more := c.more()
		more.reads = append(more.reads, c.read, *now)
		c.read.epoch = 0
	default:
		c.read = *now
	}
}

// comparePlain reports the races of an access of t, described by now, with the plain
// accesses in the history of a cell.
func (d *Detector) comparePlain(t *Thread, now *Access, c *Cell, writes bool) {
	if c.Write.Concurrent(t) {
		d.report(&c.Write, now, true, writes)
	}
	if !writes {
		return
	}
	if c.read.Concurrent(t) {
		d.report(&c.read, now, false, true)
	}
	d.Compare(t, now, c.reads(), false, true)
}

// Atomic records an atomic access of t to a cell. It reports whether the access has to be added to the Flow.
func (d *Detector) Atomic(t *Thread, now Access, c *Cell, write bool) (isNew bool) {
	sync := d.Sync(c)
	d.comparePlain(t, &now, c, write)
	if write {
		d.show(t, sync, hidden.isRead)
		sync.writes = KeepLatest(sync.writes, t, now)
		return d.Flow != nil && d.note(t, c, run.AtomicWrite)
	}
	sync.reads = KeepLatest(sync.reads, t, now)
	return d.Flow != nil && d.note(t, c, run.AtomicRead)
}

// Add records an addition of t to a cell that commutes with others. It reports whether the access
// has to be added to the Flow.
func (d *Detector) Add(t *Thread, now Access, c *Cell) (isNew bool) {
	sync := d.Sync(c)
	d.comparePlain(t, &now, c, true)
	d.show(t, sync, hidden.isRead)
	sync.adds = KeepLatest(sync.adds, t, now)
	return d.Flow != nil && d.note(t, c, run.AtomicWrite)
}

// Use records that t uses a cell for a lock or another primitive. Plain writes to the
// cell race with that, for instance when a lock is overwritten by another. It reports whether the access has to
// be added to the Flow.
func (d *Detector) Use(t *Thread, now Access, c *Cell) (isNew bool) {
	sync := d.Sync(c)
	d.comparePlain(t, &now, c, false)
	d.show(t, sync, hidden.isAny)
	sync.uses = KeepLatest(sync.uses, t, now)
	return d.Flow != nil && d.note(t, c, run.Use)
}

// Compare reports the races of an access of t, described by now, with those in list. The
// flag writes says whether the access is a write, wrote whether those in list are.
func (d *Detector) Compare(t *Thread, now *Access, list []Access, wrote, writes bool) {
	for i := range list {
		if list[i].Concurrent(t) {
			d.report(&list[i], now, wrote, writes)
		}
	}
}

// report calls d.Found for a race of two accesses, unless a race between the same sites
// was found before.
func (d *Detector) report(before, now *Access, wrote, writes bool) {
	pair := [2]run.SiteID{d.Site(before), d.Site(now)}
	if pair[1].Func < pair[0].Func || pair[1].Func == pair[0].Func && pair[1].Instr < pair[0].Instr {
		pair[0], pair[1] = pair[1], pair[0]
	}
	if d.pairs[pair] {
		return
	}
	d.pairs[pair] = true
	d.pairList = append(d.pairList, pair)
	d.Found(Race{*before, *now, wrote, writes})
}

// Forget removes the accesses to the object with shadow s from its history: no later access
// races with them. What synchronising operations on the object have ordered, they still order.
func (d *Detector) Forget(s *Shadow) {
	if s = d.Shadow(s); s == nil {
		return
	}
	s.Indexed, s.Stored = s.Indexed[:0], s.Stored[:0]
	d.forgetCells(s.first, s.firstDigest)
	for p, page := range s.pages {
		d.forgetCells(page, s.pageDigests[p])
	}
}

// forgetCells is Forget for some cells of an object, which have this digest.
func (d *Detector) forgetCells(cells []Cell, digest int32) {
	for i := range cells {
		c := &cells[i]
		if c.interval != d.interval {
			d.saveCell(c, digest)
		}
		c.Write, c.read, c.owner = Access{}, Access{}, 0
		c.clearReads()
		if h := c.sync(); h != nil {
			h.reads, h.writes, h.adds, h.uses, h.hidden = h.reads[:0], h.writes[:0], h.adds[:0], h.uses[:0], h.hidden[:0]
			h.Waits, h.Adds = h.Waits[:0], h.Adds[:0]
			h.Count.clear()
		}
	}
}

// undo holds what was saved from shadows since the first checkpoint of the run.
type undo struct {
	interval uint32 // number of the current checkpoint interval; every checkpoint and every rewind begins a new one
	shadows  []savedShadow
	cells    []savedCell
}

// A savedShadow is an earlier state of the shadow of an object, without its cells.
type savedShadow struct {
	s  *Shadow
	as Shadow
}

// A savedCell is an earlier state of the history of a cell.
type savedCell struct {
	c      *Cell
	digest int32 // of its page
	as     Cell
	sync   Sync // what as.rare.sync points to
}

// A Mark is a state of a Detector: the lengths that its lists had.
type Mark struct {
	shadows, cells                        int // in undo
	touched, block, taken, synced, listed int
	digested, shown, watched              int
	flow                                  int // steps
	mixed                                 bool
}

// Checkpoint returns a mark of the current state for Rewind, and begins a new checkpoint
// interval.
func (d *Detector) Checkpoint() Mark {
	d.interval++
	return Mark{
		shadows: len(d.undo.shadows), cells: len(d.undo.cells),
		touched: len(d.touched), block: d.block, taken: d.taken, synced: d.synced, listed: len(d.pairList), digested: d.digested, shown: len(d.Shown), watched: len(d.Watched),
		flow: d.flowed(), mixed: d.Mixed,
	}
}

// saveShadow saves s, which has not been saved in this interval yet.
func (d *Detector) saveShadow(s *Shadow) {
	u := &d.undo
	n := len(u.shadows)
	u.shadows = slices.Grow(u.shadows, 1)[:n+1]
	saved := &u.shadows[n]
	saved.s = s
	saved.as.copy(s)
	s.interval = d.interval
}

// saveCell saves c, which has not been saved in this interval yet. Its page has this digest.
func (d *Detector) saveCell(c *Cell, digest int32) {
	u := &d.undo
	n := len(u.cells)
	u.cells = slices.Grow(u.cells, 1)[:n+1]
	saved := &u.cells[n]
	saved.c, saved.digest = c, digest
	saved.as.copy(c)
	if sync := c.sync(); sync != nil {
		saved.sync.copy(sync)
	}
	c.interval = d.interval
	d.changes(digest)
}

// forget discards everything that was saved.
func (u *undo) forget() {
	u.shadows, u.cells = u.shadows[:0], u.cells[:0]
}

// Rewind restores the state of d at an earlier mark of the same run.
func (d *Detector) Rewind(to *Mark) {
	u := &d.undo
	for i := len(u.cells) - 1; i >= to.cells; i-- {
		h := &u.cells[i]
		h.c.copy(&h.as)
		d.changes(h.digest)
		if sync := h.c.sync(); sync != nil {
			sync.copy(&h.sync)
		}
	}
	for i := len(u.shadows) - 1; i >= to.shadows; i-- {
		u.shadows[i].s.copy(&u.shadows[i].as)
	}
	u.shadows, u.cells = u.shadows[:to.shadows], u.cells[:to.cells]
	for i, s := range d.touched[to.touched:] {
		s.run = 0 // the first run has number 1
		d.touched[to.touched+i] = nil
	}
	d.touched = d.touched[:to.touched]
	d.block, d.taken, d.synced, d.digested = to.block, to.taken, to.synced, to.digested
	for _, pair := range d.pairList[to.listed:] {
		delete(d.pairs, pair)
	}
	d.pairList = d.pairList[:to.listed]
	d.Mixed, d.Shown, d.Watched = to.mixed, d.Shown[:to.shown:to.shown], d.Watched[:to.watched:to.watched]
	if d.Flow != nil {
		d.Flow.Steps = d.Flow.Steps[:to.flow]
	}
	d.turn++
	d.interval++
}
