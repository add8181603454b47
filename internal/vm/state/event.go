package state

import (
	"strconv"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/schedule"
)

// eventState is the machine's part of recording, made anew for each run.
type eventState struct {
	Draft  run.Event // of an operation that is being carried out, when events are recorded
	name   []byte
	fresh  []expr.ID
	GaveUp map[run.GivenUp]bool
	Held   map[HeldCondition]bool
	Merged []MergedCondition
}

// A HeldCondition is a condition that a goroutine, by slot, has met: it is not
// recorded again when the same goroutine meets it again.
type HeldCondition struct {
	Slot int32
	Cond expr.ID
}

// BeginEvents makes the recording of events ready for a run.
func (m *State) BeginEvents() {
	m.Tracing = m.Plan.Record || m.Plan.ReadSymbols
	if m.Events.GaveUp == nil {
		m.Events.GaveUp = make(map[run.GivenUp]bool)
		m.Events.Held = make(map[HeldCondition]bool)
	}
	clear(m.Events.GaveUp)
	clear(m.Events.Held)
	m.Events.Merged = m.Events.Merged[:0]
}

// Record counts an event of g at its present instruction and adds it to the
// trace when the plan asks for events. The result is its index in the trace, -1
// when it was not added.
func (m *State) Record(g *Goroutine, e run.Event) int32 {
	if m.Unrecorded(g) {
		return -1
	}
	e.Site = m.SiteOfTop(g)
	e.Caller = m.callerOf(g)
	return m.add(g, e)
}

// RecordDraft is record for the drafted event.
func (m *State) RecordDraft(g *Goroutine) int32 {
	if m.Unrecorded(g) {
		return -1
	}
	m.Events.Draft.Site = m.SiteOfTop(g)
	m.Events.Draft.Caller = m.callerOf(g)
	return m.add(g, m.Events.Draft)
}

// Unrecorded counts an event of g when the plan does not ask for events: it need
// not be described then.
func (m *State) Unrecorded(g *Goroutine) bool {
	if m.Plan.Record {
		return false
	}
	g.Events++
	return true
}

// RecordAt is record for an event whose site is set, or that has none.
func (m *State) RecordAt(g *Goroutine, e run.Event) int32 {
	if m.Unrecorded(g) {
		return -1
	}
	return m.add(g, e)
}

