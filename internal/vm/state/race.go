package state

import (
	"cmp"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/schedule"
)

// ShadowOf returns the shadow of o in this run. The caller may change it.
func (m *State) ShadowOf(o *heap.Object) *race.Shadow {
	if s := m.Races.Shadow(o.Race); s != nil {
		return s
	}
	visible := len(m.Plan.Visible.Objects) > 0 && m.Plan.Visible.Objects[o.ID]
	o.Race = m.Races.NewShadow(o.Race, o.Size(), visible)
	o.Race.ByCell = m.protectsCells(o)
	if o.Kind == heap.ChanObject {
		o.Race.Chan.Of, o.Race.Chan.Close.Of = o.ID, run.Holder{Kind: run.CloseHolder, Object: o.ID}
	}
	m.Touched = append(m.Touched, o)
	return o.Race
}

// ChanShadowOf returns the shadow of a channel.
func (m *State) ChanShadowOf(o *heap.Object) *race.Chan { return &m.ShadowOf(o).Chan }

// CellOf returns the history of a cell in this run. The caller may change it.
func (m *State) CellOf(l heap.Location) *race.Cell {
	return m.Races.Cell(m.ShadowOf(l.Object), l.Offset)
}

// Access is called before a plain access to n cells while m.Watching is set. It returns
// false if the access is a visible operation and the goroutine has to wait for its turn.
func (m *State) Access(g *Goroutine, o *heap.Object, off, n int, write bool) bool {
	if n == 0 || o == nil {
		return true
	}
	if len(m.Plan.Visible.Sites) == 0 && m.touchOwned(g, o, off, n, write) {
		m.accessVisible = false
		return true
	}
	s := m.ShadowOf(o)
	m.accessVisible = s.Visible || m.VisibleHere(g)
	if m.accessVisible && !m.Visit(g, run.Transition{Op: accessOp(write), Object: o.ID, Offset: int32(off), Cells: int32(n)}) {
		return false
	}
	if m.accessVisible && !write && o.Kind != heap.MapObject { // the state of a map is more than its cells
		m.Observe(g, o, off, n)
	}
	m.touchAny(g, o, off, n, write)
	return true
}

// AccessVisible reports whether an access of g to an object, at its current instruction, is a visible operation.
func (m *State) AccessVisible(g *Goroutine, o *heap.Object) bool {
	return (len(m.Plan.Visible.Sites) > 0 || len(m.Plan.Visible.Objects) > 0) && (m.ShadowOf(o).Visible || m.VisibleHere(g))
}

// AccessTwo is Access for an instruction that in one step accesses n cells of o and reads
// fromN cells of from.
func (m *State) AccessTwo(g *Goroutine, o *heap.Object, off, n int, write bool, from *heap.Object, fromOff, fromN int) bool {
	if fromN == 0 || from == nil {
		return m.Access(g, o, off, n, write)
	}
	if n == 0 || o == nil {
		if !m.Access(g, from, fromOff, fromN, false) {
			return false
		}
		m.accessVisible, m.fromVisible = false, m.accessVisible
		return true
	}
	s, fromShadow := m.ShadowOf(o), m.ShadowOf(from)
	here := m.VisibleHere(g)
	m.accessVisible, m.fromVisible = s.Visible || here, fromShadow.Visible || here
	if m.accessVisible || m.fromVisible {
		t := run.Transition{
			Op: accessOp(write), Object: o.ID, Offset: int32(off), Cells: int32(n),
			From: run.Range{Object: from.ID, Offset: int32(fromOff), Cells: int32(fromN)},
		}
		if !m.Visit(g, t) {
			return false
		}
	}
	m.Touch(g, from, fromOff, fromN, false)
	m.Touch(g, o, off, n, write)
	return true
}

// AccessMap is Access for an operation on a map, which counts as a single location: get,
// length and iteration read it; set, delete and clear write it.
func (m *State) AccessMap(g *Goroutine, o *heap.Object, write bool) bool {
	return m.Access(g, o, 0, 1, write)
}

