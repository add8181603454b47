package clock

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/schedule"
)

// addCondition adds to the path condition whether cond holds, as a condition of g or, if g is
// nil, of a timer, which is at no place in the program.
func addCondition(m *state.State, g *state.Goroutine, cond expr.ID, holds bool, kind run.ConditionKind) {
	if g != nil {
		m.AddConditionAt(g, run.NoSite, cond, holds, kind)
		return
	}
	if !holds {
		cond = m.Arena.Not(cond)
	}
	key := state.KnownCondition{Slot: -1, Cond: cond}
	if _, constant := m.Arena.ConstValue(cond); constant || m.Events.Known[key] {
		return
	}
	m.Events.Known[key] = true
	event := m.RecordTimer(run.Event{Op: schedule.Assume, Object: run.NoObject, Other: -1, Cond: cond})
	m.Trace.Path = append(m.Trace.Path, run.Condition{
		Event: event, Decision: int32(len(m.Trace.Decisions)), Goroutine: -1, Site: run.NoSite, Cond: cond, Kind: kind, Negated: !holds,
	})
}
