package fingerprint

import (
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
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
	gathered bool // cells, recent and readers are set
	cells    []cell
	recent   []use
	readers  []readers
	holders  []holder
	open     []access
	began    []race.Access // when goroutines have begun to wait at communications
	users    []*race.Clock // of gather
	least    floor
	// What goroutines learn in their next steps, if it has been asked for: of each of those that
	// live, and what the steps are about.
	taught     bool
	lessons    []Lesson
	about      []uint64
	leastLater floor // when the steps have been taken
	learned    race.Clock
	known      run.Knowledge
	bits       []uint64 // of the accesses in known
}

// A Lesson says what a goroutine learns in its next step, before it accesses anything but the
// object that the step is about.
type Lesson struct {
	// Waits says that others have to take a step before it can, and that it learns what the one of
	// these knows that lets it go on.
	Waits bool
	Clock *race.Clock  // that it learns all of; nil if none is sure
	About *heap.Object // nil if it is a channel
}

// A cell is the history of a cell of an object.
type cell struct {
	object *heap.Object
	off    int
	*race.Cell
	protection    state.Protection
	recent, until int // the accesses to it in history.recent
}

// A use is an access, to cell off of an object or, if that is -1, to one that depends on inputs, that
// counts.
type use struct {
	*race.Access
	object *heap.Object
	off    int
	kind   run.AccessKind
}

// Readers say who has made the plain reads of an object that do not count as uses, since they cannot race as
// long as nobody else writes to it.
type readers struct {
	object *heap.Object
	off    int   // of the cell, -1 if what is known is known of the object as a whole
	slot   int32 // of the goroutine
}

// The slots of readers that are other than one goroutine that has not ended.
const (
	nobody   = -1
	hasEnded = -2
	several  = -3 // whoever writes is somebody else
)

// A floor is what all goroutines and timers know: the least entries of their clocks.
type floor struct {
	race.Clock
	set bool
}

// lower takes into account what one more of them knows.
func (f *floor) lower(c *race.Clock) {
	if !f.set {
		f.Assign(c)
		f.set = true
	} else {
		f.Meet(c)
	}
}

// allKnow reports whether all goroutines and timers know of an access. There may be very many
// accesses, and of nearly all of them everybody knows: so the clocks are compared once, and not for
// each access.
func (p *Printer) allKnow(a *race.Access) bool { return a.Time() <= p.floorOf(a.Slot()) }

// floorOf returns the time of the goroutine in a slot up to which all know what it has done.
func (p *Printer) floorOf(slot int32) uint32 {
	f := &p.least
	if !f.set {
		for _, g := range p.Live {
			f.lower(&g.Clock)
		}
		for _, t := range p.Timers {
			f.lower(&t.Clock)
		}
		if !f.set {
			return math.MaxUint32
		}
	}
	return f.At(slot)
}