// accessOp returns the operation of a plain access.
func accessOp(write bool) schedule.Op {
	if write {
		return schedule.Write
	}
	return schedule.Read
}

// VisibleHere reports whether the plan makes the current instruction of g visible.
func (m *State) VisibleHere(g *Goroutine) bool {
	return len(m.Plan.Visible.Sites) > 0 && m.Plan.Visible.Sites[m.SiteOfTop(g)]
}

// noteUse records that g accesses n cells of an object, which has a shadow, from off on, for Trace.Accesses and for
// what protects them. An access at an index that depends on inputs is one to all cells that it may be to.
func (m *State) noteUse(g *Goroutine, o *heap.Object, off, n int, write bool) {
	if !m.shares() {
		return
	}
	s := o.Race
	switch {
	case s.ByCell:
		for i := off; i < off+n; i++ {
			if !m.Races.Cell(s, i).Guard(&g.Thread, write) {
				m.noteUnprotected(AllocationOf(o, i))
			}
		}
	case m.Plan.ForgetAccesses && !s.Guard(&g.Thread, write):
		m.noteUnprotected(AllocationOf(o, whole))
	}
	if write {
		s.Writers.Add(g.Slot)
	} else {
		s.Readers.Add(g.Slot)
	}
}

// shares reports whether goroutines may share objects. As long as there is only one, and no timer
// may start another, they do not, even if the plan makes accesses visible.
func (m *State) shares() bool { return len(m.Goroutines) > 1 || len(m.Timers) > 0 }

// noteUnprotected notes that an object or a cell has been accessed in another way than before.
func (m *State) noteUnprotected(a run.Allocation) {
	if !m.Plan.Unprotected[a] && !slices.Contains(m.Trace.Unprotected, a) {
		m.Trace.Unprotected = append(slices.Clip(m.Trace.Unprotected), a)
	}
}

// NoteLock notes that g has locked l, so that all others are excluded. If somebody holds it already, it
// has been overwritten, and excludes nobody.
func (m *State) NoteLock(g *Goroutine, l heap.Location) {
	if !m.Plan.ForgetAccesses {
		return
	}
	lock := lockAt(l)
	if slices.ContainsFunc(m.Goroutines, func(g *Goroutine) bool { return g.Holds(lock) }) {
		m.Trace.LocksMatter = true
	}
	g.Hold(lock)
}

// NoteUnlock notes that g has unlocked l, which excluded all others.
func (m *State) NoteUnlock(g *Goroutine, l heap.Location) {
	if m.Plan.ForgetAccesses && !g.Unhold(lockAt(l)) {
		m.Trace.LocksMatter = true
	}
}

func lockAt(l heap.Location) race.Lock {
	return race.Lock{Object: l.Object.ID, Offset: int32(l.Offset)}
}

// whole stands for the cells of an object as a whole.
const whole = -1

// AllocationOf returns what has allocated an object, for one of its cells or for the object as a whole.
func AllocationOf(o *heap.Object, cell int) run.Allocation {
	t := int32(-1)
	if o.Type != nil {
		t = int32(o.Type.ID)
	}
	return run.Allocation{Type: t, Func: o.Func, Cell: int32(cell) + 1}
}

// A Protection says why accesses to an object cannot race, as long as it is accessed as before.
type Protection uint8

const (
	Unprotected Protection = iota
	Guarded                // all accesses are made with a lock held
	ReadOnly               // nobody writes to it after others have read it: only reads cannot race
)

// ProtectionOf returns the protection of an object that has a shadow, as far as the plan wants that to
// be known. If the plan wants that for each cell, see [State.ProtectionOfCell].
func (m *State) ProtectionOf(o *heap.Object) Protection {
	if !m.NotesProtection(o) {
		return Unprotected
	}
	return protectionBy(o.Race.Guards)
}

