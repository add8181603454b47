package state

import "github.com/everyway-go/everyway/internal/run"

// AddInput adds an input variable to the trace, which must not have one of that name. Its
// value is given by the plan, or absent if the plan has none, and at most limit.
func (m *State) AddInput(name string, width uint8, limit, absent uint64) *run.InputVar {
	value, ok := m.Plan.Input[name]
	if !ok {
		value = absent
	}
	value &= 1<<width - 1
	v := run.InputVar{Name: name, Width: width, Value: min(value, limit), Absent: absent}
	if !m.Concrete {
		v.Sym = m.Arena.Var(name, width)
	}
	m.Trace.Inputs = append(m.Trace.Inputs, v)
	return &m.Trace.Inputs[len(m.Trace.Inputs)-1]
}
