package wcp

import (
	"slices"

	"github.com/everyway-go/everyway/internal/analysis/access"
	"github.com/everyway-go/everyway/internal/analysis/ideal"
	"github.com/everyway-go/everyway/internal/analysis/vectorclock"
	"github.com/everyway-go/everyway/schedule"
)

// maxSections is how many sections of a lock are kept, for a reader each.
const maxSections = 1 << 10

// A lock is what its critical sections have left.
type lock struct {
	cells    map[schedule.Cell]*protected
	open     []*section
	ended    []ended                          // sections that are not shared, in order
	shared   map[schedule.GoroutineID][]ended // those that are
	released [2]vectorclock.Clock             // what precedes the releases so far, and those by readers
	past     vectorclock.Clock                // of sections that are not kept: they precede all later ones
	order    []schedule.GoroutineID           // that have shared sections
}

// An ended is a section that has ended.
type ended struct {
	goroutine schedule.GoroutineID
	acquired  vectorclock.Epoch
	release   ideal.Stamp // with what happened before it
}

// A section is what a goroutine does between the acquisition and the release of a lock.
type section struct {
	lock      *lock
	goroutine schedule.GoroutineID
	acquired  vectorclock.Epoch
	shared    bool
	old       bool // begun before all was forgotten
	depth     int  // of a reentrant lock, or of a reader who reads again
	touched   []touch
}

// A touch is what a section does to a cell.
type touch struct {
	cell          *protected
	reads, writes bool
}

// protected is a cell that sections of a lock access: it has their releases.
type protected struct {
	touched          *section   // by which it was touched last
	index            int        // in what that has touched
	reads, writes    [2]release // of the last two goroutines with sections that are not shared, the last one first
	sharedR, sharedW []release  // of sections that are, one of each goroutine
}

// A release is the last one of a goroutine.
type release struct {
	goroutine schedule.GoroutineID // that has held the lock
	stamp     ideal.Stamp
}

// acquire begins a section.
func (d *detector) acquire(e *schedule.Event) {
	l := d.locks[e.Cell()]
	if l == nil {
		l = &lock{cells: make(map[schedule.Cell]*protected), shared: make(map[schedule.GoroutineID][]ended)}
		d.locks[e.Cell()] = l
	}
	d.past.join(e.Goroutine, l.past)
	d.past.join(e.Goroutine, l.released[0])
	if e.Op == schedule.Lock {
		d.past.join(e.Goroutine, l.released[1])
	}
	for len(d.open) <= int(e.Goroutine) {
		d.open = append(d.open, nil)
	}
	for _, s := range d.open[e.Goroutine] {
		if s.lock == l && s.shared == (e.Op == schedule.RLock) {
			s.depth++
			return
		}
	}
	s := &section{lock: l, goroutine: e.Goroutine, acquired: d.order.Epoch(e.Goroutine), shared: e.Op == schedule.RLock, depth: 1}
	l.open = append(l.open, s)
	d.open[e.Goroutine] = append(d.open[e.Goroutine], s)
	d.kept++
}

// released returns the section that e releases, or one of the times that it was taken: one of its
// goroutine, if there is any. It returns nil if there is none.
func (d *detector) released(e *schedule.Event) (found *section) {
	l := d.locks[e.Cell()]
	if l == nil {
		return nil
	}
	for _, s := range l.open {
		if s.shared == (e.Op == schedule.RUnlock) && (found == nil || s.goroutine == e.Goroutine) {
			found = s
		}
	}
	if found != nil {
		found.depth--
	}
	return found
}

// joinAccesses orders the releases of sections that an access conflicts with before it, if they are of a lock
// that its goroutine holds: rule a.
func (d *detector) joinAccesses(e *schedule.Event, kind access.Kind, h *history) {
	if int(e.Goroutine) >= len(d.open) {
		return
	}
	for _, s := range d.open[e.Goroutine] {
		c := h.cell
		if h.lock != s.lock {
			if c = s.lock.cells[e.Cell()]; c == nil {
				c = new(protected)
				s.lock.cells[e.Cell()] = c
				d.kept++
			}
			h.lock, h.cell = s.lock, c
		}
		d.joinReleases(s, c.writes[:], c.sharedW)
		if kind.IsWrite() {
			d.joinReleases(s, c.reads[:], c.sharedR)
		}
		s.touch(c, kind)
	}
}

