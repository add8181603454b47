package race

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// A Detector finds the races of a run. The zero Detector is ready to use. What it says
// of a run is void in the next one, but the memory is used again.
type Detector struct {
	// Found is called for each race, once for each pair of sites.
	Found func(Race)

	run     uint32 // number of the run: shadows of other runs are void
	touched []*Shadow
	cells   [][]Cell // blocks that shadows take their cells from
	block   int      // the one in use
	taken   int      // cells of it
	syncs   []*Sync
	synced  int                    // of syncs, how many are in use
	pairs   map[[2]run.SiteID]bool // found
	listed  [][2]run.SiteID        // the same, in order

	contexts  []callContext
	numbering uint32

	undo
}

// A Race is two accesses to a cell that are not ordered, one of them a write.
type Race struct {
	Earlier, Later             Access // in the order of this run
	EarlierWrites, LaterWrites bool
}

// Begin makes d ready for a run of which nothing is known.
func (d *Detector) Begin() {
	d.run++
	clear(d.touched)
	d.touched = d.touched[:0]
	d.block, d.taken, d.synced = 0, 0, 0
	if d.pairs == nil {
		d.pairs = make(map[[2]run.SiteID]bool)
	}
	clear(d.pairs)
	d.listed = d.listed[:0]
	d.beginContexts()
	d.undo.forget()
}

// Shadow returns s, to be changed, if it is one of this run; otherwise nil.
func (d *Detector) Shadow(s *Shadow) *Shadow {
	if s == nil || s.run != d.run {
		return nil
	}
	if s.interval != d.interval {
		d.saveShadow(s)
	}
	return s
}

// NewShadow makes s the shadow of an object of so many cells that was not touched in
// the run. If s is nil it makes a new one.
func (d *Detector) NewShadow(s *Shadow, size int, visible bool) *Shadow {
	if s == nil {
		s = new(Shadow)
	}
	s.run, s.interval = d.run, d.interval
	s.Visible = visible
	s.Readers.Clear()
	s.Writers.Clear()
	s.Indexed, s.Stored = s.Indexed[:0], s.Stored[:0]
	s.first = d.page(min(size, pageSize))
	s.pages = s.pages[:0]
	s.Chan.Close, s.Chan.Closed, s.Chan.slots = s.Chan.Close.Empty(), -1, s.Chan.slots[:0]
	d.touched = append(d.touched, s)
	return s
}

// Touched returns how many objects were touched in the run: how often NewShadow was called
// in it.
func (d *Detector) Touched() int { return len(d.touched) }

// Cell returns the history of a cell, to be changed, of the object with shadow s.
func (d *Detector) Cell(s *Shadow, off int) *Cell {
	var c *Cell
	if off < len(s.first) {
		c = &s.first[off]
	} else {
		c = d.furtherCell(s, off)
	}
	if c.interval != d.interval {
		d.saveCell(c)
	}
	return c
}

func (d *Detector) furtherCell(s *Shadow, off int) *Cell {
	p := off / pageSize
	for len(s.pages) <= p {
		s.pages = append(s.pages, nil)
	}
	if s.pages[p] == nil {
		s.pages[p] = d.page(pageSize)
	}
	return &s.pages[p][off%pageSize]
}

// page returns the histories of n cells that were not accessed, n being at most
// pageSize.
func (d *Detector) page(n int) []Cell {
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
		page[i] = Cell{reads: page[i].reads[:0], interval: d.interval}
	}
	return page
}

// Sync returns what synchronising operations know of a cell.
func (d *Detector) Sync(c *Cell) *Sync {
	if c.sync == nil {
		c.sync = d.newSync()
	}
	return c.sync
}

func (d *Detector) newSync() *Sync {
	if d.synced == len(d.syncs) {
		d.syncs = append(d.syncs, new(Sync))
	}
	s := d.syncs[d.synced]
	d.synced++
	*s = Sync{
		Clock: s.Clock.Empty(), Readers: s.Readers.Empty(),
		reads: s.reads[:0], writes: s.writes[:0], Waits: s.Waits[:0], Adds: s.Adds[:0],
	}
	return s
}

// Plain notes plain accesses of t, which are at now, to the n cells from off on of the
// object with shadow s, and finds the races that they close.
func (d *Detector) Plain(t *Thread, now *Access, s *Shadow, off, n int, write bool) {
	for i := off; i < off+n; i++ {
		c := d.Cell(s, i)
		if write {
			d.plainWrite(t, now, c)
		} else {
			d.plainRead(t, now, c)
		}
	}
}

func (d *Detector) plainWrite(t *Thread, now *Access, c *Cell) {
	d.compareUses(t, now, c, true)
	if c.sync != nil {
		d.Compare(t, now, c.sync.reads, false, true)
		d.Compare(t, now, c.sync.writes, true, true)
	}
	c.Write, c.read.time, c.reads = *now, 0, c.reads[:0]
}