// ProtectionOfCell returns the protection of cell off of an object, which has the history c.
func (m *State) ProtectionOfCell(o *heap.Object, off int, c *race.Cell) Protection {
	switch {
	case !o.Race.ByCell:
		return m.ProtectionOf(o)
	case m.Plan.Unprotected[AllocationOf(o, off)]:
		return Unprotected
	}
	guards, _ := c.Guards()
	return protectionBy(guards)
}

// protectionBy returns the protection of what all access with locks held.
func protectionBy(guards []race.Lock) Protection {
	if len(guards) > 0 {
		return Guarded
	}
	return ReadOnly
}

// NotesProtection reports whether the plan wants the protection of an object as a whole to be known.
func (m *State) NotesProtection(o *heap.Object) bool {
	return m.Plan.ForgetAccesses && !m.Plan.Unprotected[AllocationOf(o, whole)]
}

// maxProtectedCells bounds the size of the objects whose cells are protected by themselves.
const maxProtectedCells = 64

// protectsCells reports whether the plan wants the protection of each cell of an object to be known. Elements
// of an array are accessed alike.
func (m *State) protectsCells(o *heap.Object) bool {
	return m.Plan.ForgetAccesses && o.Kind == heap.Variable && o.Size() <= maxProtectedCells && !m.NotesProtection(o)
}

// Touch records plain accesses of g to n cells of o, which has a shadow, and finds their races with earlier
// accesses.
func (m *State) Touch(g *Goroutine, o *heap.Object, off, n int, write bool) {
	if n == 0 || !m.touchOwned(g, o, off, n, write) {
		m.touchAny(g, o, off, n, write)
	}
}

// touchOwned is Touch if g owns the cells: the accesses cannot race, the object is known to be used by g, and
// they are not visible operations because of the object. Otherwise it returns false.
func (m *State) touchOwned(g *Goroutine, o *heap.Object, off, n int, write bool) bool {
	s, f := o.Race, g.Top()
	if f.Chain == 0 {
		m.chainOf(g, len(g.Frames)-1)
	}
	if g.Prepared() || m.PrepareAccesses(g) {
		if s = m.shadowFor(g, o, write); s == nil {
			return false
		}
		if write {
			return m.Races.OwnWrites(&g.Thread, s, off, n, f.Chain, f.PC)
		}
		return m.Races.OwnReads(&g.Thread, s, off, n, f.Chain, f.PC)
	}
	c := m.Races.Owned(&g.Thread, s, off, write)
	if c == nil || g.Started != nil && !g.hasMade(o) {
		return false
	}
	for i := off + 1; i < off+n; i++ {
		if m.Races.Owned(&g.Thread, s, i, write) == nil {
			return false
		}
	}
	if m.Plan.ForgetAccesses {
		m.noteUse(g, o, off, n, write) // which locks g holds may have changed, and who uses other cells
	}
	now := m.AccessOf(g)
	c.Renew(&now, write)
	for i := off + 1; i < off+n; i++ {
		s.Seen(i).Renew(&now, write)
	}
	return true
}

// shadowFor returns the shadow of o, which g, which is prepared, is about to access by plain reads
// or writes. If the object is new in the run, g owns its first cells. The shadow is nil if there is
// more to note of it.
func (m *State) shadowFor(g *Goroutine, o *heap.Object, write bool) *race.Shadow {
	if m.Races.Knows(o.Race) {
		return m.Races.Shadow(o.Race)
	}
	if len(m.Plan.Visible.Objects) > 0 || o.Kind == heap.ChanObject {
		return nil
	}
	o.Race = m.Races.NewOwnedShadow(o.Race, o.Size(), &g.Thread, write)
	m.Touched = append(m.Touched, o)
	return o.Race
}