// add adds an event of g to the trace.
func (m *State) add(g *Goroutine, e run.Event) int32 {
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

// readsFrom has the operations whose events use Other.
var readsFrom = [schedule.NumOps]bool{
	schedule.Spawn: true,
	schedule.Read:  true, schedule.AtomicRead: true, schedule.AtomicUpdate: true,
	schedule.Recv: true, schedule.RecvClosed: true,
}

// GiveUp records that something at the present place of g was not treated in full.
func (m *State) GiveUp(g *Goroutine, what string) {
	u := run.GivenUp{What: what, Site: m.SiteOfTop(g)}
	if !m.Events.GaveUp[u] {
		m.Events.GaveUp[u] = true
		m.Trace.GivenUp = append(m.Trace.GivenUp, u)
	}
}

// Accessed records a plain access that m.access has allowed and the instruction
// has made: n cells of o from off on were read to, or written from, memory as it
// is now. It is asked when m.multi and m.tracing are set. The fresh symbols of a
// read, if the plan wants them, become the shadows of the registers from
// stack[dst] on.
func (m *State) Accessed(g *Goroutine, o *heap.Object, off, n int, write bool, dst int) {
	if o == nil || n == 0 || !m.accessVisible && !m.Plan.RecordPlain {
		return
	}
	if write {
		m.wrote(g, o, off, n)
		return
	}
	for i, sym := range m.read(g, o, off, n, m.accessVisible) {
		m.SetRegister(g, dst+i, g.Stack[dst+i], sym)
	}
}

// AccessedTwo records the accesses of an instruction that copied n cells between
// objects: m.AccessTwo has allowed them. Fresh symbols become the shadows of the
// cells written.
func (m *State) AccessedTwo(g *Goroutine, dst *heap.Object, dstOff int, src *heap.Object, srcOff, n int) {
	if n == 0 {
		return
	}
	if m.fromVisible || m.Plan.RecordPlain {
		if fresh := m.read(g, src, srcOff, n, m.fromVisible); fresh != nil {
			dst.SetShadows(dstOff, n, fresh)
		}
	}
	if m.accessVisible || m.Plan.RecordPlain {
		m.wrote(g, dst, dstOff, n)
	}
}

// AccessedGrow records that an append has read n cells at src, which m.AccessTwo
// has allowed as the first of two reads, to copy them to the start of dst, a new
// object. What is written to dst after that is nobody else's business.
func (m *State) AccessedGrow(g *Goroutine, dst *heap.Object, src heap.Word, n int) {
	if n > 0 && (m.accessVisible || m.Plan.RecordPlain) {
		if fresh := m.read(g, src.P, int(src.N), n, m.accessVisible); fresh != nil {
			dst.SetShadows(0, n, fresh)
		}
	}
	m.accessVisible = false
}

// AccessedMap records an operation on a map. Its value is not described: reads
// and writes of maps are told from each other by their order alone.
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

// wrote records a write of n cells, whose new values are in memory.
func (m *State) wrote(g *Goroutine, o *heap.Object, off, n int) {
	e := run.Event{Op: schedule.Write, Object: o.ID, Offset: int32(off), Cells: int32(n)}
	m.describeCells(o, off, n, &e, false)
	i := m.Record(g, e)
	s := m.ShadowOf(o)
	for k := off; k < off+n; k++ {
		m.Races.Cell(s, k).WriteEvent = i + 1
	}
}

// read records a read of n cells and returns the fresh symbols for their values,
// nil when there are none: for visible reads only.
func (m *State) read(g *Goroutine, o *heap.Object, off, n int, visible bool) []expr.ID {
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

// ReadSymbols returns fresh symbols for the words of a value of type t that g
// reads as its next event, nil when the plan does not ask for any.
func (m *State) ReadSymbols(g *Goroutine, n int, t *code.Type) []expr.ID {
	if !m.Plan.ReadSymbols {
		return nil
	}
	return m.FreshSymbols(g, n, func(i int) code.Kind { return heap.WordKind(t, i) })
}

// FreshSymbols returns a variable for each of n words that are read by the next
// event of g: "<goroutine>#<event index>", and with ".1", ".2" … for the further
// words. Words of no kind get none. The result is valid until the next call.
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

// AttachSymbols makes fresh the read symbols of e.
func AttachSymbols(e *run.Event, fresh []expr.ID) {
	if len(fresh) == 0 {
		return
	}
	e.ReadSym = fresh[0]
	for i := range e.Rest {
		e.Rest[i].Sym = fresh[i+1]
	}
}

// describeCells sets the value that e reads or writes from memory.
func (m *State) describeCells(o *heap.Object, off, n int, e *run.Event, read bool) {
	for i := off; i < off+n; i++ {
		w, sym := o.Word(i), expr.None
		if o.Sym != nil {
			sym = o.Sym[i]
		}
		m.describeWord(e, i-off, w, o.CellKind(i), sym, read)
	}
}

// DescribeWords sets the value of type t that e reads or writes.
func (m *State) DescribeWords(words []heap.Word, shadow []expr.ID, t *code.Type, e *run.Event, read bool) {
	for i, w := range words {
		sym := expr.None
		if len(shadow) > 0 {
			sym = shadow[i]
		}
		m.describeWord(e, i, w, heap.WordKind(t, i), sym, read)
	}
}

func (m *State) describeWord(e *run.Event, i int, w heap.Word, k code.Kind, sym expr.ID, read bool) {
	v := w.Number(k)
	if read {
		sym = expr.None // that of the read symbol comes later
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

// A MergedCondition is a condition that was not added to the path condition, since both
// its sides were carried out, and where it was asked.
type MergedCondition struct {
	Cond expr.ID
	Site run.SiteID
}
