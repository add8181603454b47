package race

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// A Shadow is what race detection and the recording of events know of an object in a
// run.
type Shadow struct {
	run      uint32
	interval uint32 // checkpoint interval in which what is here, but for the cells, was made or saved
	Visible  bool   // the plan makes accesses to the object visible operations
	// Readers and Writers are the goroutines that have accessed the object while
	// there was more than one.
	Readers, Writers SlotSet
	// Indexed and Stored are the reads and writes at a symbolic index, the last of
	// each goroutine.
	Indexed, Stored []Access
	first           []Cell   // of the first cells, up to pageSize
	pages           [][]Cell // by cell / pageSize, of the others; nil ones are untouched
	Chan            Chan
}

// Cells get their shadows in pages, of which the last one of an object may be smaller.
const pageSize = 64

// A Cell is the history of a memory cell as far as a race may need it.
type Cell struct {
	Write Access // the last
	read  Access
	reads []Access // instead of read, when there are several
	// Wrote is 1 + the index of the last event that wrote the cell, 0 for none.
	Wrote    int32
	interval uint32 // as Shadow.interval, of the cell
	sync     *Sync
}

// Synchronised reports whether synchronising operations use the cell.
func (c *Cell) Synchronised() bool { return c.sync != nil }

// A Sync belongs to a cell that atomic operations or locks use.
type Sync struct {
	Clock   Clock // of the last release
	Readers Clock // RWMutex: of the readers' releases
	// Atomic reads and writes of the cell, the last of each goroutine. Uses of
	// locks and the like count as reads.
	reads, writes []Access
	// Wait groups: the Waits that had to wait and the Adds that left zero.
	Waits, Adds []Access
}

// A Chan is the history of a channel.
type Chan struct {
	Close  Clock
	Closed int32 // event of the close, -1
	slots  []Slot
}

// A Slot is the history of a place in a channel's buffer.
type Slot struct {
	Clock Clock
	Sent  int32 // event that sent the element, -1
}

// Slot returns the history of place i of the buffer.
func (s *Chan) Slot(i int) *Slot {
	for n := len(s.slots); n <= i; n++ {
		s.slots = slices.Grow(s.slots, 1)[:n+1]
		t := &s.slots[n]
		*t = Slot{Clock: t.Clock.Empty(), Sent: -1}
	}
	return &s.slots[i]
}

// An Access is an access to memory by a goroutine, at its time: an epoch of FastTrack
// with the place in the program.
type Access struct {
	time    uint32 // 0: no access
	Slot    int32
	Site    run.SiteID
	Context int32 // the chain of calls, see Detector.Context
}

// Access returns an access that t makes now.
func (t *Thread) Access(site run.SiteID, context int32) Access {
	return Access{time: t.Clock.At(t.Slot), Slot: t.Slot, Site: site, Context: context}
}

// Concurrent reports whether there was an access a, and it did not happen before
// what t does now.
func (a *Access) Concurrent(t *Thread) bool {
	return a.time != 0 && a.Slot != t.Slot && a.time > t.Clock.At(a.Slot)
}

// LastOf puts a in the place of its goroutine's access in list.
func LastOf(list []Access, a Access) []Access {
	for i := range list {
		if list[i].Slot == a.Slot {
			list[i] = a
			return list
		}
	}
	return append(list, a)
}

// Seen returns the history of a cell, not to be changed: nil when it was not accessed.
func (s *Shadow) Seen(off int) *Cell {
	if off < len(s.first) {
		return &s.first[off]
	}
	if p := off / pageSize; p < len(s.pages) && s.pages[p] != nil {
		return &s.pages[p][off%pageSize]
	}
	return nil
}

// copy makes s equal to from. They share only the histories of cells.
func (s *Shadow) copy(from *Shadow) {
	readers, writers, indexed, stored, pages, ch := s.Readers.more, s.Writers.more, s.Indexed, s.Stored, s.pages, s.Chan
	*s = *from
	s.Readers.more = append(readers[:0], from.Readers.more...)
	s.Writers.more = append(writers[:0], from.Writers.more...)
	s.Indexed = append(indexed[:0], from.Indexed...)
	s.Stored = append(stored[:0], from.Stored...)
	s.pages = append(pages[:0], from.pages...)
	s.Chan.Close = ch.Close
	s.Chan.Close.Assign(&from.Chan.Close)
	s.Chan.slots = slices.Grow(ch.slots[:0], len(from.Chan.slots))[:len(from.Chan.slots)]
	for i := range from.Chan.slots {
		to, slot := &s.Chan.slots[i], &from.Chan.slots[i]
		to.Clock.Assign(&slot.Clock)
		to.Sent = slot.Sent
	}
}

// copy makes c equal to from. They share only what synchronising operations left.
func (c *Cell) copy(from *Cell) {
	reads := c.reads
	*c = *from
	c.reads = append(reads[:0], from.reads...)
}

// copy makes s equal to from. They share nothing.
func (s *Sync) copy(from *Sync) {
	s.Clock.Assign(&from.Clock)
	s.Readers.Assign(&from.Readers)
	s.reads = append(s.reads[:0], from.reads...)
	s.writes = append(s.writes[:0], from.writes...)
	s.Waits = append(s.Waits[:0], from.Waits...)
	s.Adds = append(s.Adds[:0], from.Adds...)
}