// touchAny is Touch whoever owns the cells.
func (m *State) touchAny(g *Goroutine, o *heap.Object, off, n int, write bool) {
	s := o.Race
	if g.Started != nil && !g.hasMade(o) {
		g.Started = nil
	}
	m.noteUse(g, o, off, n, write)
	if len(s.Indexed) > 0 || len(s.Stored) > 0 {
		m.giveUpIndexed(g, s, write)
	}
	now, races := m.AccessOf(g), len(m.Trace.Unordered)
	if isNew := m.Races.Plain(&g.Thread, &now, s, off, n, write); isNew || m.flowsAlike() {
		kind := run.PlainRead
		if write {
			kind = run.PlainWrite
		}
		m.noteAccess(g, o, off, n, kind)
	}
	m.dropParted(g, s, races)
}

// hasMade reports whether g has allocated o since it started a goroutine.
func (g *Goroutine) hasMade(o *heap.Object) bool {
	return o.ID.Goroutine == g.ID && o.ID.Count > g.Started.Allocs
}

// dropParted drops the races after the first ones that an access of g to an object with shadow
// s has shown if the object is in Parted, since they may be none.
func (m *State) dropParted(g *Goroutine, s *race.Shadow, races int) {
	if len(m.Parted) > 0 && len(m.Trace.Unordered) > races && slices.ContainsFunc(m.Parted, func(o *heap.Object) bool { return o.Race == s }) {
		m.Trace.Unordered = m.Trace.Unordered[:races]
		m.Unsupported(g, "accesses to a variable of which package unsafe has made parts, where nothing orders them")
	}
}

// Part adds an object to Parted.
func (m *State) Part(o *heap.Object) {
	if m.Watching && !slices.Contains(m.Parted, o) {
		m.Parted = append(slices.Clip(m.Parted), o)
	}
}

// TouchAtomic records an atomic access of g to cell c at l, whose object has a shadow.
func (m *State) TouchAtomic(g *Goroutine, l heap.Location, c *race.Cell, write bool) {
	kind := run.AtomicRead
	if write {
		kind = run.AtomicWrite
	}
	m.touchCell(g, l, write, kind, func() bool { return m.Races.Atomic(&g.Thread, m.AccessOf(g), c, write) })
}

// TouchAdd records an addition of g to cell c at l, whose object has a shadow, that commutes with
// others. The plan may want to know whether it is ordered with what depends on the sum.
func (m *State) TouchAdd(g *Goroutine, l heap.Location, c *race.Cell) {
	m.touchCell(g, l, true, run.AtomicWrite, func() bool {
		if m.Plan.Visible.WatchAtomics {
			m.Races.WatchAdd(&g.Thread, m.AccessOf(g), atomicSite(g), c)
		}
		return m.Races.Add(&g.Thread, m.AccessOf(g), c)
	})
}

// touchCell notes that g accesses the cell at l, by an atomic operation that is recorded by record:
// it reports whether the access has to be added to the Flow.
func (m *State) touchCell(g *Goroutine, l heap.Location, write bool, kind run.AccessKind, record func() (isNew bool)) {
	s := l.Object.Race
	m.noteUse(g, l.Object, l.Offset, 1, write)
	if !m.Watching {
		return
	}
	g.Started = nil
	if len(s.Indexed) > 0 || len(s.Stored) > 0 {
		m.giveUpIndexed(g, s, write)
	}
	races := len(m.Trace.Unordered)
	if isNew := record(); isNew || m.flowsAlike() {
		m.noteAccess(g, l.Object, l.Offset, 1, kind)
	}
	m.dropParted(g, s, races)
}

// HidesAtomic reports whether the plan says that the atomic operation at which g is, one that may
// be hidden, is not visible.
func (m *State) HidesAtomic(g *Goroutine) bool {
	v := &m.Plan.Visible
	return v.HideAtomics && !m.Plan.ReadSymbols && !m.Pausing && (len(v.Atomics) == 0 || !v.Atomics[atomicSite(g)])
}

// atomicSite returns the site of the innermost call on the stack of g that is not in package
// sync/atomic. Instructions that continue in the same way are one site, since fingerprints do not
// tell them apart: then what is a step in one of two states that are the same is one in the other.
func atomicSite(g *Goroutine) run.SiteID {
	i := len(g.Frames) - 1
	for i > 0 && (g.Frames[i].Func.Wrapper || strings.HasPrefix(g.Frames[i].Func.Name, "sync/atomic.")) {
		i--
	}
	f := &g.Frames[i]
	return run.SiteID{Func: f.Func.ID, Instr: int32(f.Func.Bisimulation().Representative(int(f.PC)))}
}