func (d *Detector) plainRead(t *Thread, now *Access, c *Cell) {
	d.compareUses(t, now, c, false)
	if c.sync != nil {
		d.Compare(t, now, c.sync.writes, true, false)
	}
	switch {
	case len(c.reads) > 0:
		c.reads = LastOf(c.reads, *now)
	case c.read.Concurrent(t):
		c.reads = append(c.reads, c.read, *now)
		c.read.time = 0
	default:
		c.read = *now
	}
}

// compareUses compares the plain accesses to a cell with one of t, a write or not.
func (d *Detector) compareUses(t *Thread, now *Access, c *Cell, writes bool) {
	if c.Write.Concurrent(t) {
		d.find(&c.Write, now, true, writes)
	}
	if !writes {
		return
	}
	if c.read.Concurrent(t) {
		d.find(&c.read, now, false, true)
	}
	d.Compare(t, now, c.reads, false, true)
}

// Atomic notes an atomic access of t to a cell.
func (d *Detector) Atomic(t *Thread, now Access, c *Cell, write bool) {
	sync := d.Sync(c)
	d.compareUses(t, &now, c, write)
	if write {
		sync.writes = LastOf(sync.writes, now)
	} else {
		sync.reads = LastOf(sync.reads, now)
	}
}

// Use notes the use of a cell by a lock or the like. Plain writes to the cell, as when a
// lock is overwritten by another, race with it.
func (d *Detector) Use(t *Thread, now Access, c *Cell) {
	sync := d.Sync(c)
	d.compareUses(t, &now, c, false)
	sync.reads = LastOf(sync.reads, now)
}

// Compare finds the races of an access of t, which is at now, with those in list, which
// are writes if wrote is set.
func (d *Detector) Compare(t *Thread, now *Access, list []Access, wrote, writes bool) {
	for i := range list {
		if list[i].Concurrent(t) {
			d.find(&list[i], now, wrote, writes)
		}
	}
}

// find reports the race of two accesses, unless its places are known to race.
func (d *Detector) find(before, now *Access, wrote, writes bool) {
	pair := [2]run.SiteID{before.Site, now.Site}
	if pair[1].Func < pair[0].Func || pair[1].Func == pair[0].Func && pair[1].Instr < pair[0].Instr {
		pair[0], pair[1] = pair[1], pair[0]
	}
	if d.pairs[pair] {
		return
	}
	d.pairs[pair] = true
	d.listed = append(d.listed, pair)
	d.Found(Race{*before, *now, wrote, writes})
}

// undo holds what was saved of shadows since the first checkpoint of the run.
type undo struct {
	interval uint32 // number of the present checkpoint interval: each checkpoint and each rewind begins a new one
	shadows  []savedShadow
	cells    []savedCell
}

// A savedShadow is the former content of the shadow of an object, without its cells.
type savedShadow struct {
	s  *Shadow
	as Shadow
}

// A savedCell is the former content of the history of a cell.
type savedCell struct {
	c    *Cell
	as   Cell
	sync Sync // what as.sync points to
}

// A Mark is a state of a Detector.
type Mark struct {
	shadows, cells                        int // saved
	touched, block, taken, synced, listed int
}

// Checkpoint returns a mark that Rewind can come back to.
func (d *Detector) Checkpoint() Mark {
	d.interval++
	return Mark{
		shadows: len(d.undo.shadows), cells: len(d.undo.cells),
		touched: len(d.touched), block: d.block, taken: d.taken, synced: d.synced, listed: len(d.listed),
	}
}

// saveShadow saves s, which was not saved in this interval.
func (d *Detector) saveShadow(s *Shadow) {
	u := &d.undo
	n := len(u.shadows)
	u.shadows = slices.Grow(u.shadows, 1)[:n+1]
	saved := &u.shadows[n]
	saved.s = s
	saved.as.copy(s)
	s.interval = d.interval
}

// saveCell saves c, which was not saved in this interval.
func (d *Detector) saveCell(c *Cell) {
	u := &d.undo
	n := len(u.cells)
	u.cells = slices.Grow(u.cells, 1)[:n+1]
	saved := &u.cells[n]
	saved.c = c
	saved.as.copy(c)
	if c.sync != nil {
		saved.sync.copy(c.sync)
	}
	c.interval = d.interval
}

// forget drops what was saved.
func (u *undo) forget() {
	u.shadows, u.cells = u.shadows[:0], u.cells[:0]
}

// Rewind takes d back to a mark of the run.
func (d *Detector) Rewind(to *Mark) {
	u := &d.undo
	for i := len(u.cells) - 1; i >= to.cells; i-- {
		h := &u.cells[i]
		h.c.copy(&h.as)
		if h.c.sync != nil {
			h.c.sync.copy(&h.sync)
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
	d.block, d.taken, d.synced = to.block, to.taken, to.synced
	for _, pair := range d.listed[to.listed:] {
		delete(d.pairs, pair)
	}
	d.listed = d.listed[:to.listed]
	d.interval++
}
