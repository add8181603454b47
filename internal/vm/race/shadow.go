package race

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// A Shadow is the history of an object in a run, for race detection and for the recording
// of events.
type Shadow struct {
	run       uint32
	interval  uint32 // checkpoint interval in which the Shadow, without its cells, was made or last saved
	Visible   bool   // the plan makes accesses to the object visible operations
	untouched bool   // nobody has made a plain access
	owner     owner  // who was the last to take a cell for its own, of those that may: of an interval, so that it says nothing in others
	// Readers and Writers are the goroutines that have accessed the object while
	// there was more than one.
	Readers, Writers SlotSet
	// Guards are, if somebody notes them, the locks that all have held who have accessed the object since
	// somebody did so with a lock held; Unguarded says that there are none any more. The list is not changed
	// in place. See Shadow.Guard.
	Guards    []Lock
	Unguarded bool
	ByCell    bool // instead, somebody notes that for each cell: see Cell.Guard
	// Indexed and Stored are the reads and writes at a symbolic index, the last one of
	// each goroutine.
	Indexed, Stored []Access
	first           []Cell   // histories of the first cells: up to pageSize, or all up to maxWhole
	pages           [][]Cell // histories of the other cells, by offset / pageSize; nil where no cell was accessed
	// Of the first cells and of the pages: 1 + the index of the digest, 0 if there is none.
	firstDigest int32
	pageDigests []int32
	Chan        Chan
}

// pageSize is the number of cells whose histories are allocated together, and maxWhole the number
// up to which that are all of an object: what is found without looking for the page costs half as
// much.
const (
	pageSize = 64
	maxWhole = 256
)

// A Cell is the history of a memory cell, as far as race detection needs it. It is as large as a
// line of a processor's cache, since most accesses need no more than that.
type Cell struct {
	owner    owner  // see owner.go
	Write    Access // the last write
	read     Access
	interval uint32 // checkpoint interval in which the Cell was made or last saved
	// WriteEvent is 1 + the index of the last event that wrote the cell, 0 if there is
	// none.
	WriteEvent int32
	rare       *rare // nil if the cell has nothing of that
	noted      noted
}

// A rare is what the history of few cells has.
type rare struct {
	reads      []Access // replaces the read of the cell when several concurrent reads have to be kept
	ownRead    int32    // index in reads of the owner's entry, for which the read of the cell stands if it owns the cell only for reading
	sync       *Sync
	protection *protection // nil if nothing was noted
}

// more returns what only few cells have, for a change.
func (c *Cell) more() *rare {
	if c.rare == nil {
		c.rare = new(rare)
	}
	return c.rare
}

// reads returns the concurrent reads, nil if there are none.
func (c *Cell) reads() []Access {
	if c.rare == nil {
		return nil
	}
	return c.rare.reads
}

// sync returns the history of synchronising operations, nil if there were none.
func (c *Cell) sync() *Sync {
	if c.rare == nil {
		return nil
	}
	return c.rare.sync
}

// clearReads makes the list of concurrent reads empty.
func (c *Cell) clearReads() {
	if c.rare != nil {
		c.rare.reads = c.rare.reads[:0]
	}
}

// clear makes r that of a cell without a history.
func (r *rare) clear() {
	if r != nil {
		*r = rare{reads: r.reads[:0]}
	}
}

// Synchronised reports whether synchronising operations have used the cell.
func (c *Cell) Synchronised() bool { return c.sync() != nil }

// A Sync is the history of the synchronising operations on a cell: atomic operations, and
// those of locks and other primitives.
type Sync struct {
	Clock   Clock // of the last release
	Readers Clock // of the releases by readers of a RWMutex
	// reads, writes and adds are the atomic accesses to the cell that are visible, the last one of
	// each goroutine; adds are the additions that commute with one another. Operations of locks and
	// other primitives are uses.
	reads, writes, adds, uses []Access
	hidden                    []hidden // the hidden and watched operations
	// Waits and Adds are, for a wait group, the Waits that had to wait and the Adds that
	// raised the counter from zero.
	Waits, Adds []Access
	Count       Count
}

// A Chan is the history of a channel.
type Chan struct {
	Of       run.ObjectID // the channel, for the names of the clocks
	Close    Clock
	Closer   Access // the close
	Closed   int32  // index of the event of the close, -1 if there is none
	Sends    []Send // the last one of each goroutine
	elements []Element
}

// A Send is that a goroutine has sent on a channel.
type Send struct {
	Access
	Now int64 // the virtual time
}

// Send notes that a goroutine sends.
func (c *Chan) Send(a Access, now int64) {
	for i := range c.Sends {
		if s := &c.Sends[i]; s.Slot() == a.Slot() {
			*s = Send{a, now}
			return
		}
	}
	c.Sends = append(c.Sends, Send{a, now})
}

// An Element is the history of an element of a channel's buffer.
type Element struct {
	Clock Clock
	Sent  int32 // index of the event that sent the element, -1 if there is none
	// Firing is, for the channel of a timer, what sent the element.
	Firing Firing
}

// Element returns the history of element i of the buffer.
func (s *Chan) Element(i int) *Element {
	for n := len(s.elements); n <= i; n++ {
		s.elements = slices.Grow(s.elements, 1)[:n+1]
		t := &s.elements[n]
		*t = Element{Clock: t.Clock.Empty(), Sent: -1}
		t.Clock.Of = run.Holder{Kind: run.ElementHolder, Object: s.Of, Index: int32(n)}
	}
	return &s.elements[i]
}

// An Access is an access to memory by a goroutine at a certain time: an epoch of
// FastTrack together with the place in the program.
type Access struct {
	epoch
	place
}