// HideLoad notes that g loads a variable by package sync/atomic, in an operation that is not
// visible, before it learns from cell c. It reports whether g knows already of all that it can
// learn there.
func (m *State) HideLoad(g *Goroutine, c *race.Cell) (ordered bool) {
	return !m.Watching || m.Races.HideRead(&g.Thread, m.AccessOf(g), atomicSite(g), c)
}

// TouchHiddenLoad records an atomic read of g of cell c at l that is no visible operation.
func (m *State) TouchHiddenLoad(g *Goroutine, l heap.Location, c *race.Cell) {
	m.touchCell(g, l, false, run.HiddenRead, func() bool { return m.Races.HiddenRead(&g.Thread, m.AccessOf(g), c) })
}

// TouchHiddenAdd records an addition of g to cell c at l that commutes with others and is no visible operation.
func (m *State) TouchHiddenAdd(g *Goroutine, l heap.Location, c *race.Cell) {
	m.touchCell(g, l, true, run.HiddenAdd, func() bool { return m.Races.HiddenAdd(&g.Thread, m.AccessOf(g), atomicSite(g), c) })
}

// BeforeAtomic notes that g carries out an atomic operation on cell c at l that does not commute
// with additions, in an operation that is visible, before it learns from the cell. The plan may say
// that there are additions that are hidden, or want to know which could be, and whether a load of
// the cell, which this is if loads is set, is ordered with what changes the cell.
func (m *State) BeforeAtomic(g *Goroutine, l heap.Location, c *race.Cell, loads bool) {
	v := &m.Plan.Visible
	if !m.Watching || !v.HideAtomics && !v.WatchAtomics {
		return
	}
	if v.WatchAtomics && loads {
		m.Races.WatchRead(&g.Thread, m.AccessOf(g), atomicSite(g), c)
	}
	if isNew := m.Races.BeforeAtomic(&g.Thread, c); v.HideAtomics && (isNew || m.flowsAlike()) {
		m.noteAccess(g, l.Object, l.Offset, 1, run.BeforeAtomic)
	}
}

// TouchSync records that g uses a cell for a lock or another primitive. It returns the
// history in which these keep their clocks.
func (m *State) TouchSync(g *Goroutine, l heap.Location) *race.Sync {
	c := m.CellOf(l)
	if m.Watching {
		s := m.ShadowOf(l.Object)
		if m.Plan.ForgetAccesses && s.Bypasses(&g.Thread, c) {
			cell := whole
			if s.ByCell {
				cell = l.Offset
			}
			m.noteUnprotected(AllocationOf(l.Object, cell))
		}
		races := len(m.Trace.Unordered)
		if m.Races.Use(&g.Thread, m.AccessOf(g), c) {
			m.noteAccess(g, l.Object, l.Offset, 1, run.Use)
		}
		m.dropParted(g, s, races)
	}
	return m.SyncOf(l, c)
}

// SyncOf returns the history of the synchronising operations on cell c at l.
func (m *State) SyncOf(l heap.Location, c *race.Cell) *race.Sync {
	s := m.Races.Sync(c)
	if s.Clock.Of.Kind == run.NoHolder && l.Object.ID.Goroutine != run.HiddenObjects {
		s.Clock.Of = run.Holder{Kind: run.CellHolder, Object: l.Object.ID, Index: int32(l.Offset)}
		s.Readers.Of = run.Holder{Kind: run.ReadersHolder, Object: l.Object.ID, Index: int32(l.Offset)}
	}
	return s
}

// flowsAlike reports whether each access has to be added to the flow of the run, even if another
// one like it has been: which cells are accessed may depend on inputs, and the flows of runs with
// other inputs on the same path have as many steps.
func (m *State) flowsAlike() bool { return m.Races.Flow != nil && len(m.Trace.Inputs) > 0 }