// joinReaders returns the slot of readers to which the goroutine in a slot is added.
func (p *Printer) joinReaders(to, slot int32) int32 {
	if p.Goroutines[slot].Status == state.Ended {
		slot = hasEnded
	}
	if to == nobody || to == slot {
		return slot
	}
	return several
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

// gather finds the histories of all cells of objects that can be reached, and the accesses to them that
// count: not all goroutines and timers know of them, not even all that can reach the object.
func (p *Printer) gather() {
	if p.gathered {
		return
	}
	p.gathered = true
	p.cells, p.recent, p.readers = p.cells[:0], p.recent[:0], p.readers[:0]
	p.least.set = false
	for _, o := range p.Touched {
		if !p.isReached(o) {
			continue
		}
		p.users = p.users[:0]
		by := int32(nobody)
		as := state.Unprotected
		if !o.Race.ByCell {
			as = p.ProtectionOf(o)
		}
		note := func(off int, k run.AccessKind, a *race.Access) {
			if p.Plan.ForgetKnowledge || k == run.BeforeAtomic {
				return
			}
			plain := k == run.PlainRead || k == run.PlainWrite
			if plain && as == state.Guarded || p.allKnow(a) {
				return
			}
			if len(p.users) == 0 {
				p.findUsers(o)
			}
			switch {
			case p.usersKnow(a):
			case k == run.PlainRead && as == state.ReadOnly:
				by = p.joinReaders(by, a.Slot())
			default:
				p.recent = append(p.recent, use{a, o, off, k})
			}
		}
		o.Race.EachIndexed(func(k run.AccessKind, a *race.Access) { note(-1, k, a) })
		each := func(off int, c *race.Cell) {
			n := len(p.recent)
			if o.Race.ByCell {
				as, by = p.ProtectionOfCell(o, off, c), nobody
			}
			if p.Plan.ForgetKnowledge && as == state.Unprotected && !c.Synchronised() {
				return // nothing of it counts
			}
			c.EachAccess(func(k run.AccessKind, a *race.Access) { note(off, k, a) })
			p.cells = append(p.cells, cell{o, off, c, as, n, len(p.recent)})
			if o.Race.ByCell && by != nobody {
				p.readers = append(p.readers, readers{o, off, by})
			}
		}
		if p.Plan.ForgetKnowledge && as == state.Unprotected && !o.Race.ByCell {
			p.Races.EachSynchronised(o.Race, each) // plain accesses do not count
		} else {
			o.Race.EachCell(each)
		}
		if !o.Race.ByCell && by != nobody {
			p.readers = append(p.readers, readers{o, -1, by})
		}
	}
}

// findUsers sets users to the clocks of the goroutines and timers that can reach an object, as far as that is known.
func (p *Printer) findUsers(o *heap.Object) {
	reaches, ok := p.reaches(o)
	ok = ok && p.Exposed[o.Base()] != o
	for i, g := range p.arranged {
		if !ok || reaches(i) {
			p.users = append(p.users, &g.Clock)
		}
	}
	for i := range p.timers {
		if !ok || reaches(len(p.arranged)+i) {
			p.users = append(p.users, &p.timers[i].Clock)
		}
	}
}

// usersKnow reports whether all users of its object know of an access.
func (p *Printer) usersKnow(a *race.Access) bool {
	for _, c := range p.users {
		if !c.Covers(a) {
			return false
		}
	}
	return true
}

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
	p.holders, p.open = p.holders[:0], p.open[:0]
	p.began = slices.Grow(p.began[:0], len(p.Live)) // which open points to
	p.addHolders()
	for _, o := range p.Touched {
		if p.isReached(o) {
			p.addShadow(o)
		}
	}
	for i := range p.recent {
		if a := &p.recent[i]; a.off < 0 {
			p.addAccess(a)
		}
	}
	p.addReaders()
	for i := range p.cells {
		p.addCellHistory(&p.cells[i])
	}
	p.addKnown()
	for i := range p.holders {
		p.addTimeOf(&p.holders[i])
	}
}

// eachAccess calls do for each access to an object of a kind that counts, to a cell or, if off is
// -1, at an index that depends on inputs. It may leave out plain accesses that are known.
func (p *Printer) eachAccess(o *heap.Object, known func(slot int32) uint32, counts func(off int, k run.AccessKind) bool, do func(off int, k run.AccessKind, a *race.Access)) {
	o.Race.EachIndexed(func(k run.AccessKind, a *race.Access) {
		if counts(-1, k) {
			do(-1, k, a)
		}
	})
	some := func(off int, kinds run.AccessKinds) bool {
		if off < run.DistinctCells {
			return true
		}
		for k := run.PlainWrite; k < run.NumAccessKinds; k++ {
			if kinds&k.Of() != 0 && counts(off, k) {
				return true
			}
		}
		return false
	}
	p.Races.EachLater(o.Race, known, some, func(off int, c *race.Cell) {
		c.EachOfKinds(func(k run.AccessKind) bool { return counts(off, k) }, func(k run.AccessKind, a *race.Access) { do(off, k, a) })
	})
}

// isReached reports whether an object can be reached: it has a name.
func (p *Printer) isReached(o *heap.Object) bool { return o.Marking == p.mark || p.isOld(o) }

