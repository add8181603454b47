package vm

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// selectCase carries out a Select instruction.
func (m *Machine) selectCase(g *goroutine, f *frame, in *code.Instr) bool {
	sel := &f.fn.Selects[in.B]
	if !g.granted {
		if len(sel.Cases) >= run.MaxCases {
			return m.unsupported(g, fmt.Sprintf("select with %d cases", len(sel.Cases)))
		}
		g.comms = g.comms[:0]
		for i := range sel.Cases {
			c := &sel.Cases[i]
			ch := g.stack[int(f.base+c.Chan)].P
			if g.trespasses(ch) {
				return m.parkAtTrespass(g, ch)
			}
			g.comms = append(g.comms, comm{
				send:  c.Send,
				ch:    ch,
				value: int(f.base + c.Value),
				elem:  c.Type.Elem,
			})
		}
		g.selects, g.orElse = true, sel.Default
		return m.park(g, atCommunication)
	}
	if g.at == atAccess {
		return m.trespass(g, "select on")
	}
	if !m.communicate(g) {
		return false
	}
	at := int(f.base + in.A)
	index := int64(g.got.index)
	m.setRegister(g, at, heap.Word{N: uint64(index)}, expr.None)
	m.setRegister(g, at+1, heap.BoolWord(g.got.ok), expr.None)
	for i := range sel.Cases {
		c := &sel.Cases[i]
		if c.Send {
			continue
		}
		first := int(f.base + c.Recv)
		if i == g.got.index {
			m.takeReceived(g, first)
			continue
		}
		for k := range c.Type.Elem.Words {
			m.setRegister(g, first+k, heap.Word{}, expr.None)
		}
	}
	return true
}
