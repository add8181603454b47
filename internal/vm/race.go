package vm

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// Races. While more than one goroutine has existed, each cell of memory that is
// accessed has a shadow with its last write and the reads since, as epochs of
// the goroutines that made them (FastTrack: Flanagan and Freund, PLDI 2009). Two
// accesses, one of them a write and not both atomic, race when the earlier
// one's epoch is not in the later one's clock. The clocks are joined at
// synchronising operations, as the Go memory model has it.

// raceState is the machine's part of race detection. What it says of a run is void
// in the next one, but the memory is used again.
type raceState struct {
	run     uint32 // number of the run: shadows of other runs are void
	touched []*Object
	cells   [][]cellShadow // blocks that shadows take their cells from
	block   int            // the one in use
	taken   int            // cells of it
	syncs   []*syncShadow
	synced  int                    // of syncs, how many are in use
	pairs   map[[2]run.SiteID]bool // reported
	listed  [][2]run.SiteID        // the same, in order
	// Chains of calls are numbered once for all runs: they follow from the program.
	contexts []callContext
	chains   uint32 // number of the numbering, see contextOf
	// visible says whether the cells of the last access were visible to the plan,
	// fromVisible whether those that it read in order to copy them were.
	visible, fromVisible bool
}

// A raceShadow is what race detection and the recording of events know of an
// object in a run.
type raceShadow struct {
	run              uint32
	stamp            uint32 // as Object.stamp, of what is here but the cells
	visible          bool   // the plan makes accesses to the object visible
	readers, writers slotSet
	indexed, stored  []epoch        // reads and writes at a symbolic index, the last of each goroutine: see table.go
	first            []cellShadow   // of the first cells, up to shadowPage
	pages            [][]cellShadow // by cell / shadowPage, of the others; nil ones are untouched
	ch               chanShadow
}

// Cells get their shadows in pages, of which the last one of an object may be smaller.
const shadowPage = 64

// A cellShadow is the history of a cell as far as a race may need it.
type cellShadow struct {
	write epoch
	read  epoch
	reads []epoch // instead of read, when there are several
	wrote int32   // 1 + index of the last event that wrote the cell, 0 for none
	stamp uint32  // as Object.stamp, of the cell
	sync  *syncShadow
}

// A syncShadow belongs to a cell that atomic operations or locks use.
type syncShadow struct {
	clock   vclock // of the last release
	readers vclock // RWMutex: of the readers' releases
	// Atomic reads and writes of the cell, the last of each goroutine. Uses of
	// locks and the like count as reads.
	reads, writes []epoch
	// Wait groups: the Waits that had to wait and the Adds that left zero.
	waits, adds []epoch
}

// A chanShadow is the history of a channel.
type chanShadow struct {
	close  vclock
	closed int32 // event of the close, -1
	slots  []chanSlot
}

// A chanSlot is the history of a place in a channel's buffer.
type chanSlot struct {
	clock vclock
	sent  int32 // event that sent the element, -1
}

func (s *chanShadow) slot(i int) *chanSlot {
	for n := len(s.slots); n <= i; n++ {
		s.slots = slices.Grow(s.slots, 1)[:n+1]
		t := &s.slots[n]
		*t = chanSlot{clock: t.clock.empty(), sent: -1}
	}
	return &s.slots[i]
}

// An epoch is an access: the goroutine's stretch and the place.
type epoch struct {
	clock   uint32 // 0: no access
	slot    int32
	site    run.SiteID
	context int32
}

// A callContext is a chain of calls: fn, called from the site in its parent.
type callContext struct {
	parent int32
	site   run.SiteID
	fn     *function

	child, sibling int32 // the last chain made that is one call longer, the next such one of the parent; 0 for none
}

// A slotSet is a set of goroutines by slot.
type slotSet struct {
	first uint64   // slots below 64
	more  []uint64 // the others
}

func (s *slotSet) add(slot int32) {
	if slot < 64 {
		s.first |= 1 << slot
		return
	}
	i := int(slot)>>6 - 1
	for i >= len(s.more) {
		s.more = append(s.more, 0)
	}
	s.more[i] |= 1 << (slot & 63)
}

func (s *slotSet) has(slot int32) bool {
	if slot < 64 {
		return s.first&(1<<slot) != 0
	}
	i := int(slot)>>6 - 1
	return i < len(s.more) && s.more[i]&(1<<(slot&63)) != 0
}

