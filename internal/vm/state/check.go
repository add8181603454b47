package state

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// CheckNil adds to the path condition whether a symbolic pointer is nil.
func (m *State) CheckNil(g *Goroutine, w heap.Word, sym expr.ID, kind run.ConditionKind) {
	if sym != expr.None {
		isNil := m.Arena.Eq(sym, m.Arena.Const(0, m.Arena.Width(sym)))
		m.AddCondition(g, isNil, w == heap.Word{}, kind)
	}
}

// CheckDivisor adds to the path condition whether a divisor of kind k, if it is symbolic, is not zero.
func (m *State) CheckDivisor(g *Goroutine, y symbolic.Operand, k code.Kind) {
	if y.Sym != expr.None {
		sym := symbolic.Fit(m.Arena, y.Sym, k)
		m.AddCondition(g, m.Arena.Ne(sym, m.Arena.Const(0, m.Arena.Width(sym))), y.N != 0, run.Check)
	}
}

// CheckCount adds to the path condition whether a shift count of a signed kind k, if it is symbolic, is not negative.
func (m *State) CheckCount(g *Goroutine, n symbolic.Operand, k code.Kind) {
	if n.Sym != expr.None {
		sym := symbolic.Fit(m.Arena, n.Sym, k)
		m.AddCondition(g, m.Arena.Sle(m.Arena.Const(0, m.Arena.Width(sym)), sym), int64(n.N) >= 0, run.Check)
	}
}
