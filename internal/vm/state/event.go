package state

import (
	"slices"
	"strconv"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/schedule"
)

// eventState is the state of the recording of events and conditions. It begins anew with
// each run.
type eventState struct {
	Draft  run.Event // event of the operation that is being carried out, if events are recorded
	name   []byte    // buffer of FreshSymbols
	fresh  []expr.ID // result of FreshSymbols
	GaveUp map[run.GivenUp]bool
	Known  map[KnownCondition]bool
	Merged []MergedCondition
	// atSites has the conditions that were recorded, with State.EachSite.
	atSites map[siteCondition]bool
}

// A siteCondition is a condition of a goroutine at a site.
type siteCondition struct {
	KnownCondition
	site run.SiteID
}

// A KnownCondition is a condition that is in the path condition because of a goroutine,
// given by its slot. It is not recorded again when the same goroutine meets it again.
type KnownCondition struct {
	Slot int32 // -1 for timers
	Cond expr.ID
}

// BeginEvents prepares the recording of events and conditions for a run.
func (m *State) BeginEvents() {
	m.Tracing = m.Plan.Record || m.Plan.ReadSymbols
	if m.Events.GaveUp == nil {
		m.Events.GaveUp = make(map[run.GivenUp]bool)
		m.Events.Known = make(map[KnownCondition]bool)
	}
	clear(m.Events.GaveUp)
	clear(m.Events.Known)
	clear(m.Events.atSites)
	m.Events.Merged = m.Events.Merged[:0]
	m.Allocated = m.Allocated[:0]
}

// Record adds an event of g, at its current instruction, to the trace if the plan asks
// for events. It returns the index of the event in the trace, -1 if it was not added. The
// event counts in g.Events in any case.
func (m *State) Record(g *Goroutine, e run.Event) int32 {
	if m.SkipEvent(g) {
		return -1
	}
	m.place(g, &e)
	return m.appendEvent(g, e)
}

// RecordDraft is Record for the event m.Events.Draft.
func (m *State) RecordDraft(g *Goroutine) int32 {
	if m.SkipEvent(g) {
		return -1
	}
	m.place(g, &m.Events.Draft)
	return m.appendEvent(g, m.Events.Draft)
}

// place sets where g has done what e describes.
func (m *State) place(g *Goroutine, e *run.Event) {
	e.Site = m.SiteOfTop(g)
	e.Caller, e.Called = m.callOf(g)
	if e.Own = e.Caller; m.Plan.RecordPlain {
		e.Own = m.OwnSite(g)
	}
}

// SkipEvent reports whether the plan does not ask for events. If so, it counts an event
// of g, which then need not be described.
func (m *State) SkipEvent(g *Goroutine) bool {
	if m.Plan.Record {
		return false
	}
	g.Events++
	return true
}

// RecordAt is Record for an event that comes with its site, or has none.
func (m *State) RecordAt(g *Goroutine, e run.Event) int32 {
	if m.SkipEvent(g) {
		return -1
	}
	e.Called, e.Own = -1, e.Caller
	return m.appendEvent(g, e)
}

// appendEvent adds an event of g to the trace.
func (m *State) appendEvent(g *Goroutine, e run.Event) int32 {
	e.Goroutine = g.ID
	e.Index = g.Events
	g.Events++
	if e.Cells == 0 {
		e.Cells = 1
	}
	if !readsFrom[e.Op] {
		e.Other = -1
	}
	m.Trace.Events = append(m.Trace.Events, e)
	return int32(len(m.Trace.Events) - 1)
}

// RecordTimer adds an event of a timer, and returns its index in Trace.Events, -1 if the plan
// does not ask for events. Timers count as goroutine -1.
func (m *State) RecordTimer(e run.Event) int32 {
	e.Goroutine = -1
	e.Index = m.TimerEvents
	m.TimerEvents++
	if !m.Plan.Record {
		return -1
	}
	e.Cells = 1
	e.Site = run.NoSite
	e.Caller, e.Own, e.Called = e.Site, e.Site, -1
	m.Trace.Events = append(m.Trace.Events, e)
	return int32(len(m.Trace.Events) - 1)
}

// readsFrom contains the operations whose events use Event.Other.
var readsFrom = [schedule.NumOps]bool{
	schedule.Spawn: true,
	schedule.Read:  true, schedule.AtomicRead: true, schedule.AtomicUpdate: true,
	schedule.Recv: true, schedule.RecvClosed: true,
}

