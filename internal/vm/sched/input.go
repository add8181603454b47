package sched

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// Draw returns the input variable name, of kind k, which is not a pointer. Its value is
// given by the plan, or zero if the plan has none, and its symbolic value is a variable
// of that name. A variable that is drawn again is the same. The value has the bits of the
// kind, zero-extended.
func (m *Scheduler) Draw(name string, k code.Kind) symbolic.Operand {
	return m.DrawUpTo(name, k, 1<<k.Bits()-1, 0)
}

// find returns the input variable with a full name and a width, nil if it has not been drawn.
func (m *Scheduler) find(name string, width int) *run.InputVar {
	for i := range m.Trace.Inputs {
		if v := &m.Trace.Inputs[i]; v.Name == name && int(v.Width) == width {
			if v.Sym == expr.None && !m.Concrete {
				// The run has become symbolic since.
				m.AddBound(run.NoSite, "the value with which the input "+v.Name+" was drawn first")
			}
			return v
		}
	}
	return nil
}

// boundByRange records that a variable has only values of the range with which it was drawn first,
// where it is drawn again with another one, or with none.
func (m *Scheduler) boundByRange(v *run.InputVar) {
	m.AddBound(run.NoSite, "values of the input "+v.Name+" in the range with which it is drawn first")
}

// DrawUpTo is Draw for a variable that is at most limit: larger values in the plan are
// replaced by limit. If the plan has no value it is absent.
func (m *Scheduler) DrawUpTo(name string, k code.Kind, limit, absent uint64) symbolic.Operand {
	name = m.InputPrefix + name
	m.NoteChoice()
	if v := m.find(name, k.Bits()); v != nil {
		if v.Ranged {
			m.boundByRange(v)
		}
		return symbolic.Operand{Word: heap.Word{N: v.Value}, Sym: v.Sym}
	}
	v := m.AddInput(name, uint8(k.Bits()), limit, absent)
	v.Kind = uint8(k)
	return symbolic.Operand{Word: heap.Word{N: v.Value}, Sym: v.Sym}
}

// DrawWithin is Draw for a number of kind k, of 64 bits, that is at most size above low. Another
// one in the plan stands for one of these. If the variable is drawn for the first time, the trace
// has the one that it stands for, and whole is true. See State.Least if the plan has none.
func (m *Scheduler) DrawWithin(name string, k code.Kind, low, size uint64) (x symbolic.Operand, whole bool) {
	within := func(n uint64) uint64 {
		if above := n - low; above > size {
			return low + above%(size+1)
		}
		return n
	}
	if v := m.find(m.InputPrefix+name, k.Bits()); v != nil {
		m.NoteChoice()
		if v.Ranged && (v.Low != low || v.Size != size) {
			m.boundByRange(v)
		}
		return symbolic.Operand{Word: heap.Word{N: within(v.Value)}, Sym: v.Sym}, false
	}
	absent := uint64(0)
	if m.Least {
		absent = low
	}
	x = m.DrawUpTo(name, k, 1<<k.Bits()-1, absent)
	v := &m.Trace.Inputs[len(m.Trace.Inputs)-1]
	v.Value = within(v.Value)
	v.Ranged, v.Low, v.Size = size != 1<<64-1, low, size
	x.N = v.Value
	return x, true
}

// DrawChoice returns the input variable name, a boolean that is false without a plan. See
// run.InputVar.Choice.
func (m *Scheduler) DrawChoice(name string) symbolic.Operand {
	x := m.Draw(name, code.Bool)
	for i := range m.Trace.Inputs {
		if v := &m.Trace.Inputs[i]; v.Name == m.InputPrefix+name {
			v.Choice = true
		}
	}
	return x
}

// DrawLen returns a length, from 0 to Settings.MaxLen, as the input variable name. Every
// length is a path of its own.
func (m *Scheduler) DrawLen(g *state.Goroutine, name string) uint64 {
	limit := uint64(max(m.MaxLen, 0))
	x := m.DrawUpTo(name, code.Int64, limit, 0)
	if m.Concrete {
		return x.N
	}
	m.AddCondition(g, m.Arena.Ule(x.Sym, m.Arena.Const(limit, 64)), true, run.Assumed)
	m.Concretize(g, x.Sym, x.N)
	return x.N
}
