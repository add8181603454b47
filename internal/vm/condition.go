package vm

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/schedule"
)

// hold adds to the path condition that cond, an expression of width 1, is as
// the run found it: true when holds is set. What is known already is not added.
func (m *Machine) hold(g *goroutine, cond expr.ID, holds bool, kind run.ConditionKind) {
	m.holdAt(g, m.siteOfTop(g), cond, holds, kind)
}

// holdAt is hold for a condition that was asked at a site.
func (m *Machine) holdAt(g *goroutine, site run.SiteID, cond expr.ID, holds bool, kind run.ConditionKind) {
	if !holds {
		cond = m.Arena.Not(cond)
	}
	key := heldCondition{g.Slot, cond}
	if _, constant := m.Arena.ConstValue(cond); constant || m.events.held[key] {
		return
	}
	m.events.held[key] = true
	event := int32(-1)
	if m.plan.Record {
		op := schedule.Branch
		if kind == run.Assumed {
			op = schedule.Assume
		}
		e := run.Event{Op: op, Object: run.NoObject, Cond: cond}
		if holds {
			e.Alt = 1
		}
		event = m.record(g, e)
	}
	m.trace.Path = append(m.trace.Path, run.Condition{
		Event:     event,
		Decision:  int32(len(m.trace.Decisions)),
		Goroutine: g.id,
		Site:      site,
		Cond:      cond,
		Kind:      kind,
		Negated:   !holds,
	})
}

// branch adds to the path condition whether cond, which decides where the
// program goes, holds.
func (m *Machine) branch(g *goroutine, cond expr.ID, holds bool) {
	m.hold(g, cond, holds, run.Jump)
}

// pinWord makes a symbolic word concrete: it adds to the path condition that
// its symbolic value is the one it has.
func (m *Machine) pinWord(g *goroutine, w heap.Word, k code.Kind, sym expr.ID) {
	m.pin(g, sym, w.Number(k))
}

// pin adds to the path condition that x has the value v.
func (m *Machine) pin(g *goroutine, x expr.ID, v uint64) {
	if m.split(g, x) {
		return
	}
	n := len(m.trace.Path)
	m.hold(g, m.Arena.Eq(x, m.Arena.Const(v, m.Arena.Width(x))), true, run.Concretized)
	if len(m.trace.Path) > n {
		m.trace.Path[n].Value = x
	}
}

// pinRegister makes the register at stack[at] of g's top frame concrete.
func (m *Machine) pinRegister(g *goroutine, at int) {
	if sym := g.sym[at]; sym != expr.None {
		m.pinWord(g, g.stack[at], code.Int64, sym)
		g.sym[at] = expr.None
	}
}

// pinRun pins n registers.
func (m *Machine) pinRun(g *goroutine, at, n int) {
	for i := at; i < at+n; i++ {
		m.pinRegister(g, i)
	}
}

// pinCells makes n cells of o concrete.
func (m *Machine) pinCells(g *goroutine, o *heap.Object, off, n int) {
	if o == nil || o.Sym == nil {
		return
	}
	for i := off; i < off+n; i++ {
		if sym := o.Sym[i]; sym != expr.None {
			m.pinWord(g, o.Word(i), o.CellKind(i), sym)
		}
	}
}
