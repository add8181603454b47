package vm

import (
	"cmp"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/schedule"
)

// shadowOf returns the shadow of o in this run, to be changed.
func (m *State) shadowOf(o *heap.Object) *race.Shadow {
	if s := m.races.Shadow(o.Race); s != nil {
		return s
	}
	visible := len(m.plan.Visible.Objects) > 0 && m.plan.Visible.Objects[o.ID]
	o.Race = m.races.NewShadow(o.Race, o.Size(), visible)
	m.touched = append(m.touched, o)
	return o.Race
}

// chanShadowOf returns the shadow of a channel.
func (m *State) chanShadowOf(o *heap.Object) *race.Chan { return &m.shadowOf(o).Chan }

// cellOf returns the history of a cell in this run.
func (m *State) cellOf(l heap.Location) *race.Cell {
	return m.races.Cell(m.shadowOf(l.Object), l.Offset)
}

// access is asked before a plain access to n cells while m.multi is set. It is
// false while the goroutine has to wait for its turn to make the access, which
// then is a visible operation.
func (m *State) access(g *goroutine, o *heap.Object, off, n int, write bool) bool {
	if n == 0 || o == nil {
		return true
	}
	s := m.shadowOf(o)
	m.accessVisible = s.Visible || m.visibleHere(g)
	if m.accessVisible && !m.visit(g, run.Transition{Op: accessOp(write), Object: o.ID, Offset: int32(off), Cells: int32(n)}) {
		return false
	}
	if m.accessVisible && !write && o.Kind != heap.MapObject { // a map is more than its cells
		m.look(g, o, off, n)
	}
	m.touch(g, s, off, n, write)
	return true
}

// accessTwo is access for an instruction that accesses n cells of o and reads
// fromN cells of from, in one step.
func (m *State) accessTwo(g *goroutine, o *heap.Object, off, n int, write bool, from *heap.Object, fromOff, fromN int) bool {
	if fromN == 0 || from == nil {
		return m.access(g, o, off, n, write)
	}
	if n == 0 || o == nil {
		if !m.access(g, from, fromOff, fromN, false) {
			return false
		}
		m.accessVisible, m.fromVisible = false, m.accessVisible
		return true
	}
	s, t := m.shadowOf(o), m.shadowOf(from)
	here := m.visibleHere(g)
	m.accessVisible, m.fromVisible = s.Visible || here, t.Visible || here
	if m.accessVisible || m.fromVisible {
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
func (m *State) accessMap(g *goroutine, o *heap.Object, write bool) bool {
	return m.access(g, o, 0, 1, write)
}

func accessOp(write bool) schedule.Op {
	if write {
		return schedule.Write
	}
	return schedule.Read
}

// visibleHere reports whether the plan makes the present instruction of g visible.
func (m *State) visibleHere(g *goroutine) bool {
	return len(m.plan.Visible.Sites) > 0 && m.plan.Visible.Sites[m.siteOfTop(g)]
}

// use notes that g accesses an object, for Trace.Accesses: while there is only one
// goroutine, that is no sharing, whatever the plan makes visible.
func (m *State) use(g *goroutine, s *race.Shadow, write bool) {
	switch {
	case len(m.gs) <= 1:
	case write:
		s.Writers.Add(g.Slot)
	default:
		s.Readers.Add(g.Slot)
	}
}

// touch notes plain accesses of g to n cells and finds the races that they close.
func (m *State) touch(g *goroutine, s *race.Shadow, off, n int, write bool) {
	m.use(g, s, write)
	if len(s.Indexed) > 0 || len(s.Stored) > 0 {
		m.disturb(g, s, write)
	}
	now := m.accessOf(g)
	m.races.Plain(&g.Thread, &now, s, off, n, write)
}

// touchAtomic notes an atomic access of g to a cell of an object with shadow s.
func (m *State) touchAtomic(g *goroutine, s *race.Shadow, c *race.Cell, write bool) {
	m.use(g, s, write)
	if !m.multi {
		return
	}
	if len(s.Indexed) > 0 || len(s.Stored) > 0 {
		m.disturb(g, s, write)
	}
	m.races.Atomic(&g.Thread, m.accessOf(g), c, write)
}

// touchSync notes the use of a cell by a lock or the like. It returns the shadow in
// which those leave their clocks.
func (m *State) touchSync(g *goroutine, l heap.Location) *race.Sync {
	c := m.cellOf(l)
	if m.multi {
		m.races.Use(&g.Thread, m.accessOf(g), c)
	}
	return m.races.Sync(c)
}

// accessOf returns an access that g makes now, at its present instruction.
func (m *State) accessOf(g *goroutine) race.Access {
	f := g.top()
	context := f.context
	if context == 0 || f.numbering != m.races.Numbering() {
		context = m.contextOf(g, len(g.frames)-1)
	}
	return g.Access(run.SiteID{Func: f.fn.id, Instr: f.pc}, context)
}

// contextOf returns the number of the chain of calls that leads to frame i of g.
// Numbers are kept in the frames, since a frame's callers stand still.
func (m *State) contextOf(g *goroutine, i int) int32 {
	if i < 0 {
		return 0
	}
	f := &g.frames[i]
	if f.numbering == m.races.Numbering() && f.context != 0 {
		return f.context
	}
	parent := m.contextOf(g, i-1)
	var site run.SiteID
	if i > 0 {
		up := &g.frames[i-1]
		site = run.SiteID{Func: up.fn.id, Instr: up.pc}
	}
	f.context, f.numbering = m.races.Context(parent, site, f.fn.id), m.races.Numbering()
	return f.context
}

// noteRace notes a pair of accesses that nothing orders.
func (m *State) noteRace(r race.Race) {
	m.trace.Unordered = append(m.trace.Unordered, run.AccessPair{
		Earlier: m.memoryAccess(&r.Earlier, r.EarlierWrites), Later: m.memoryAccess(&r.Later, r.LaterWrites),
	})
}

// memoryAccess describes one of the two accesses of a race.
func (m *State) memoryAccess(a *race.Access, write bool) run.MemoryAccess {
	out := run.MemoryAccess{StackTrace: run.StackTrace{Goroutine: m.gs[a.Slot].id, Site: a.Site}, Write: write}
	m.races.Stack(a.Context, a.Site, func(fn int32, site run.SiteID) {
		out.Frames = append(out.Frames, run.Frame{Func: m.Funcs[fn].Name, Site: site})
	})
	return out
}

// accesses appends which goroutines accessed which objects in the run.
func (m *State) accesses(list []run.Access) []run.Access {
	for _, o := range m.touched {
		s := o.Race
		for slot := int32(0); int(slot) < len(m.gs); slot++ {
			if wrote := s.Writers.Has(slot); wrote || s.Readers.Has(slot) {
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
func (m *State) compareNames(a, b int32) int {
	if a < 0 || b < 0 {
		return cmp.Compare(a, b)
	}
	return m.Names.Compare(a, b)
}

// disturb is told that g accesses an object with shadow s, which was read or written at
// symbolic indices.
func (m *State) disturb(g *goroutine, s *race.Shadow, write bool) {
	concurrent := func(a race.Access) bool { return a.Concurrent(&g.Thread) }
	switch {
	case slices.ContainsFunc(s.Stored, concurrent):
		m.giveUp(g, "access to a table that another goroutine writes at an index that depends on the input")
	case write && slices.ContainsFunc(s.Indexed, concurrent):
		m.giveUp(g, "write to a table that another goroutine reads at an index that depends on the input")
	}
}