// hasOther reports whether the set has a goroutine besides the one in slot.
func (s *slotSet) hasOther(slot int32) bool {
	first := s.first
	if slot < 64 {
		first &^= 1 << slot
	}
	if first != 0 {
		return true
	}
	for i, w := range s.more {
		if int(slot)>>6-1 == i {
			w &^= 1 << (slot & 63)
		}
		if w != 0 {
			return true
		}
	}
	return false
}

func (s *slotSet) remove(slot int32) {
	if slot < 64 {
		s.first &^= 1 << slot
	} else if i := int(slot)>>6 - 1; i < len(s.more) {
		s.more[i] &^= 1 << (slot & 63)
	}
}

// next returns the first slot of the set from one on, -1 when there is none.
func (s *slotSet) next(slot int32) int32 {
	if slot < 64 {
		if rest := s.first >> slot; rest != 0 {
			return slot + int32(bits.TrailingZeros64(rest))
		}
		slot = 64
	}
	for i := int(slot)>>6 - 1; i < len(s.more); i++ {
		if rest := s.more[i] >> (slot & 63); rest != 0 {
			return slot + int32(bits.TrailingZeros64(rest))
		}
		slot = slot&^63 + 64
	}
	return -1
}

// addAll adds the slots of another set.
func (s *slotSet) addAll(from *slotSet) {
	s.first |= from.first
	for len(s.more) < len(from.more) {
		s.more = append(s.more, 0)
	}
	for i, set := range from.more {
		s.more[i] |= set
	}
}

func (s *slotSet) clear() { s.first, s.more = 0, s.more[:0] }

// copy makes s equal to from. They share nothing.
func (s *slotSet) copy(from *slotSet) {
	s.first, s.more = from.first, append(s.more[:0], from.more...)
}

// beginRaces forgets what the last run left.
func (m *Machine) beginRaces() {
	r := &m.races
	r.run++
	clear(r.touched)
	r.touched = r.touched[:0]
	r.block, r.taken, r.synced = 0, 0, 0
	if r.pairs == nil {
		r.pairs = make(map[[2]run.SiteID]bool)
	}
	clear(r.pairs)
	r.listed = r.listed[:0]
	if n := len(r.contexts); n == 0 || n > maxContexts {
		r.contexts = append(r.contexts[:0], callContext{})
		r.chains++
	}
}

// maxContexts is the number of chains of calls after which numbering begins anew,
// with the next run.
const maxContexts = 1 << 14

// shadowOf returns the shadow of o in this run, to be changed.
func (m *Machine) shadowOf(o *Object) *raceShadow {
	s := o.race
	if s == nil || s.run != m.races.run {
		return m.newShadow(o)
	}
	if s.stamp != m.stamp {
		m.saveShadow(s)
	}
	return s
}

// newShadow gives an object that was not touched in the run its shadow.
func (m *Machine) newShadow(o *Object) *raceShadow {
	s := o.race
	if s == nil {
		s = new(raceShadow)
		o.race = s
	}
	s.run, s.stamp = m.races.run, m.stamp
	s.visible = len(m.plan.Visible.Objects) > 0 && m.plan.Visible.Objects[o.ID]
	s.readers.clear()
	s.writers.clear()
	s.indexed, s.stored = s.indexed[:0], s.stored[:0]
	s.first = m.races.page(min(o.size(), shadowPage), m.stamp)
	s.pages = s.pages[:0]
	s.ch.close, s.ch.closed, s.ch.slots = s.ch.close.empty(), -1, s.ch.slots[:0]
	m.races.touched = append(m.races.touched, o)
	return s
}

// chanShadowOf returns the shadow of a channel.
func (m *Machine) chanShadowOf(o *Object) *chanShadow { return &m.shadowOf(o).ch }

// cell returns the shadow of a cell, to be changed. The object's is s, as shadowOf
// has returned it.
func (m *Machine) cell(s *raceShadow, off int) *cellShadow {
	var c *cellShadow
	if off < len(s.first) {
		c = &s.first[off]
	} else {
		c = m.races.furtherCell(s, off, m.stamp)
	}
	if c.stamp != m.stamp {
		m.saveCellShadow(c)
	}
	return c
}