// NoteAccess adds to the flow of the run that g accesses a cell in the given way.
func (m *State) NoteAccess(g *Goroutine, l heap.Location, k run.AccessKind) {
	m.noteAccess(g, l.Object, l.Offset, 1, k)
}

// noteAccess is NoteAccess for n cells.
func (m *State) noteAccess(g *Goroutine, o *heap.Object, off, n int, k run.AccessKind) {
	if o.Kind == heap.ViewObject || o.ID.Goroutine == run.HiddenObjects {
		m.Races.NoteLost()
		return
	}
	if m.Races.Flow != nil {
		m.Races.NoteAccess(&g.Thread, o.ID, off, n, k, AllocationOf(o, off))
	}
}

// AccessOf returns an access that g makes now, at its current instruction.
func (m *State) AccessOf(g *Goroutine) race.Access {
	f := g.Top()
	if f.Chain == 0 {
		m.chainOf(g, len(g.Frames)-1)
	}
	return g.Access(f.Chain, f.PC)
}

// chainOf gives the call chain that leads to frame i of g a number, and returns it. The numbers
// are kept in the frames, since the callers of a frame do not move while it is active.
func (m *State) chainOf(g *Goroutine, i int) int32 {
	if i < 0 {
		return 0
	}
	f := &g.Frames[i]
	if f.Chain == 0 {
		parent := m.chainOf(g, i-1)
		var site run.SiteID
		if i > 0 {
			up := &g.Frames[i-1]
			site = run.SiteID{Func: up.Func.ID, Instr: up.PC}
		}
		f.Chain = race.NumberedChain(m.Races.Context(parent, site, f.Func.ID))
	}
	return f.Chain.Context()
}

// ForgetChains forgets the numbers of call chains, which another run may number anew.
func (g *Goroutine) ForgetChains() {
	for i := range g.Frames {
		g.Frames[i].Chain = 0
	}
}

// PrepareAccesses makes g record its accesses to cells that it owns as they are made, in the
// dispatch loop, until another checkpoint interval may have begun. It returns false if there is
// more to do at each of them, or at the next one that is to what others can access.
func (m *State) PrepareAccesses(g *Goroutine) bool {
	if !m.Watching || g.Started != nil || m.Tracing || m.Plan.ForgetAccesses || len(m.Plan.Visible.Sites) > 0 || !m.shares() {
		g.Unprepare()
		return false
	}
	m.Races.Prepare(&g.Thread)
	return g.Prepared()
}

// noteRace adds a data race to the trace. If there were additions that commute, the race may be one
// only if they come in another order: then the search looks at these.
func (m *State) noteRace(r race.Race) {
	if m.Trace.Added {
		m.Trace.AddsMatter = true
		return
	}
	m.Trace.Unordered = append(m.Trace.Unordered, run.AccessPair{
		Earlier: m.memoryAccess(&r.Earlier, r.EarlierWrites), Later: m.memoryAccess(&r.Later, r.LaterWrites),
	})
}

// NoteSend notes that g sends on ch.
func (m *State) NoteSend(g *Goroutine, ch *heap.Object) {
	if m.Watching {
		m.ChanShadowOf(ch).Send(m.AccessOf(g), m.Now)
	}
}

// NoteClosedSend adds to the trace that g sends on ch, which is closed, if nothing orders that with
// the close. The close may have come after the send had begun to wait, and know of that.
func (m *State) NoteClosedSend(g *Goroutine, ch *heap.Object) {
	m.Races.Mixed = true // fingerprints may leave out who knows of the close
	if s := m.ChanShadowOf(ch); s.Closer.Concurrent(&g.Thread) && s.Close.At(g.Slot) < g.CommsBegan {
		now := m.AccessOf(g)
		m.noteUnorderedSend(&s.Closer, &now, true)
	}
}