// GiveUp records that something at the current site of g was not treated in full.
func (m *State) GiveUp(g *Goroutine, what string) {
	at, called := m.callOf(g)
	m.giveUp(run.GivenUp{What: what, Site: at, Called: called})
}

// GiveUpAt is GiveUp for a site.
func (m *State) GiveUpAt(site run.SiteID, what string) {
	m.giveUp(run.GivenUp{What: what, Site: site, Called: -1})
}

func (m *State) giveUp(u run.GivenUp) {
	if !m.Events.GaveUp[u] {
		m.Events.GaveUp[u] = true
		m.Trace.GivenUp = append(m.Trace.GivenUp, u)
	}
}

// AddBound records a bound that comes from a place in the program, once.
func (m *State) AddBound(site run.SiteID, name string) {
	if b := (run.PlacedBound{Name: name, Site: site}); !slices.Contains(m.Trace.PlacedBounds, b) {
		m.Trace.PlacedBounds = append(m.Trace.PlacedBounds, b)
	}
}

// Accessed records a plain access that m.Access has allowed, after the instruction has
// made it: n cells of o from off on were read, or written with what is in memory now. It
// is called when m.Watching and m.Tracing are set. The fresh symbols of a read, if the plan
// asks for them, become the shadows of the registers from Stack[dst] on.
func (m *State) Accessed(g *Goroutine, o *heap.Object, off, n int, write bool, dst int) {
	if o == nil || n == 0 || !m.accessVisible && !m.Plan.RecordPlain {
		return
	}
	if write {
		m.recordWrite(g, o, off, n)
		return
	}
	for i, sym := range m.recordRead(g, o, off, n, m.accessVisible) {
		m.SetRegister(g, dst+i, g.Stack[dst+i], sym)
	}
}

// ReadPlain records a read of n cells whose values have no symbols, if the plan asks for plain
// accesses.
func (m *State) ReadPlain(g *Goroutine, o *heap.Object, off, n int) {
	if m.Plan.RecordPlain {
		m.recordRead(g, o, off, n, false)
	}
}

// WrittenPlain records a write of n cells that was no visible operation, likewise.
func (m *State) WrittenPlain(g *Goroutine, o *heap.Object, off, n int) {
	if m.Watching && m.Plan.Record && m.Plan.RecordPlain {
		m.recordWrite(g, o, off, n)
	}
}

// AccessedTwo records the accesses of an instruction that copied n cells between objects,
// after m.AccessTwo has allowed them. Fresh symbols become the shadows of the cells that
// were written.
func (m *State) AccessedTwo(g *Goroutine, dst *heap.Object, dstOff int, src *heap.Object, srcOff, n int) {
	if n == 0 {
		return
	}
	if m.fromVisible || m.Plan.RecordPlain {
		if fresh := m.recordRead(g, src, srcOff, n, m.fromVisible); fresh != nil {
			dst.SetShadows(dstOff, n, fresh)
		}
	}
	if m.accessVisible || m.Plan.RecordPlain {
		m.recordWrite(g, dst, dstOff, n)
	}
}

// AccessedGrow records that an append has read n cells at src and copied them to the
// start of dst, a new object. m.AccessTwo has allowed the read as the first of two. Later
// writes to dst need not be recorded, since no other goroutine knows the object yet.
func (m *State) AccessedGrow(g *Goroutine, dst *heap.Object, src heap.Word, n int) {
	if n > 0 && (m.accessVisible || m.Plan.RecordPlain) {
		if fresh := m.recordRead(g, src.P, int(src.N), n, m.accessVisible); fresh != nil {
			dst.SetShadows(0, n, fresh)
		}
	}
	m.accessVisible = false
}

// AccessedMap records an operation on a map. The event does not describe values: reads
// and writes of maps differ only in their order.
func (m *State) AccessedMap(g *Goroutine, o *heap.Object, write bool) {
	if o == nil || !m.accessVisible && !m.Plan.RecordPlain {
		return
	}
	c := m.Races.Cell(m.ShadowOf(o), 0)
	i := m.Record(g, run.Event{Op: accessOp(write), Object: o.ID, Other: c.WriteEvent - 1})
	if write {
		c.WriteEvent = i + 1
	}
}

// recordWrite records a write of n cells, whose new values are in memory.
func (m *State) recordWrite(g *Goroutine, o *heap.Object, off, n int) {
	e := run.Event{Op: schedule.Write, Object: o.ID, Offset: int32(off), Cells: int32(n)}
	m.describeCells(o, off, n, &e, false)
	i := m.Record(g, e)
	s := m.ShadowOf(o)
	for k := off; k < off+n; k++ {
		m.Races.Cell(s, k).WriteEvent = i + 1
	}
}