// addHolders adds the clocks that goroutines and timers have, and those that are for them.
func (p *Printer) addHolders() {
	for _, g := range p.Live {
		p.addHolder(&g.Clock, clockOf(p.nameOfGoroutine(g), 0))
	}
	for _, t := range p.Timers {
		p.addHolder(&t.Clock, clockOf(p.nameOfTimer(t), 0))
	}
	for _, g := range p.Live {
		if g.At == state.AtCommunication && g.CommsBegan < g.Clock.At(g.Slot) {
			// Who knows that it has begun to wait may not know of what it has released since.
			h := begin(tagBegan)
			h.addInt(p.role(g.ID))
			p.began = append(p.began, g.Thread.AccessAt(g.CommsBegan))
			p.open = append(p.open, access{&p.began[len(p.began)-1], h})
		}
		if g.Notified {
			p.addHolder(&g.Wakeup, clockOf(p.nameOfGoroutine(g), 1))
		}
	}
	if p.Bubbles == 0 {
		return
	}
	for _, g := range p.Goroutines { // whose clocks others acquire when the bubble is idle
		if g.Bubble != nil && g.Status == state.Ended {
			n := p.nameOfGoroutine(g)
			p.addHolder(&g.Clock, clockOf(n, 2))
			h := begin(tagEnded)
			h.addInt(int(g.ID))
			p.addPointer(&h, g.Bubble, n, atBubble)
			p.all.add(h)
		}
	}
}

// addShadow adds the history of an object, without those of its cells.
func (p *Printer) addShadow(o *heap.Object) {
	if o.Kind == heap.ViewObject {
		p.none = true // the history of another object, in other cells
		return
	}
	n := p.nameOf(o, name{}, 0)
	if o.Kind == heap.ChanObject {
		p.addChannel(n, o, &o.Race.Chan)
	}
	if len(p.Trace.Inputs) > 0 {
		p.addUses(n, o.Race)
	}
	if p.NotesProtection(o) {
		p.addGuards(p.hashOfCell(tagGuard, n, -1), o.Race.Guards, o.Race.Unguarded)
	}
}

// addCellHistory adds the history of a cell.
func (p *Printer) addCellHistory(c *cell) {
	n := p.nameOf(c.object, name{}, 0)
	uses := 0 // the kinds of those that not all know of
	for i := c.recent; i < c.until; i++ {
		a := &p.recent[i]
		if p.Plan.ForgetUses && (a.kind == run.AtomicRead || a.kind == run.AtomicWrite || a.kind == run.Use) {
			uses |= 1 << a.kind
		} else {
			p.addAccess(a)
		}
	}
	if uses != 0 {
		// A plain access from now on shows that they matter: a state in which there are none is
		// another one.
		h := p.hashOfCell(tagUses, n, c.off)
		h.addInt(uses)
		p.all.add(h)
	}
	open := 0
	c.EachOpen(func(a *race.Access, left int64, of race.Start) {
		h := p.hashOfCell(tagOpen, n, c.off)
		h.add(uint64(left))
		if p.Plan.ForgetUses && p.addStart(&h, of) {
			p.all.add(h) // if another one takes it, the search begins again
			return
		}
		h.addInt(open)
		open++
		p.open = append(p.open, access{a, h})
	})
	if c.Written() && c.protection == state.Guarded {
		p.all.add(p.hashOfCell(tagWritten, n, c.off)) // who uses it for a lock may not be protected
	}
	if c.ListsReads() && c.protection == state.Unprotected && !p.Plan.ForgetKnowledge {
		p.all.add(p.hashOfCell(tagListed, n, c.off))
	}
	if c.object.Race.ByCell && c.protection != state.Unprotected {
		guards, unguarded := c.Guards()
		p.addGuards(p.hashOfCell(tagGuard, n, c.off), guards, unguarded)
	}
	if r := c.Releases(); r != nil {
		p.addHolder(&r.Clock, clockOf(n, 4*c.off))
		p.addHolder(&r.Readers, clockOf(n, 4*c.off+1))
		if len(p.Trace.Inputs) > 0 {
			p.all.add(p.hashOfCell(tagUsed, n, c.off))
		}
	}
}

