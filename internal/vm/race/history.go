package race

import (
	"github.com/everyway-go/everyway/internal/run"
)

// Histories from outside: which accesses later ones may race with, and what orders them. Two
// states of a detector find the same races from now on if they agree on
//
//   - the accesses of each kind to each cell,
//   - which of the clocks that goroutines and timers have, or that they may acquire, cover
//     each access, and
//   - which cells list their reads (see [Cell.ListsReads]).

// Covers reports whether a happened before what follows an acquisition of c.
func (c *Clock) Covers(a *Access) bool { return a.Time() <= c.At(a.Slot()) }

// CoversNext reports whether what t does next counts as covered by c.
func (c *Clock) CoversNext(t *Thread) bool { return t.Clock.At(t.Slot) <= c.At(t.Slot) }

// EachIndexed calls do for each access at a symbolic index.
func (s *Shadow) EachIndexed(do func(k run.AccessKind, a *Access)) {
	for i := range s.Indexed {
		do(run.IndexedRead, &s.Indexed[i])
	}
	for i := range s.Stored {
		do(run.IndexedWrite, &s.Stored[i])
	}
}

// EachCell calls do for each cell that has been accessed.
func (s *Shadow) EachCell(do func(off int, c *Cell)) {
	for i := range s.first {
		if c := &s.first[i]; !c.empty() {
			do(i, c)
		}
	}
	for p, page := range s.pages {
		for i := range page {
			if c := &page[i]; !c.empty() {
				do(p*pageSize+i, c)
			}
		}
	}
}

// Written reports whether there has been a plain write to the cell.
func (c *Cell) Written() bool { return c.Write.Time() != 0 }

// empty reports whether the cell has not been accessed.
func (c *Cell) empty() bool {
	return c.Write.Time() == 0 && c.read.Time() == 0 && (c.rare == nil || len(c.rare.reads) == 0 && c.rare.sync == nil)
}

// EachAccess calls do for each access to the cell that later ones may race with.
func (c *Cell) EachAccess(do func(k run.AccessKind, a *Access)) {
	c.EachOfKinds(func(run.AccessKind) bool { return true }, do)
}

// EachOfKinds is EachAccess for accesses of the kinds that count. It is asked once for each kind, if there are some.
func (c *Cell) EachOfKinds(counts func(k run.AccessKind) bool, do func(k run.AccessKind, a *Access)) {
	if c.Write.Time() != 0 && counts(run.PlainWrite) {
		do(run.PlainWrite, &c.Write)
	}
	single := false
	switch {
	case c.owner&onlyReads != 0:
		c.rare.reads[c.rare.ownRead] = c.read
	default:
		single = c.read.Time() != 0
	}
	if list := c.reads(); (single || len(list) > 0) && counts(run.PlainRead) {
		if single {
			do(run.PlainRead, &c.read)
		}
		each(run.PlainRead, list, do)
	}
	if h := c.sync(); h != nil {
		some := func(k run.AccessKind, list []Access) {
			if len(list) > 0 && counts(k) {
				each(k, list, do)
			}
		}
		some(run.AtomicRead, h.reads)
		if len(h.writes)+len(h.adds) > 0 && counts(run.AtomicWrite) {
			each(run.AtomicWrite, h.writes, do)
			each(run.AtomicWrite, h.adds, do)
		}
		if len(h.reads)+len(h.writes) > 0 && counts(run.BeforeAtomic) {
			each(run.BeforeAtomic, h.reads, do)
			each(run.BeforeAtomic, h.writes, do)
		}
		some(run.Use, h.uses)
		if len(h.hidden) > 0 {
			h.eachHidden(run.HiddenRead, hidden.isRead, counts, do)
			h.eachHidden(run.HiddenAdd, hidden.isAddition, counts, do)
		}
		some(run.GroupWait, h.Waits)
		some(run.GroupAdd, h.Adds)
		some(run.CountAdd, h.Count.added)
		some(run.CountWait, h.Count.waited)
	}
}

// eachHidden calls do for each hidden operation of a kind, if that counts.
func (s *Sync) eachHidden(k run.AccessKind, is func(h hidden) bool, counts func(k run.AccessKind) bool, do func(k run.AccessKind, a *Access)) {
	asked := false
	for i := range s.hidden {
		h := &s.hidden[i]
		if h.watched || !is(*h) {
			continue
		}
		if !asked && !counts(k) {
			return
		}
		asked = true
		do(k, &h.Access)
	}
}

// EachOpen calls do for each Add to a wait group for which there has been no Done, or so many
// fewer than n, in order, with the goroutine that it is for.
func (c *Cell) EachOpen(do func(a *Access, n int64, of Start)) {
	if sync := c.sync(); sync != nil {
		for i := range sync.Count.open {
			a := &sync.Count.open[i]
			do(&a.Access, a.n, a.For)
		}
	}
}

func each(k run.AccessKind, list []Access, do func(k run.AccessKind, a *Access)) {
	for i := range list {
		do(k, &list[i])
	}
}

// ListsReads reports whether there have been concurrent reads of the cell since the last write.
// Then each further read is kept beside them; otherwise it takes the place of one that happened
// before.
func (c *Cell) ListsReads() bool { return len(c.reads()) > 0 }

// Releases returns what synchronising operations have left at the cell, nil if there have been
// none.
func (c *Cell) Releases() *Sync { return c.sync() }

// Elements returns the histories of the elements of the buffer, as far as there are any.
func (s *Chan) Elements() []Element { return s.elements }