// seen returns the shadow of a cell, not to be changed: nil when it was not accessed.
func (s *raceShadow) seen(off int) *cellShadow {
	if off < len(s.first) {
		return &s.first[off]
	}
	if p := off / shadowPage; p < len(s.pages) && s.pages[p] != nil {
		return &s.pages[p][off%shadowPage]
	}
	return nil
}

func (r *raceState) furtherCell(s *raceShadow, off int, stamp uint32) *cellShadow {
	p := off / shadowPage
	for len(s.pages) <= p {
		s.pages = append(s.pages, nil)
	}
	if s.pages[p] == nil {
		s.pages[p] = r.page(shadowPage, stamp)
	}
	return &s.pages[p][off%shadowPage]
}

// page returns the shadows of n cells that were not accessed, n being at most
// shadowPage.
func (r *raceState) page(n int, stamp uint32) []cellShadow {
	if len(r.cells) == 0 || r.taken+n > len(r.cells[r.block]) {
		if len(r.cells) > 0 {
			r.block++
		}
		if r.block == len(r.cells) {
			r.cells = append(r.cells, make([]cellShadow, 8*shadowPage))
		}
		r.taken = 0
	}
	page := r.cells[r.block][r.taken : r.taken+n]
	r.taken += n
	for i := range page {
		page[i] = cellShadow{reads: page[i].reads[:0], stamp: stamp}
	}
	return page
}

// cellOf returns the shadow of a cell in this run.
func (m *Machine) cellOf(l location) *cellShadow { return m.cell(m.shadowOf(l.o), l.off) }

// syncOf returns the further shadow of a cell that synchronising operations use.
func (m *Machine) syncOf(c *cellShadow) *syncShadow {
	if c.sync == nil {
		c.sync = m.races.sync()
	}
	return c.sync
}

// sync returns the shadow of a cell that no synchronising operation has used.
func (r *raceState) sync() *syncShadow {
	if r.synced == len(r.syncs) {
		r.syncs = append(r.syncs, new(syncShadow))
	}
	s := r.syncs[r.synced]
	r.synced++
	*s = syncShadow{
		clock: s.clock.empty(), readers: s.readers.empty(),
		reads: s.reads[:0], writes: s.writes[:0], waits: s.waits[:0], adds: s.adds[:0],
	}
	return s
}

// access is asked before a plain access to n cells while m.multi is set. It is
// false while the goroutine has to wait for its turn to make the access, which
// then is a visible operation.
func (m *Machine) access(g *goroutine, o *Object, off, n int, write bool) bool {
	if n == 0 || o == nil {
		return true
	}
	s := m.shadowOf(o)
	m.races.visible = s.visible || m.visibleHere(g)
	if m.races.visible && !m.visit(g, run.Transition{Op: accessOp(write), Object: o.ID, Offset: int32(off), Cells: int32(n)}) {
		return false
	}
	if m.races.visible && !write && o.Kind != MapObject { // a map is more than its cells
		m.look(g, o, off, n)
	}
	m.touch(g, s, off, n, write)
	return true
}

// accessTwo is access for an instruction that accesses n cells of o and reads
// fromN cells of from, in one step.
func (m *Machine) accessTwo(g *goroutine, o *Object, off, n int, write bool, from *Object, fromOff, fromN int) bool {
	if fromN == 0 || from == nil {
		return m.access(g, o, off, n, write)
	}
	if n == 0 || o == nil {
		if !m.access(g, from, fromOff, fromN, false) {
			return false
		}
		m.races.visible, m.races.fromVisible = false, m.races.visible
		return true
	}
	s, t := m.shadowOf(o), m.shadowOf(from)
	here := m.visibleHere(g)
	m.races.visible, m.races.fromVisible = s.visible || here, t.visible || here
	if m.races.visible || m.races.fromVisible {
		opt := run.Transition{
			Op: accessOp(write), Object: o.ID, Offset: int32(off), Cells: int32(n),
			From: run.Range{Object: from.ID, Offset: int32(fromOff), Cells: int32(fromN)},
		}
		if !m.visit(g, opt) {
			return false
		}
	}
	m.touch(g, t, fromOff, fromN, false)
	m.touch(g, s, off, n, write)
	return true
}

