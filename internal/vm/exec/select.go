package exec

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// selectCase carries out a Select instruction.
func (m *Interpreter) selectCase(g *state.Goroutine, f *state.Frame, in *code.Instr) bool {
	sel := &f.Func.Selects[in.B]
	if !g.Granted {
		if len(sel.Cases) >= run.MaxCases {
			return m.Unsupported(g, fmt.Sprintf("select with %d cases", len(sel.Cases)))
		}
		g.Comms = g.Comms[:0]
		for i := range sel.Cases {
			c := &sel.Cases[i]
			ch := g.Stack[int(f.Base+c.Chan)].P
			if isForeign(g, ch) {
				return m.parkAtForeign(g, ch)
			}
			g.Comms = append(g.Comms, state.Comm{
				Send:  c.Send,
				Chan:  ch,
				Value: int(f.Base + c.Value),
				Elem:  c.Type.Elem,
			})
		}
		g.Selects, g.HasDefault, g.CommsBegan = true, sel.Default, g.Clock.At(g.Slot)
		return m.Park(g, state.AtCommunication)
	}
	if g.At == state.AtAccess {
		return m.failForeign(g, "select on")
	}
	if !m.communicate(g) {
		return false
	}
	at := int(f.Base + in.A)
	index := int64(g.Got.Index)
	m.SetRegister(g, at, heap.Word{N: uint64(index)}, expr.None)
	m.SetRegister(g, at+1, heap.BoolWord(g.Got.Ok), expr.None)
	for i := range sel.Cases {
		c := &sel.Cases[i]
		if c.Send {
			continue
		}
		first := int(f.Base + c.Recv)
		if i == g.Got.Index {
			m.takeReceived(g, first)
			continue
		}
		for k := range c.Type.Elem.Words {
			m.SetRegister(g, first+k, heap.Word{}, expr.None)
		}
	}
	m.PauseAfter(g)
	return true
}