// An epoch is a time of a goroutine, in one word: its slot, and below that the time. The time is 0
// if there is no access.
type epoch uint64

// timeBits are those of the time.
const timeBits = 32

func epochOf(slot int32, time uint32) epoch { return epoch(uint32(slot))<<timeBits | epoch(time) }

// Slot returns the slot of the goroutine.
func (e epoch) Slot() int32 { return int32(e >> timeBits) }

// Time returns the time by the clock of the goroutine: what was done then happened before what
// follows an acquisition of a clock that is at least there.
func (e epoch) Time() uint32 { return uint32(e) }

// A Chain is a call chain: its number, see [Detector.Context], where a place has it. It is 0 if the
// chain has no number.
type Chain uint64

// NumberedChain returns the call chain with a number.
func NumberedChain(context int32) Chain { return Chain(uint32(context)) << 32 }

// Context returns the number of the call chain.
func (c Chain) Context() int32 { return int32(c >> 32) }

// A place is an instruction of the innermost function of a call chain, in one word: each access is
// recorded with its place.
type place uint64

// at returns the place of an instruction, which is not negative, of the innermost function of a call chain.
func (c Chain) at(instr int32) place { return place(c) | place(uint32(instr)) }

// Context returns the number of the call chain.
func (p place) Context() int32 { return Chain(p).Context() }

// instr returns the instruction.
func (p place) instr() int32 { return int32(p) }

// Access returns an access that t makes now, at an instruction of the innermost function of the given call
// chain.
func (t *Thread) Access(in Chain, instr int32) Access {
	return Access{t.now(), in.at(instr)}
}

// AccessAt returns an access that t has made at a time of its own, at no site.
func (t *Thread) AccessAt(time uint32) Access { return Access{epoch: epochOf(t.Slot, time)} }

// Concurrent reports whether a is an access and did not happen before what t does now. What t
// itself has done its clock covers.
func (a *Access) Concurrent(t *Thread) bool { return a.Time() > t.Clock.At(a.Slot()) }

// ReplaceAccess puts a into list, in place of an earlier access of the same goroutine.
func ReplaceAccess(list []Access, a Access) []Access {
	for i := range list {
		if list[i].Slot() == a.Slot() {
			list[i] = a
			return list
		}
	}
	return append(list, a)
}

// prunedLen is up to which length all of a list is looked at whenever an access is added to it. A
// longer one is whenever its length has doubled.
const prunedLen = 32

// KeepLatest puts a, which t makes, into list. Earlier accesses in the same place of the program
// that happened before it are left out, as is that of the same goroutine: with whatever they race,
// so does a, since who knows of a knows of them.
func KeepLatest(list []Access, t *Thread, a Access) []Access {
	if n := len(list); n > prunedLen && n&(n-1) != 0 {
		return ReplaceAccess(list, a)
	}
	n := 0
	for i := range list {
		if e := &list[i]; e.Slot() != a.Slot() && (e.place != a.place || e.Concurrent(t)) {
			list[n] = *e
			n++
		}
	}
	return append(list[:n], a)
}

// Seen returns the history of a cell, nil if the cell was not accessed. The caller must
// not change it.
func (s *Shadow) Seen(off int) *Cell {
	if uint(off) < uint(len(s.first)) { // without a check of bounds
		return &s.first[off]
	}
	return s.paged(off)
}

// copy makes s a copy of from. They share the histories of cells and nothing else.
func (s *Shadow) copy(from *Shadow) {
	readers, writers, indexed, stored, pages, digests, ch := s.Readers.more, s.Writers.more, s.Indexed, s.Stored, s.pages, s.pageDigests, s.Chan
	*s = *from
	s.Readers.more = append(readers[:0], from.Readers.more...)
	s.Writers.more = append(writers[:0], from.Writers.more...)
	s.Indexed = append(indexed[:0], from.Indexed...)
	s.Stored = append(stored[:0], from.Stored...)
	s.pages, s.pageDigests = append(pages[:0], from.pages...), append(digests[:0], from.pageDigests...)
	s.Chan.Sends = append(ch.Sends[:0], from.Chan.Sends...)
	s.Chan.Close = ch.Close
	s.Chan.Close.Assign(&from.Chan.Close)
	s.Chan.elements = slices.Grow(ch.elements[:0], len(from.Chan.elements))[:len(from.Chan.elements)]
	for i := range from.Chan.elements {
		to, e := &s.Chan.elements[i], &from.Chan.elements[i]
		to.Clock.Assign(&e.Clock)
		to.Sent, to.Firing = e.Sent, e.Firing
	}
}

// copy makes c a copy of from. They share the history of synchronising operations and
// nothing else.
func (c *Cell) copy(from *Cell) {
	own := c.rare
	*c = *from
	if c.rare = own; from.rare == nil {
		own.clear()
		return
	}
	to := c.more()
	reads := to.reads
	*to = *from.rare
	to.reads = append(reads[:0], from.rare.reads...)
}

// copy makes s a copy of from that shares no memory with it.
func (s *Sync) copy(from *Sync) {
	s.Clock.Assign(&from.Clock)
	s.Readers.Assign(&from.Readers)
	s.reads = append(s.reads[:0], from.reads...)
	s.writes = append(s.writes[:0], from.writes...)
	s.adds = append(s.adds[:0], from.adds...)
	s.uses = append(s.uses[:0], from.uses...)
	s.hidden = append(s.hidden[:0], from.hidden...)
	s.Waits = append(s.Waits[:0], from.Waits...)
	s.Adds = append(s.Adds[:0], from.Adds...)
	s.Count.copy(&from.Count)
}