// addStart appends to h a goroutine that has not ended or may still be started. It returns false if there
// is none.
func (p *Printer) addStart(h *hash, s race.Start) bool {
	if s == (race.Start{}) {
		return false
	}
	g := p.goroutine(s.Goroutine)
	started := g != nil && s.Nth <= g.Spawns
	if started {
		g = p.goroutine(p.Names.Child(s.Goroutine, s.Nth))
	}
	if g == nil || g.Status == state.Ended {
		return false
	}
	h.addBool(started)
	h.addInt(p.role(g.ID))
	return true
}

// hashOfCell begins a hash that is about a cell of the object with name n.
func (p *Printer) hashOfCell(t tag, n name, off int) hash {
	h := begin(t)
	h.addHash(hash(n))
	h.addInt(off)
	return h
}

// addChannel adds the history of a channel.
func (p *Printer) addChannel(n name, ch *heap.Object, s *race.Chan) {
	p.addHolder(&s.Close, clockOf(n, 2))
	if s.Closer != (race.Access{}) && !p.Plan.ForgetUses {
		// A send of a goroutine that does not know of it is not ordered with it. With ForgetUses, the search begins
		// again when there is one.
		h := begin(tagClosed)
		h.addHash(hash(n))
		h.addInt(p.roleAt(s.Closer.Slot()))
		p.open = append(p.open, access{&s.Closer, h})
	}
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
	add := func(who int, reads, writes bool) {
		if reads || writes {
			h := begin(tagUsed)
			h.addHash(hash(n))
			h.addInt(who)
			h.addBool(reads)
			h.addBool(writes)
			p.all.add(h)
		}
	}
	var reads, writes bool // by goroutines of which it does not count which one they are
	for _, g := range p.Goroutines {
		r, w := s.Readers.Has(g.Slot), s.Writers.Has(g.Slot)
		if who := p.role(g.ID); who >= 0 {
			add(who, r, w)
		} else {
			reads, writes = reads || r, writes || w
		}
	}
	add(-1, reads, writes)
}

// addReaders adds who has read objects to which nobody has written since then. If somebody else does, the
// search begins again.
func (p *Printer) addReaders() {
	for i := range p.readers {
		r := &p.readers[i]
		h := p.hashOfCell(tagReaders, p.nameOf(r.object, name{}, 0), r.off)
		if who := r.slot; who < 0 {
			h.addInt(int(who))
		} else {
			h.addInt(p.role(p.Goroutines[who].ID))
		}
		p.all.add(h)
	}
}

// addGuards adds what is known of the protection of an object or a cell by locks. The hash begins with which one
// it is.
func (p *Printer) addGuards(h hash, guards []race.Lock, unguarded bool) {
	if len(guards) > 0 || unguarded {
		p.addLocks(&h, guards)
		p.all.add(h)
	}
}

// addLocks appends to h a set of locks.
func (p *Printer) addLocks(h *hash, list []race.Lock) {
	var all set
	for _, l := range list {
		all.add(p.hashOfCell(tagGuard, p.nameByID(l.Object), int(l.Offset)))
	}
	h.addHash(hash(all))
}

// roleAt returns the role of the goroutine in a slot, -1 if it has ended.
func (p *Printer) roleAt(slot int32) int {
	if g := p.Goroutines[slot]; g.Status != state.Ended {
		return p.role(g.ID)
	}
	return -1
}

// needsGraph reports whether there may be accesses that do not count.
func (p *Printer) needsGraph() bool {
	return len(p.Live)+len(p.Timers) > 1 && slices.ContainsFunc(p.Touched, func(o *heap.Object) bool { return !p.isOld(o) })
}

// addAccess adds an access.
func (p *Printer) addAccess(a *use) {
	p.open = append(p.open, access{a.Access, p.hashOfAccess(a)})
}

// hashOfAccess returns the hash of what an access is.
func (p *Printer) hashOfAccess(a *use) hash {
	h := p.hashOfCell(tagAccess, p.nameOf(a.object, name{}, 0), a.off)
	h.addInt(int(a.kind))
	site := p.Races.Site(a.Access)
	h.addInt(int(site.Func))
	h.addInt(int(site.Instr))
	h.addInt(int(a.Context()))
	h.add(uint64(p.Races.Numbering()))
	h.addInt(p.roleAt(a.Slot()))
	return h
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
				one.addInt(p.role(g.ID))
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
