package state

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/schedule"
)

// Hold adds to the path condition that cond, an expression of width 1, is as
// the run found it: true when holds is set. What is known already is not added.
func (m *State) Hold(g *Goroutine, cond expr.ID, holds bool, kind run.ConditionKind) {
	m.HoldAt(g, m.SiteOfTop(g), cond, holds, kind)
}

// HoldAt is hold for a condition that was asked at a site.
func (m *State) HoldAt(g *Goroutine, site run.SiteID, cond expr.ID, holds bool, kind run.ConditionKind) {
	if !holds {
		cond = m.Arena.Not(cond)
	}
	key := HeldCondition{g.Slot, cond}
	if _, constant := m.Arena.ConstValue(cond); constant || m.Events.Held[key] {
		return
	}
	m.Events.Held[key] = true
	event := int32(-1)
	if m.Plan.Record {
		op := schedule.Branch
		if kind == run.Assumed {
			op = schedule.Assume
		}
		e := run.Event{Op: op, Object: run.NoObject, Cond: cond}
		if holds {
			e.Alt = 1
		}
		event = m.Record(g, e)
	}
	m.Trace.Path = append(m.Trace.Path, run.Condition{
		Event:     event,
		Decision:  int32(len(m.Trace.Decisions)),
		Goroutine: g.ID,
		Site:      site,
		Cond:      cond,
		Kind:      kind,
		Negated:   !holds,
	})
}

// Branch adds to the path condition whether cond, which decides where the
// program goes, holds.
func (m *State) Branch(g *Goroutine, cond expr.ID, holds bool) {
	m.Hold(g, cond, holds, run.Jump)
}

// pinWord makes a symbolic word concrete: it adds to the path condition that
// its symbolic value is the one it has.
func (m *State) ConcretizeWord(g *Goroutine, w heap.Word, k code.Kind, sym expr.ID) {
	m.Concretize(g, sym, w.Number(k))
}

// pin adds to the path condition that x has the value v.
func (m *State) Concretize(g *Goroutine, x expr.ID, v uint64) {
	if m.split(g, x) {
		return
	}
	n := len(m.Trace.Path)
	m.Hold(g, m.Arena.Eq(x, m.Arena.Const(v, m.Arena.Width(x))), true, run.Concretized)
	if len(m.Trace.Path) > n {
		m.Trace.Path[n].Value = x
	}
}

// pinRegister makes the register at stack[at] of g's top frame concrete.
func (m *State) ConcretizeRegister(g *Goroutine, at int) {
	if sym := g.Sym[at]; sym != expr.None {
		m.ConcretizeWord(g, g.Stack[at], code.Int64, sym)
		g.Sym[at] = expr.None
	}
}

// pinRun pins n registers.
func (m *State) ConcretizeRegisters(g *Goroutine, at, n int) {
	for i := at; i < at+n; i++ {
		m.ConcretizeRegister(g, i)
	}
}

// pinCells makes n cells of o concrete.
func (m *State) ConcretizeCells(g *Goroutine, o *heap.Object, off, n int) {
	if o == nil || o.Sym == nil {
		return
	}
	for i := off; i < off+n; i++ {
		if sym := o.Sym[i]; sym != expr.None {
			m.ConcretizeWord(g, o.Word(i), o.CellKind(i), sym)
		}
	}
}

// split is told that x has to be concrete. It adds to the path condition the merged
// conditions that decide which value x has, as if they had not been merged. It is true if
// nothing else does: of a number of bytes, say, which becomes a length, the value alone
// would say less.
//
// Which conditions these are, and in what order, follows from how the ones before have
// turned out: like any path condition, that of a run begins as those of all runs on
// inputs that meet its beginning.
func (m *State) split(g *Goroutine, x expr.ID) bool {
	if len(m.Events.Merged) == 0 || m.Arena.Op(x) == expr.Var || m.Plan.ReadSymbols {
		return false
	}
	s := splitter{State: m, slot: g.Slot, merged: make(map[expr.ID]int), values: make(map[expr.ID]uint64), decided: make(map[expr.ID]bool)}
	for i := range m.Trace.Inputs {
		s.values[m.Trace.Inputs[i].Sym] = m.Trace.Inputs[i].Value
	}
	for i := range m.Events.Merged {
		s.merged[m.Events.Merged[i].Cond] = i
	}
	decided := s.decides(x)
	for _, i := range s.needed {
		c := &m.Events.Merged[i]
		m.HoldAt(g, c.Site, c.Cond, s.eval(c.Cond) == 1, run.Jump)
	}
	return decided
}

// A splitter finds the merged conditions that decide a value.
type splitter struct {
	*State
	slot    int32              // of the goroutine
	merged  map[expr.ID]int    // merged conditions by what they ask, as indexes
	values  map[expr.ID]uint64 // of the inputs
	decided map[expr.ID]bool   // whether merged conditions decide an expression
	needed  []int              // those that do, each after those that make it matter
}

// decides reports whether x follows from merged conditions, and notes these.
func (s *splitter) decides(x expr.ID) bool {
	if d, known := s.decided[x]; known {
		return d
	}
	d := s.follows(x)
	s.decided[x] = d
	return d
}

func (s *splitter) follows(x expr.ID) bool {
	a := s.Arena
	if _, constant := a.ConstValue(x); constant {
		return true
	}
	if a.Width(x) == 1 {
		not := a.Not(x)
		for _, cond := range [...]expr.ID{x, not} {
			if s.Events.Held[HeldCondition{s.slot, cond}] {
				return true
			}
			if i, ok := s.merged[cond]; ok {
				s.needed = append(s.needed, i)
				return true
			}
		}
	}
	switch a.Op(x) {
	case expr.Var:
		return false
	case expr.Ite:
		if !s.decides(a.Arg(x, 0)) {
			return false
		}
		if s.eval(a.Arg(x, 0)) == 1 {
			return s.decides(a.Arg(x, 1))
		}
		return s.decides(a.Arg(x, 2))
	case expr.And, expr.Or:
		if a.Width(x) > 1 {
			break
		}
		// The test that was made first may leave the other one without a say.
		first, second := a.Arg(x, 0), a.Arg(x, 1)
		if s.madeBefore(second, first) {
			first, second = second, first
		}
		if !s.decides(first) {
			return false
		}
		absorbs := s.eval(first) == 0
		if a.Op(x) == expr.Or {
			absorbs = !absorbs
		}
		return absorbs || s.decides(second)
	}
	for i := range a.NumArgs(x) {
		if !s.decides(a.Arg(x, i)) {
			return false
		}
	}
	return true
}

// madeBefore reports whether x and y are merged tests, x of an earlier jump.
func (s *splitter) madeBefore(x, y expr.ID) bool {
	i, isTest := s.test(x)
	k, both := s.test(y)
	return isTest && both && i < k
}

// test returns the index of the merged condition that x or its negation is.
func (s *splitter) test(x expr.ID) (index int, ok bool) {
	if index, ok = s.merged[x]; !ok {
		index, ok = s.merged[s.Arena.Not(x)]
	}
	return index, ok
}

// eval returns the value of x in the run.
func (s *splitter) eval(x expr.ID) uint64 {
	return s.Arena.Eval(x, func(v expr.ID) uint64 { return s.values[v] })
}
