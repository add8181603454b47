package host

import (
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// hold makes the goroutine that is being prepared hold a lock as often as it is held, which is an
// input if it is not known. A state in which the lock cannot be held, since another goroutine of
// the context has it, is none that is looked for: a lock is held by one writer or by readers.
func hold(c *exec.Call, s *code.Step) {
	m, g := c.Machine, c.Goroutine
	at := g.Top().Base + s.Reg
	w := g.Stack[at]
	l := heap.Location{Object: w.P, Offset: int(w.N)}
	count := s.Lock.Least
	if s.Lock.Most > s.Lock.Least {
		count += int(drawCount(m, g, s.Name, uint64(s.Lock.Most-s.Lock.Least)))
	}
	if m.Over {
		return
	}
	for range count {
		if !m.Take(g, l, s.Lock.Read, s.Lock.Inherited) {
			rejectContext(c, strings.Replace(s.Name, "holds ", "no other goroutine holds ", 1))
			return
		}
	}
}

// drawCount draws a number up to a limit, of which each value is a path of its own.
func drawCount(m *exec.Interpreter, g *state.Goroutine, name string, limit uint64) uint64 {
	x := m.DrawUpTo(name, code.Int64, limit, 0)
	if x.Sym != expr.None {
		m.AddCondition(g, m.Arena.Ule(x.Sym, m.Arena.Const(limit, 64)), true, run.Assumed)
		m.Equate(g, x.Sym, x.N)
	}
	return x.N
}

// callersLock is the primitive that returns a lock that the goroutine has inherited and still
// holds, and how: 0 if there is none, 1 for a Mutex, 2 for an RWMutex that is held for writing, 3
// for one that is held for reading.
func callersLock(c *exec.Call) {
	list := c.Goroutine.Inherited
	c.Set(0, 0)
	c.Set(1, 0)
	if len(list) == 0 {
		c.Set(2, 0)
		return
	}
	l, how := list[0], uint64(1)
	switch {
	case l.Readers:
		how = 3
	case l.RWWriter:
		how = 2
	}
	c.Window[min(int(how)-1, 1)] = heap.Word{P: l.At.Object, N: uint64(l.At.Offset)}
	c.Set(2, how)
}
