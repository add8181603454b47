package race

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// Atomic operations that are hidden are no visible operations ([run.Visible].HideAtomics): reads,
// and additions that commute with one another. No search tries them before and after a step of
// another goroutine. So a read must be ordered with what changes the cell by other means than that
// it reads it, and an addition with what depends on the sum, by other means than that this reads
// it: that is looked at as it is for plain accesses. Then a read has nothing to learn from the
// cell, whose clock is left alone; an addition learns nothing, and adds what its thread knows to
// the clock.
//
// Operations that are watched are visible, and the same is found out of them.

// A hidden is a hidden or a watched operation.
type hidden struct {
	Access
	at            run.SiteID // what a plan says whether it is hidden by
	adds, watched bool
}

// isAny, isRead and isAddition report whether an operation is one of a kind.
func (h hidden) isAny() bool      { return true }
func (h hidden) isRead() bool     { return !h.adds }
func (h hidden) isAddition() bool { return h.adds }

// HideRead adds a hidden read of a cell by t, which has not learned anything from the cell yet, to
// its history. It reports whether the read is ordered with all that has changed the cell: then t
// has learned already what it can learn there. If not, t learns that before HiddenRead, as before a
// visible read: a plain write that came before the last atomic one is no race.
func (d *Detector) HideRead(t *Thread, now Access, at run.SiteID, c *Cell) (ordered bool) {
	return d.addRead(t, c, hidden{Access: now, at: at})
}

// HiddenRead reports the races of a hidden read of a cell by t with plain writes. It reports
// whether the read has to be added to the Flow.
func (d *Detector) HiddenRead(t *Thread, now Access, c *Cell) (isNew bool) {
	d.comparePlain(t, &now, c, false)
	return d.Flow != nil && d.note(t, c, run.HiddenRead)
}

// HiddenAdd adds a hidden addition to a cell by t to its history, and reports its races with plain
// accesses. It reports whether it has to be added to the Flow.
func (d *Detector) HiddenAdd(t *Thread, now Access, at run.SiteID, c *Cell) (isNew bool) {
	d.comparePlain(t, &now, c, true)
	d.addAddition(t, c, hidden{Access: now, at: at, adds: true})
	return d.Flow != nil && d.note(t, c, run.HiddenAdd)
}

// WatchRead watches an atomic read of a cell by t, which has not learned anything from the cell yet.
func (d *Detector) WatchRead(t *Thread, now Access, at run.SiteID, c *Cell) {
	d.addRead(t, c, hidden{Access: now, at: at, watched: true})
	d.watch(at)
}

// WatchAdd watches an addition to a cell by t that commutes with others.
func (d *Detector) WatchAdd(t *Thread, now Access, at run.SiteID, c *Cell) {
	d.addAddition(t, c, hidden{Access: now, at: at, adds: true, watched: true})
	d.watch(at)
}

func (d *Detector) watch(at run.SiteID) {
	if !slices.Contains(d.Watched, at) {
		d.Watched = append(d.Watched, at)
	}
}

// BeforeAtomic is called before an atomic operation of t that depends on what is in a cell, or
// replaces it, and before t learns anything from the cell: it has to be ordered with hidden
// additions. It reports whether that has to be added to the Flow.
func (d *Detector) BeforeAtomic(t *Thread, c *Cell) (isNew bool) {
	if sync := c.sync(); sync != nil {
		d.show(t, sync, hidden.isAddition)
	}
	return d.Flow != nil && d.note(t, c, run.BeforeAtomic)
}

// HasQuiet reports whether some of the watched operations are ordered as those that are hidden have to be.
func (d *Detector) HasQuiet() bool {
	return slices.ContainsFunc(d.Watched, func(at run.SiteID) bool { return !slices.Contains(d.Shown, at) })
}

// addRead adds a read by t to the history of a cell. It reports whether the read is ordered with
// what has changed the cell.
func (d *Detector) addRead(t *Thread, c *Cell, h hidden) (ordered bool) {
	sync := d.Sync(c)
	ordered = !c.Write.Concurrent(t) && !anyConcurrent(sync.writes, t) && !anyConcurrent(sync.adds, t) &&
		!anyConcurrent(sync.uses, t) && t.Clock.Includes(&sync.Clock)
	if !ordered {
		d.showSite(h.at)
		d.show(t, sync, hidden.isAddition)
	}
	sync.hide(t, h)
	return ordered
}

// addAddition adds an addition by t to the history of a cell.
func (d *Detector) addAddition(t *Thread, c *Cell, h hidden) {
	sync := d.Sync(c)
	if c.Write.Concurrent(t) || c.read.Concurrent(t) || anyConcurrent(c.reads(), t) ||
		anyConcurrent(sync.reads, t) || anyConcurrent(sync.writes, t) || anyConcurrent(sync.uses, t) {
		d.showSite(h.at)
	}
	if d.show(t, sync, hidden.isRead) {
		d.showSite(h.at)
	}
	sync.hide(t, h)
}

// hide adds an operation of t. Who knows of it knows of those of its kind before it at the same
// site. Deferred calls of both kinds are at one.
func (s *Sync) hide(t *Thread, h hidden) {
	s.hidden = slices.DeleteFunc(s.hidden, func(e hidden) bool {
		return e.at == h.at && e.adds == h.adds && e.watched == h.watched && !e.Concurrent(t)
	})
	s.hidden = append(s.hidden, h)
}

// compareHidden reports the races of a plain access of t, described by now, with hidden operations,
// and notes those that are watched.
func (d *Detector) compareHidden(t *Thread, now *Access, sync *Sync, writes bool) {
	for i := range sync.hidden {
		if h := &sync.hidden[i]; (writes || h.adds) && h.Concurrent(t) {
			d.showSite(h.at)
			if !h.watched {
				d.report(&h.Access, now, h.adds, writes)
			}
		}
	}
}

// show notes the operations on a cell that count and are not ordered with what t does. It reports
// whether there are some.
func (d *Detector) show(t *Thread, sync *Sync, counts func(h hidden) bool) (some bool) {
	for i := range sync.hidden {
		if h := &sync.hidden[i]; counts(*h) && h.Concurrent(t) {
			d.showSite(h.at)
			some = true
		}
	}
	return some
}

func (d *Detector) showSite(at run.SiteID) {
	if !slices.Contains(d.Shown, at) {
		d.Shown = append(d.Shown, at)
	}
}