// joinReleases orders releases before what the goroutine of a section does next, if its section excludes theirs.
func (d *detector) joinReleases(s *section, exclusive, shared []release) {
	for i := range exclusive {
		if r := &exclusive[i]; r.stamp.Time > 0 && r.goroutine != s.goroutine {
			d.past.add(s.goroutine, r.stamp)
			break // it happened after the others
		}
	}
	if s.shared {
		return
	}
	for i := range shared {
		if r := &shared[i]; r.goroutine != s.goroutine {
			d.past.add(s.goroutine, r.stamp)
		}
	}
}

// touch notes that a section accesses a cell.
func (s *section) touch(c *protected, kind access.Kind) {
	if c.touched != s {
		c.touched, c.index = s, len(s.touched)
		s.touched = append(s.touched, touch{cell: c})
	}
	t := &s.touched[c.index]
	t.writes = t.writes || kind.IsWrite()
	t.reads = t.reads || !kind.IsWrite()
}

// joinSections orders sections before the end of a section by g, if it excludes them and needs
// their beginning, or something in it precedes something in it: rule b.
func (d *detector) joinSections(g schedule.GoroutineID, s *section) {
	l := s.lock
	for added := true; added; {
		added = d.joinEnded(g, l.ended, s.goroutine)
		if s.shared {
			continue
		}
		for _, h := range l.order {
			if h != s.goroutine {
				added = d.joinEnded(g, l.shared[h], s.goroutine) || added
			}
		}
	}
}

// joinEnded is joinSections for a list of sections, each of which happened after those before it;
// those of the goroutine own do not count. It reports whether what precedes g has grown.
func (d *detector) joinEnded(g schedule.GoroutineID, list []ended, own schedule.GoroutineID) bool {
	before := d.past.of(g)
	for i := len(list) - 1; i >= 0; i-- {
		s := &list[i]
		if s.goroutine == own {
			continue
		}
		if s.release.Before(before) {
			return false // and so are those before it
		}
		if s.acquired.Before(before) || d.hard.Ordered(s.acquired, g) {
			d.past.add(g, s.release)
			return true
		}
	}
	return false
}

// end ends a section with its release by a goroutine.
func (d *detector) end(s *section, by schedule.GoroutineID, stamp ideal.Stamp) {
	l := s.lock
	if s.shared {
		l.released[1].Join(d.past.of(by))
	} else {
		l.released[0].Join(d.past.of(by))
	}
	remove := func(list []*section) []*section {
		return slices.DeleteFunc(list, func(o *section) bool { return o == s })
	}
	l.open, d.open[s.goroutine] = remove(l.open), remove(d.open[s.goroutine])
	for i := range s.touched {
		t := &s.touched[i]
		if t.cell.touched == s {
			t.cell.touched = nil
		}
		switch r := (release{s.goroutine, stamp}); {
		case s.shared && t.writes:
			d.kept += put(&t.cell.sharedW, r)
		case s.shared:
			d.kept += put(&t.cell.sharedR, r)
		case t.writes:
			push(&t.cell.writes, r)
		}
		if t.reads && !s.shared {
			push(&t.cell.reads, release{s.goroutine, stamp})
		}
	}
	switch e := (ended{s.goroutine, s.acquired, stamp}); {
	case s.old:
		stamp.AddTo(&l.past)
	case s.shared:
		if l.shared[s.goroutine] == nil {
			l.order = append(l.order, s.goroutine)
		}
		l.shared[s.goroutine] = l.keep(l.shared[s.goroutine], e)
	default:
		l.ended = l.keep(l.ended, e)
	}
}

// keep adds a section to a list, in which there is room for some.
func (l *lock) keep(list []ended, e ended) []ended {
	if len(list) == maxSections {
		n := maxSections / 2
		for i := range list[:n] {
			list[i].release.AddTo(&l.past)
		}
		list = slices.Delete(list, 0, n)
	}
	return append(list, e)
}

// push puts a release before the last one of another goroutine.
func push(list *[2]release, r release) {
	if list[0].goroutine != r.goroutine {
		list[1] = list[0]
	}
	list[0] = r
}

// put adds a release in the place of the one of the same goroutine. It returns by how much the list has grown.
func put(list *[]release, r release) int {
	for i := range *list {
		if (*list)[i].goroutine == r.goroutine {
			(*list)[i] = r
			return 0
		}
	}
	*list = append(*list, r)
	return 1
}

// forget drops what is kept of sections that have ended.
func (l *lock) forget() {
	clear(l.cells)
	clear(l.shared)
	l.ended, l.order, l.past, l.released = nil, l.order[:0], nil, [2]vectorclock.Clock{}
	for _, s := range l.open {
		s.old = true
	}
}
