package host

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// known makes something a condition of the path that is known of the state in which a goroutine
// begins. Sym is its symbolic value, None if it has none, and fact says what is known. If it does
// not hold, the run ends, and known returns false.
func known(c *exec.Call, sym expr.ID, holds bool, fact string) bool {
	if sym != expr.None {
		c.Machine.AddCondition(c.Goroutine, sym, holds, run.Check)
	}
	if !holds && !c.Machine.Over {
		rejectContext(c, fact)
	}
	return !c.Machine.Over
}

// between makes it known that a number of a name is between two others.
func between(c *exec.Call, w heap.Word, sym expr.ID, from, to int64, name string) bool {
	n, a := int64(w.N), c.Machine.Arena
	least, most := expr.None, expr.None
	if sym != expr.None {
		width := a.Width(sym)
		least, most = a.Sle(a.Const(uint64(from), width), sym), a.Sle(sym, a.Const(uint64(to), width))
	}
	return known(c, least, from <= n, fmt.Sprintf("%s is not less than %d", name, from)) &&
		known(c, most, n <= to, fmt.Sprintf("%s is not more than %d", name, to))
}

// within carries out StepWithin.
func within(c *exec.Call, s *code.Step) {
	m, g := c.Machine, c.Goroutine
	a, base := m.Arena, g.Top().Base
	value := func(reg int32) (n uint64, sym expr.ID) {
		n = g.Stack[base+reg].N
		if g.Top().Symbolic {
			sym = g.Sym[base+reg]
		}
		return n, sym
	}
	at, atSym := value(s.Reg)
	length, lengthSym := value(s.Of)
	if s.If >= 0 {
		n, sym := value(s.If)
		if sym != expr.None {
			m.AddCondition(g, sym, n != 0, run.Check)
		}
		if n == 0 || m.Over {
			return // there is no index
		}
		length-- // an empty string has none
		if lengthSym != expr.None {
			lengthSym = a.Sub(lengthSym, a.Const(1, a.Width(lengthSym)))
		}
	}
	cond := expr.None
	if atSym != expr.None || lengthSym != expr.None {
		of := func(n uint64, sym expr.ID) expr.ID {
			if sym == expr.None {
				return a.Const(n, 64)
			}
			return sym
		}
		cond = a.Sle(of(at, atSym), of(length, lengthSym))
	}
	known(c, cond, int64(at) <= int64(length), "a position in a string is not behind its end")
}
