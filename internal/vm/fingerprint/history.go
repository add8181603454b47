package fingerprint

import (
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// history is the part of a Printer that concerns happens-before.
//
// A later access races with an earlier one if the clock of its goroutine does not cover that
// then. That clock is the join of clocks that exist now: those of goroutines and timers, and
// those that can be acquired, which are left at cells and channels. So of an earlier access it
// counts which of these clocks cover it, and not when it was. If all goroutines and timers know
// of it, so will everybody who is started by one of them, and it does not count at all.
//
// Accesses of a goroutine that has not ended are replaced by its later ones, so they count as
// its own.
type history struct {
	holders []holder
	first   int // number of holders that are goroutines and timers
	open    []access
}

// A holder is a clock with the hash of its name.
type holder struct {
	clock *race.Clock
	is    hash
}

// An access is an access that not all goroutines and timers know of, with the hash of what it
// is.
type access struct {
	*race.Access
	is hash
}

func (p *Printer) beginHistory() { p.holders, p.open = p.holders[:0], p.open[:0] }

// addHolder adds a clock. The hash is that of its name.
func (p *Printer) addHolder(c *race.Clock, is hash) {
	p.holders = append(p.holders, holder{c, is.sum()})
}

// clockOf begins the hash of the name of a clock: the given one, by its number, of what has
// name n.
func clockOf(n name, number int) hash {
	h := begin(tagClock)
	h.addHash(hash(n))
	h.addInt(number)
	return h
}

// addHistory adds the histories of the objects that can be reached.
func (p *Printer) addHistory() {
	p.addHolders()
	for _, o := range p.Touched {
		if o.Marking == p.mark || o.Before(p.begin) {
			p.addShadow(o)
		}
	}
	p.addKnown()
	for i := range p.holders {
		p.addTimeOf(&p.holders[i])
	}
}

// addHolders adds the clocks that goroutines and timers have, and those that are for them.
func (p *Printer) addHolders() {
	for _, g := range p.Live {
		p.addHolder(&g.Clock, clockOf(nameOfGoroutine(g), 0))
	}
	for i := range p.Timers {
		t := &p.Timers[i]
		p.addHolder(&t.Clock, clockOf(nameOfTimer(t), 0))
	}
	p.first = len(p.holders)
	for _, g := range p.Live {
		if g.Notified {
			p.addHolder(&g.Wakeup, clockOf(nameOfGoroutine(g), 1))
		}
	}
	if p.Bubbles == 0 {
		return
	}
	for _, g := range p.Goroutines { // whose clocks others acquire when the bubble is idle
		if g.Bubble != nil && g.Status == state.Ended {
			n := nameOfGoroutine(g)
			p.addHolder(&g.Clock, clockOf(n, 2))
			h := begin(tagEnded)
			h.addInt(int(g.ID))
			p.addPointer(&h, g.Bubble, n, atBubble)
			p.all.add(h)
		}
	}
}

// addShadow adds the history of an object.
func (p *Printer) addShadow(o *heap.Object) {
	if o.Kind == heap.ViewObject {
		p.none = true // the history of another object, in other cells
		return
	}
	n, s := p.nameOf(o, name{}, 0), o.Race
	s.EachIndexed(func(k race.AccessKind, a *race.Access) { p.addAccess(n, -1, k, a) })
	s.EachCell(func(off int, c *race.Cell) {
		uses := 0 // the kinds of those that not all know of
		c.EachAccess(func(k race.AccessKind, a *race.Access) {
			switch {
			case !p.Plan.ForgetUses || k != race.AtomicRead && k != race.AtomicWrite:
				p.addAccess(n, off, k, a)
			case !p.isKnown(a):
				uses |= 1 << k
			}
		})
		if uses != 0 {
			// A plain access from now on shows that they matter: a state in which there are none is
			// another one.
			h := begin(tagUses)
			h.addHash(hash(n))
			h.addInt(off)
			h.addInt(uses)
			p.all.add(h)
		}
		open := 0
		c.EachOpen(func(a *race.Access, left int64) {
			h := begin(tagOpen)
			h.addHash(hash(n))
			h.addInt(off)
			h.addInt(open)
			h.add(uint64(left))
			open++
			p.open = append(p.open, access{a, h})
		})
		if c.ListsReads() {
			h := begin(tagListed)
			h.addHash(hash(n))
			h.addInt(off)
			p.all.add(h)
		}
		if r := c.Releases(); r != nil {
			p.addHolder(&r.Clock, clockOf(n, 4*off))
			p.addHolder(&r.Readers, clockOf(n, 4*off+1))
		}
	})
	if o.Kind == heap.ChanObject {
		p.addChannel(n, o, &s.Chan)
	}
	if len(p.Trace.Inputs) > 0 {
		p.addUses(n, s)
	}
}

// addChannel adds the history of a channel.
func (p *Printer) addChannel(n name, ch *heap.Object, s *race.Chan) {
	p.addHolder(&s.Close, clockOf(n, 2))
	elements := s.Elements()
	capacity := int(ch.Cells[state.ChanCap].N)
	head, count := int(ch.Cells[state.ChanHead].N), int(ch.Cells[state.ChanCount].N)
	for i := range elements {
		e := &elements[i]
		p.addHolder(&e.Clock, clockOf(n, 4*i+3))
		if (i-head+capacity)%capacity < count && e.Firing.Latest != 0 {
			h := begin(tagTime)
			h.addHash(hash(n))
			h.addInt(i)
			p.addFiring(&h, &e.Firing)
			p.all.add(h)
		}
	}
}

// addUses adds who has used an object. A table that is accessed at a symbolic index can only be
// treated as a whole if others have not.
func (p *Printer) addUses(n name, s *race.Shadow) {
	for _, g := range p.Goroutines {
		reads, writes := s.Readers.Has(g.Slot), s.Writers.Has(g.Slot)
		if reads || writes {
			h := begin(tagUsed)
			h.addHash(hash(n))
			h.addInt(int(g.ID))
			h.addBool(reads)
			h.addBool(writes)
			p.all.add(h)
		}
	}
	s.EachCell(func(off int, c *race.Cell) {
		if c.Synchronised() {
			h := begin(tagUsed)
			h.addHash(hash(n))
			h.addInt(off)
			p.all.add(h)
		}
	})
}

// isKnown reports whether all goroutines and timers know of an access.
func (p *Printer) isKnown(a *race.Access) bool {
	for i := range p.holders[:p.first] {
		if !p.holders[i].clock.Covers(a) {
			return false
		}
	}
	return true
}

// addAccess adds an access to cell off of an object, unless all goroutines and timers know of
// it.
func (p *Printer) addAccess(n name, off int, k race.AccessKind, a *race.Access) {
	if p.isKnown(a) {
		return
	}
	h := begin(tagAccess)
	h.addHash(hash(n))
	h.addInt(off)
	h.addInt(int(k))
	h.addInt(int(a.Site.Func))
	h.addInt(int(a.Site.Instr))
	h.addInt(int(a.Context))
	h.add(uint64(p.Races.Numbering()))
	if g := p.Goroutines[a.Slot]; g.Status != state.Ended {
		h.addInt(int(g.ID))
	} else {
		h.addInt(-1)
	}
	p.open = append(p.open, access{a, h})
}

// addKnown adds the accesses, with the clocks that cover them.
func (p *Printer) addKnown() {
	for i := range p.open {
		a := &p.open[i]
		var known set
		for k := range p.holders {
			if h := &p.holders[k]; h.clock.Covers(a.Access) {
				known.a += h.is.a
				known.b += h.is.b
			}
		}
		a.is.addHash(hash(known))
		p.all.add(a.is)
	}
	// What a goroutine does next is not covered, unless it has released nothing since.
	for i, g := range p.Live {
		for k := range p.holders {
			if h := &p.holders[k]; k != i && h.clock.CoversNext(&g.Thread) {
				one := begin(tagKnown)
				one.addInt(int(g.ID))
				one.addHash(h.is)
				p.all.add(one)
			}
		}
	}
}

// addTimeOf adds the virtual time and the readings of the clock that are known to a holder.
func (p *Printer) addTimeOf(h *holder) {
	c := h.clock
	if c.Time <= p.Now && c.Readings == nil {
		return
	}
	one := begin(tagTime)
	one.addHash(h.is)
	one.add(uint64(max(c.Time, p.Now)))
	p.addReadings(&one, c.Readings)
	p.all.add(one)
}
