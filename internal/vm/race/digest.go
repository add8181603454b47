package race

import "github.com/everyway-go/everyway/internal/run"

// A digest says of the cells of a page when each goroutine has last accessed one of them in a way
// that later accesses may race with. As long as none of the cells changes it need not be found out
// again, and a page of which everybody knows all need not be gone through: those who look for
// accesses that not all know of look at each state of a run, and a run may access very many cells.
type digest struct {
	valid bool // it is that of the cells as they are
	sync  bool // some of them have been used by synchronising operations
	long  bool // there is no room for all goroutines that have accessed them
	n     int32
	kinds run.AccessKinds // of the accesses
	last  [digestSlots]epoch
}

// digestSlots is how many goroutines a digest has room for.
const digestSlots = 8

// digests are those of the pages of a run.
type digests struct {
	list     []digest
	digested int // how many of them belong to pages of the run
}

// newDigest returns 1 + the index of a digest of a new page.
func (d *Detector) newDigest() int32 {
	x := &d.digests
	if x.digested == len(x.list) {
		x.list = append(x.list, digest{})
	}
	x.list[x.digested].valid = false
	x.digested++
	return int32(x.digested)
}

// changes notes that a cell of the page with a digest may change from now on, or has been rewound.
func (d *Detector) changes(digest int32) {
	if digest != 0 {
		d.digests.list[digest-1].valid = false
	}
}

// digestAt returns that of the page with a cell.
func (s *Shadow) digestAt(off int) int32 {
	if off < len(s.first) {
		return s.firstDigest
	}
	return s.pageDigests[off/pageSize]
}

// digestOf brings the digest of a page up to date. It returns nil if the page has none, or may
// change without notice: some of its cells have been saved in this checkpoint interval already, or
// made in it.
func (d *Detector) digestOf(page []Cell, number int32) *digest {
	if number == 0 {
		return nil
	}
	x := &d.digests.list[number-1]
	if x.valid {
		return x
	}
	for i := range page {
		if page[i].interval == d.interval {
			return nil
		}
	}
	*x = digest{}
	for i := range page {
		c := &page[i]
		x.sync = x.sync || c.sync() != nil
		c.EachAccess(func(k run.AccessKind, a *Access) {
			x.kinds |= k.Of()
			x.add(a.epoch)
		})
	}
	x.valid = true
	return x
}

// add notes an access.
func (x *digest) add(at epoch) {
	for i := range x.last[:x.n] {
		if e := &x.last[i]; e.Slot() == at.Slot() {
			*e = max(*e, at) // of the same goroutine
			return
		}
	}
	if x.n == digestSlots {
		x.long = true
		return
	}
	x.last[x.n] = at
	x.n++
}

// EachLater calls do for each cell of an object that has been accessed. It may leave out those of
// which all accesses are known, of each goroutine those up to the time that known returns, or that
// are in a page with accesses of kinds of which none counts.
func (d *Detector) EachLater(s *Shadow, known func(slot int32) uint32, counts func(off int, kinds run.AccessKinds) bool, do func(off int, c *Cell)) {
	d.eachLater(s.first, s.firstDigest, 0, known, counts, do)
	for p, page := range s.pages {
		d.eachLater(page, s.pageDigests[p], p*pageSize, known, counts, do)
	}
}

// EachSynchronised calls do for each cell of an object that synchronising operations have used.
func (d *Detector) EachSynchronised(s *Shadow, do func(off int, c *Cell)) {
	d.eachSynchronised(s.first, s.firstDigest, 0, do)
	for p, page := range s.pages {
		d.eachSynchronised(page, s.pageDigests[p], p*pageSize, do)
	}
}

// eachSynchronised is EachSynchronised for the page that begins at off.
func (d *Detector) eachSynchronised(page []Cell, digest int32, off int, do func(off int, c *Cell)) {
	if x := d.digestOf(page, digest); x != nil && !x.sync {
		return
	}
	for i := range page {
		if c := &page[i]; c.sync() != nil {
			do(off+i, c)
		}
	}
}

// eachLater is EachLater for the page that begins at off.
func (d *Detector) eachLater(page []Cell, digest int32, off int, known func(slot int32) uint32, counts func(off int, kinds run.AccessKinds) bool, do func(off int, c *Cell)) {
	if x := d.digestOf(page, digest); x != nil && (!counts(off, x.kinds) || !x.long && x.isKnown(known)) {
		return
	}
	var until [digestSlots]epoch // of some goroutines, each with the time up to which its accesses are known
	isKnown := func(a *Access) bool {
		of := &until[a.Slot()%digestSlots]
		if *of == 0 || of.Slot() != a.Slot() {
			*of = epochOf(a.Slot(), known(a.Slot()))
		}
		return a.Time() <= of.Time()
	}
	for i := range page {
		c := &page[i]
		if c.empty() || c.rare == nil && isKnown(&c.Write) && isKnown(&c.read) {
			continue
		}
		do(off+i, c)
	}
}

// isKnown reports whether all accesses are known: of each goroutine those up to the time that known returns.
func (x *digest) isKnown(known func(slot int32) uint32) bool {
	for i := range x.last[:x.n] {
		if e := &x.last[i]; e.Time() > known(e.Slot()) {
			return false
		}
	}
	return true
}