// ReleaseClose orders what g has done, which closes the channel with history s, before what those
// do who find that. It adds to the trace the sends that have come before only because of the time:
// others that nothing orders with the close can come after it in another run, and panic.
func (m *State) ReleaseClose(g *Goroutine, s *race.Chan) {
	if m.Watching {
		s.Closer = m.AccessOf(g)
		for i := range s.Sends {
			if send := &s.Sends[i]; send.Concurrent(&g.Thread) && m.LastDue(send.Now) < m.Now {
				m.noteUnorderedSend(&send.Access, &s.Closer, false)
			}
		}
	}
	g.Release(&s.Close)
}

// noteUnorderedSend adds to the trace a send and a close of the same channel, unless it has one at
// the same sites. With additions that commute, it is as with a race.
func (m *State) noteUnorderedSend(earlier, later *race.Access, closed bool) {
	if m.Trace.Added {
		m.Trace.AddsMatter = true
		return
	}
	if slices.ContainsFunc(m.Trace.ClosedSends, func(p run.AccessPair) bool {
		return p.Earlier.Innermost() == m.Races.Site(earlier) && p.Later.Innermost() == m.Races.Site(later)
	}) {
		return
	}
	m.Trace.ClosedSends = append(m.Trace.ClosedSends, run.AccessPair{Earlier: m.memoryAccess(earlier, closed), Later: m.memoryAccess(later, !closed)})
}

// memoryAccess describes one of the two accesses of a race.
func (m *State) memoryAccess(a *race.Access, write bool) run.MemoryAccess {
	out := run.MemoryAccess{StackTrace: run.StackTrace{Goroutine: m.Goroutines[a.Slot()].ID}, Write: write}
	m.Races.Stack(a.Context(), m.Races.Site(a), func(fn int32, site run.SiteID) {
		out.Frames = append(out.Frames, run.Frame{Func: m.Funcs[fn].Name, Site: site})
	})
	out.Site = m.UserSite(out.Frames)
	return out
}

// Accesses appends to list which goroutines accessed which objects in the run.
func (m *State) Accesses(list []run.Access) []run.Access {
	for _, o := range m.Touched {
		s := o.Race
		for slot := int32(0); int(slot) < len(m.Goroutines); slot++ {
			if wrote := s.Writers.Has(slot); wrote || s.Readers.Has(slot) {
				list = append(list, run.Access{Object: o.ID, Goroutine: m.Goroutines[slot].ID, Wrote: wrote})
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

// compareNames orders goroutines by name. Negative numbers, which stand for the owners of
// globals and constants, come first.
func (m *State) compareNames(a, b int32) int {
	if a < 0 || b < 0 {
		return cmp.Compare(a, b)
	}
	return m.Names.Compare(a, b)
}

// TouchIndexed records an access of g at a symbolic index to one of n cells of o, from off on. That to the cell of
// this run is recorded by itself.
func (m *State) TouchIndexed(g *Goroutine, o *heap.Object, off, n int, write bool) {
	s := m.ShadowOf(o)
	m.noteUse(g, o, off, n, write)
	s.Indexes(m.AccessOf(g), write)
	// If somebody has written to one of the cells and g does not know of that, the index is looked at in another way.
	kind := run.PlainRead
	if write {
		kind = run.PlainWrite
	}
	m.noteAccess(g, o, off, n, kind)
	m.Races.NoteIndexed()
}

// giveUpIndexed is called when g accesses an object that was read or written at symbolic
// indices. If that happened concurrently, the search is not complete: with another input,
// the other goroutine may access another cell.
func (m *State) giveUpIndexed(g *Goroutine, s *race.Shadow, write bool) {
	concurrent := func(a race.Access) bool { return a.Concurrent(&g.Thread) }
	switch {
	case slices.ContainsFunc(s.Stored, concurrent):
		m.GiveUp(g, run.WrittenIndexed)
	case write && slices.ContainsFunc(s.Indexed, concurrent):
		m.GiveUp(g, run.ReadIndexed)
	}
}