// accessMap is access for an operation on a map, which is one location to
// others: get, length and iteration read it; set, delete and clear write it.
func (m *Machine) accessMap(g *goroutine, o *Object, write bool) bool {
	return m.access(g, o, 0, 1, write)
}

func accessOp(write bool) schedule.Op {
	if write {
		return schedule.Write
	}
	return schedule.Read
}

// visibleHere reports whether the plan makes the present instruction of g visible.
func (m *Machine) visibleHere(g *goroutine) bool {
	return len(m.plan.Visible.Sites) > 0 && m.plan.Visible.Sites[m.siteOfTop(g)]
}

// use notes that g accesses an object, for Trace.Accesses: while there is only one
// goroutine, that is no sharing, whatever the plan makes visible.
func (m *Machine) use(g *goroutine, s *raceShadow, write bool) {
	switch {
	case len(m.gs) <= 1:
	case write:
		s.writers.add(g.slot)
	default:
		s.readers.add(g.slot)
	}
}

// touch notes plain accesses of g to n cells and reports the races that they close.
func (m *Machine) touch(g *goroutine, s *raceShadow, off, n int, write bool) {
	m.use(g, s, write)
	if len(s.indexed) > 0 || len(s.stored) > 0 {
		m.disturb(g, s, write)
	}
	now := m.epochOf(g)
	for i := off; i < off+n; i++ {
		c := m.cell(s, i)
		if write {
			m.plainWrite(g, c, &now)
		} else {
			m.plainRead(g, c, &now)
		}
	}
}

func (m *Machine) plainWrite(g *goroutine, c *cellShadow, now *epoch) {
	m.compareUses(g, c, now, true)
	if c.sync != nil {
		m.compareAll(g, c.sync.reads, now, false, true)
		m.compareAll(g, c.sync.writes, now, true, true)
	}
	c.write, c.read.clock, c.reads = *now, 0, c.reads[:0]
}

func (m *Machine) plainRead(g *goroutine, c *cellShadow, now *epoch) {
	m.compareUses(g, c, now, false)
	if c.sync != nil {
		m.compareAll(g, c.sync.writes, now, true, false)
	}
	switch {
	case len(c.reads) > 0:
		c.reads = lastOf(c.reads, *now)
	case c.read.concurrent(g):
		c.reads = append(c.reads, c.read, *now)
		c.read.clock = 0
	default:
		c.read = *now
	}
}

// compareUses compares the plain accesses to a cell with one of g, a write or not.
func (m *Machine) compareUses(g *goroutine, c *cellShadow, now *epoch, writes bool) {
	if c.write.concurrent(g) {
		m.findRace(&c.write, now, true, writes)
	}
	if !writes {
		return
	}
	if c.read.concurrent(g) {
		m.findRace(&c.read, now, false, true)
	}
	m.compareAll(g, c.reads, now, false, true)
}

// touchAtomic notes an atomic access of g to a cell of an object with shadow s.
func (m *Machine) touchAtomic(g *goroutine, s *raceShadow, c *cellShadow, write bool) {
	m.use(g, s, write)
	if !m.multi {
		return
	}
	if len(s.indexed) > 0 || len(s.stored) > 0 {
		m.disturb(g, s, write)
	}
	sync := m.syncOf(c)
	now := m.epochOf(g)
	m.compareUses(g, c, &now, write)
	if write {
		sync.writes = lastOf(sync.writes, now)
	} else {
		sync.reads = lastOf(sync.reads, now)
	}
}

// touchSync notes the use of a cell by a lock or the like. It returns the shadow in
// which those leave their clocks.
func (m *Machine) touchSync(g *goroutine, l location) *syncShadow {
	c := m.cellOf(l)
	sync := m.syncOf(c)
	if m.multi {
		now := m.epochOf(g)
		m.compareUses(g, c, &now, false)
		sync.reads = lastOf(sync.reads, now)
	}
	return sync
}

// lastOf puts e in the place of its goroutine's epoch in list.
func lastOf(list []epoch, e epoch) []epoch {
	for i := range list {
		if list[i].slot == e.slot {
			list[i] = e
			return list
		}
	}
	return append(list, e)
}

// epochOf returns the present epoch of g at its present instruction.
func (m *Machine) epochOf(g *goroutine) epoch {
	f := g.top()
	context := f.context
	if context == 0 || f.chains != m.races.chains {
		context = m.contextOf(g, len(g.frames)-1)
	}
	return epoch{clock: g.clock.at(g.slot), slot: g.slot, site: run.SiteID{Func: f.fn.id, Instr: f.pc}, context: context}
}

