package state

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/schedule"
)

// AddCondition adds to the path condition that cond, an expression of width 1, is true or, if holds
// is false, that it is false. What is known already is not added again, unless EachSite is set and
// it was known from another site.
func (m *State) AddCondition(g *Goroutine, cond expr.ID, holds bool, kind run.ConditionKind) {
	if m.InputHeap != nil && (kind == run.Jump || kind == run.Check) && !m.InputHeap.Compare(g, cond) {
		return
	}
	m.AddConditionAt(g, m.SiteOfTop(g), cond, holds, kind)
}

// AddConditionAt is AddCondition for a condition at another site than the current one. If g is
// nil, it is a condition of a timer.
func (m *State) AddConditionAt(g *Goroutine, site run.SiteID, cond expr.ID, holds bool, kind run.ConditionKind) {
	if m.Keys > 0 && g != nil && kind != run.Assumed && m.fixGuesses(g, cond, holds) {
		return
	}
	if !holds {
		cond = m.Arena.Not(cond)
	}
	key, id := KnownCondition{-1, cond}, int32(-1)
	if g != nil {
		key.Slot, id = g.Slot, g.ID
	}
	if _, constant := m.Arena.ConstValue(cond); constant || m.Events.Known[key] && (!m.EachSite || m.Events.atSites[siteCondition{key, site}]) {
		return
	}
	if m.Unconditional != nil {
		m.Unconditional()
		return
	}
	m.Events.Known[key] = true
	if m.EachSite {
		if m.Events.atSites == nil {
			m.Events.atSites = make(map[siteCondition]bool)
		}
		m.Events.atSites[siteCondition{key, site}] = true
	}
	event := int32(-1)
	switch {
	case !m.Plan.Record:
	case g == nil: // what follows goroutines need not know of it
		event = m.RecordTimer(run.Event{Op: schedule.Assume, Object: run.NoObject, Other: -1, Cond: cond})
	default:
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
	if m.Meter != nil {
		m.Meter.Conditions = append(m.Meter.Conditions, m.StackNumber(g))
	}
	m.Trace.Path = append(m.Trace.Path, run.Condition{
		Event:     event,
		Decision:  int32(len(m.Trace.Decisions)),
		Goroutine: id,
		Site:      site,
		Cond:      cond,
		Kind:      kind,
		Negated:   !holds,
	})
}

// Branch adds to the path condition whether cond holds, which decides a branch of the
// program.
func (m *State) Branch(g *Goroutine, cond expr.ID, holds bool) {
	m.AddCondition(g, cond, holds, run.Jump)
}

// ConcretizeWord makes a symbolic word concrete: it adds to the path condition that its
// symbolic value equals its concrete one.
func (m *State) ConcretizeWord(g *Goroutine, w heap.Word, k code.Kind, sym expr.ID) {
	m.Concretize(g, sym, w.Number(k))
}

// Concretize adds to the path condition that x has the value v.
func (m *State) Concretize(g *Goroutine, x expr.ID, v uint64) {
	if m.InputHeap != nil {
		var ok bool
		if v, ok = m.InputHeap.Choose(g, x, v); !ok {
			return
		}
	}
	if m.Fix(g, x, Concrete) || m.concretizeMerged(g, x) {
		return
	}
	m.Equate(g, x, v)
}

// Equate is Concretize for an expression of which nothing else has to be known.
func (m *State) Equate(g *Goroutine, x expr.ID, v uint64) {
	n := len(m.Trace.Path)
	m.AddCondition(g, m.Arena.Eq(x, m.Arena.Const(v, m.Arena.Width(x))), true, run.Concretized)
	if len(m.Trace.Path) > n {
		m.Trace.Path[n].Value = x
	}
}

// ConcretizeRegister makes the register at Stack[at] of g's top frame concrete.
func (m *State) ConcretizeRegister(g *Goroutine, at int) {
	if sym := g.Sym[at]; sym != expr.None {
		m.ConcretizeWord(g, g.Stack[at], code.Int64, sym)
		g.Sym[at] = expr.None
	}
}

// ConcreteCount makes the counter at an address concrete, which is an input if it is symbolic. It
// returns false if the run is over.
func (m *State) ConcreteCount(g *Goroutine, at heap.Word) bool {
	if at.P == nil || m.InputHeap == nil {
		return true
	}
	off := int(at.N)
	sym := at.P.ShadowAt(off, 1)
	if sym == nil {
		return true
	}
	n, ok := m.InputHeap.Choose(g, sym[0], at.P.Word(off).N)
	if ok {
		m.Heap.Store(at.P, off, []heap.Word{{N: n}}, nil)
	}
	return ok
}

// ConcretizeRegisters makes n registers from Stack[at] on concrete.
func (m *State) ConcretizeRegisters(g *Goroutine, at, n int) {
	for i := at; i < at+n; i++ {
		m.ConcretizeRegister(g, i)
	}
}

// ConcretizeCells makes n cells of o concrete.
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

// concretizeMerged adds to the path condition those merged conditions that decide the
// value of x, which has to be concrete, as if they had not been merged. It returns true
// if nothing else decides the value. Take a length that counts some of the input's bytes:
// that it has the value it has says less than the conditions that were counted.
//
// Which conditions are added, and in which order, depends only on the results of those
// before. That is necessary, as for any path condition: two runs whose inputs satisfy the
// same first conditions must have these in common.
func (m *State) concretizeMerged(g *Goroutine, x expr.ID) bool {
	if len(m.Events.Merged) == 0 || m.Arena.Op(x) == expr.Var || m.Plan.ReadSymbols {
		return false
	}
	s := conditionFinder{State: m, slot: g.Slot, merged: make(map[expr.ID]int), values: make(map[expr.ID]uint64), decided: make(map[expr.ID]bool)}
	for i := range m.Trace.Inputs {
		s.values[m.Trace.Inputs[i].Sym] = m.Trace.Inputs[i].Value
	}
	for i := range m.Events.Merged {
		s.merged[m.Events.Merged[i].Cond] = i
	}
	decided := s.decides(x)
	for _, i := range s.needed {
		c := &m.Events.Merged[i]
		m.AddConditionAt(g, c.Site, c.Cond, s.eval(c.Cond) == 1, run.Jump)
	}
	return decided
}

// A conditionFinder finds the merged conditions that decide a value.
type conditionFinder struct {
	*State
	slot    int32              // of the goroutine that needs the value
	merged  map[expr.ID]int    // index in Events.Merged of each merged condition
	values  map[expr.ID]uint64 // of the inputs
	decided map[expr.ID]bool   // results of decides
	needed  []int              // merged conditions that decide the value, each after those that make it relevant
}

// decides reports whether the value of x follows from merged conditions, and adds these
// to s.needed.
func (s *conditionFinder) decides(x expr.ID) bool {
	if d, known := s.decided[x]; known {
		return d
	}
	d := s.follows(x)
	s.decided[x] = d
	return d
}

// follows is decides without its cache.
func (s *conditionFinder) follows(x expr.ID) bool {
	a := s.Arena
	if _, constant := a.ConstValue(x); constant {
		return true
	}
	if a.Width(x) == 1 {
		not := a.Not(x)
		for _, cond := range [...]expr.ID{x, not} {
			if s.Events.Known[KnownCondition{s.slot, cond}] {
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
		// The test that was made first may decide the result alone.
		first, second := a.Arg(x, 0), a.Arg(x, 1)
		if s.testedBefore(second, first) {
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

// testedBefore reports whether x and y are both merged conditions and x belongs to an
// earlier branch.
func (s *conditionFinder) testedBefore(x, y expr.ID) bool {
	i, isTest := s.test(x)
	k, both := s.test(y)
	return isTest && both && i < k
}

// test returns the index of the merged condition that equals x or its negation.
func (s *conditionFinder) test(x expr.ID) (index int, ok bool) {
	if index, ok = s.merged[x]; !ok {
		index, ok = s.merged[s.Arena.Not(x)]
	}
	return index, ok
}

// eval returns the value of x in this run.
func (s *conditionFinder) eval(x expr.ID) uint64 {
	return s.Arena.Eval(x, func(v expr.ID) uint64 { return s.values[v] })
}