// recordRead records a read of n cells. It returns the fresh symbols for their values if
// the read is visible and the plan asks for them, and otherwise nil.
func (m *State) recordRead(g *Goroutine, o *heap.Object, off, n int, visible bool) []expr.ID {
	e := run.Event{Op: schedule.Read, Object: o.ID, Offset: int32(off), Cells: int32(n), Other: -1}
	s := m.ShadowOf(o)
	for k := off; k < off+n; k++ {
		e.Other = max(e.Other, m.Races.Cell(s, k).WriteEvent-1)
	}
	m.describeCells(o, off, n, &e, true)
	var fresh []expr.ID
	if m.Plan.ReadSymbols && visible {
		fresh = m.FreshSymbols(g, n, func(i int) code.Kind { return o.CellKind(off + i) })
		AttachSymbols(&e, fresh)
	}
	m.Record(g, e)
	return fresh
}

// ReadSymbols returns fresh symbols for the n words of a value of type t that g reads in
// its next event, nil if the plan does not ask for them.
func (m *State) ReadSymbols(g *Goroutine, n int, t *code.Type) []expr.ID {
	if !m.Plan.ReadSymbols {
		return nil
	}
	return m.FreshSymbols(g, n, func(i int) code.Kind { return heap.WordKind(t, i) })
}

// FreshSymbols returns a variable for each of n words that the next event of g reads. The
// first is named "<goroutine>#<index of the event>"; the names of the others end in ".1",
// ".2" and so on. Words whose values are never symbolic get none. The result is valid
// until the next call.
func (m *State) FreshSymbols(g *Goroutine, n int, kind func(i int) code.Kind) []expr.ID {
	s := &m.Events
	s.name = m.Names.Append(s.name[:0], g.ID)
	s.name = append(s.name, '#')
	s.name = strconv.AppendInt(s.name, int64(g.Events), 10)
	first := len(s.name)
	s.fresh = s.fresh[:0]
	for i := range n {
		w := heap.KindWidth(kind(i))
		if w == 0 {
			m.GiveUp(g, "value of a shared variable made concrete")
			s.fresh = append(s.fresh, expr.None)
			continue
		}
		name := s.name[:first]
		if i > 0 {
			name = strconv.AppendInt(append(name, '.'), int64(i), 10)
		}
		s.fresh = append(s.fresh, m.Arena.Var(string(name), w))
	}
	return s.fresh
}

// AttachSymbols sets the read symbols of e.
func AttachSymbols(e *run.Event, fresh []expr.ID) {
	if len(fresh) == 0 {
		return
	}
	e.ReadSym = fresh[0]
	for i := range e.Rest {
		e.Rest[i].Sym = fresh[i+1]
	}
}

// describeCells sets the value that e reads or writes to that of cells in memory.
func (m *State) describeCells(o *heap.Object, off, n int, e *run.Event, read bool) {
	for i := off; i < off+n; i++ {
		w, sym := o.Word(i), expr.None
		if o.Sym != nil {
			sym = o.Sym[i]
		}
		m.describeWord(e, i-off, w, o.CellKind(i), sym, read)
	}
}

// DescribeWords sets the value that e reads or writes to words of type t.
func (m *State) DescribeWords(words []heap.Word, shadow []expr.ID, t *code.Type, e *run.Event, read bool) {
	for i, w := range words {
		sym := expr.None
		if len(shadow) > 0 {
			sym = shadow[i]
		}
		m.describeWord(e, i, w, heap.WordKind(t, i), sym, read)
	}
}

// describeWord sets word i of the value that e reads or writes.
func (m *State) describeWord(e *run.Event, i int, w heap.Word, k code.Kind, sym expr.ID, read bool) {
	v := w.Number(k)
	if read {
		sym = expr.None // AttachSymbols sets the read symbol later
	}
	switch {
	case i > 0:
		e.Rest = append(e.Rest, run.EventWord{Value: v, Kind: uint8(k), Sym: sym})
	case read:
		e.Read, e.ReadKind = v, uint8(k)
	default:
		e.Wrote, e.WroteKind, e.WroteSym = v, uint8(k), sym
	}
}

// A MergedCondition is a condition that was not added to the path condition, because both
// sides of its branch were carried out, and the site of that branch.
type MergedCondition struct {
	Cond expr.ID
	Site run.SiteID
}