// concurrent reports whether there was an access e, and it did not happen before
// what g does now.
func (e *epoch) concurrent(g *goroutine) bool {
	return e.clock != 0 && e.slot != g.slot && e.clock > g.clock.at(e.slot)
}

// compareAll reports the races of an access of g with those in list.
func (m *Machine) compareAll(g *goroutine, list []epoch, now *epoch, wrote, writes bool) {
	for i := range list {
		if list[i].concurrent(g) {
			m.findRace(&list[i], now, wrote, writes)
		}
	}
}

// findRace reports the race of two accesses, unless its places are known to race.
func (m *Machine) findRace(before, now *epoch, wrote, writes bool) {
	pair := [2]run.SiteID{before.site, now.site}
	if pair[1].Func < pair[0].Func || pair[1].Func == pair[0].Func && pair[1].Instr < pair[0].Instr {
		pair[0], pair[1] = pair[1], pair[0]
	}
	if m.races.pairs[pair] {
		return
	}
	m.races.pairs[pair] = true
	m.races.listed = append(m.races.listed, pair)
	earlier := m.accessFinding(before, wrote)
	later := m.accessFinding(now, writes)
	later.Message = "data race: " + later.Message + " and an earlier " + earlier.Message + " are not ordered"
	later.Other = &earlier
	m.trace.Findings = append(m.trace.Findings, later)
}

// accessFinding describes one of the two accesses of a race.
func (m *Machine) accessFinding(e *epoch, write bool) run.Finding {
	f := run.Finding{Kind: run.Race, Message: accessOp(write).String(), Goroutine: m.gs[e.slot].id, Site: e.site}
	site := e.site
	for c := e.context; c != 0; c = m.races.contexts[c].parent {
		ctx := &m.races.contexts[c]
		f.Stack = append(f.Stack, run.Frame{Func: ctx.fn.Name, Site: site})
		site = ctx.site
	}
	return f
}

// contextOf returns the number of the chain of calls that leads to frame i of g.
// Numbers are kept in the frames, since a frame's callers stand still.
func (m *Machine) contextOf(g *goroutine, i int) int32 {
	if i < 0 {
		return 0
	}
	f := &g.frames[i]
	r := &m.races
	if f.chains == r.chains && f.context != 0 {
		return f.context
	}
	parent := m.contextOf(g, i-1)
	var site run.SiteID
	if i > 0 {
		up := &g.frames[i-1]
		site = run.SiteID{Func: up.fn.id, Instr: up.pc}
	}
	n := r.contexts[parent].child
	for n != 0 && (r.contexts[n].site != site || r.contexts[n].fn != f.fn) {
		n = r.contexts[n].sibling
	}
	if n == 0 {
		n = int32(len(r.contexts))
		r.contexts = append(r.contexts, callContext{parent: parent, site: site, fn: f.fn, sibling: r.contexts[parent].child})
		r.contexts[parent].child = n
	}
	f.context, f.chains = n, r.chains
	return n
}

// accesses appends which goroutines accessed which objects in the run.
func (m *Machine) accesses(list []run.Access) []run.Access {
	for _, o := range m.races.touched {
		s := o.race
		for slot := int32(0); int(slot) < len(m.gs); slot++ {
			if wrote := s.writers.has(slot); wrote || s.readers.has(slot) {
				list = append(list, run.Access{Object: o.ID, Goroutine: m.gs[slot].id, Wrote: wrote})
			}
		}
	}
	slices.SortFunc(list, func(a, b run.Access) int {
		if c := m.compareNames(a.Object.Goroutine, b.Object.Goroutine); c != 0 {
			return c
		}
		if c := cmp.Compare(a.Object.Count, b.Object.Count); c != 0 {
			return c
		}
		return m.compareNames(a.Goroutine, b.Goroutine)
	})
	return list
}

// compareNames orders goroutines by name; those that are not goroutines (the
// owners of globals and constants) come first.
func (m *Machine) compareNames(a, b int32) int {
	if a < 0 || b < 0 {
		return cmp.Compare(a, b)
	}
	return m.Names.Compare(a, b)
}
