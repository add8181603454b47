package exec

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// Memory at a symbolic index. What is loaded from elements at an index that depends on
// an input is an expression of the index, and after a store there all the elements
// are: a test of what class a character is in, or counting characters, does not make
// every character a path of its own. Elements are numbers of one word; where they are
// not, or too many, or others may be using them, the index is pinned.

// lookUp carries out in, which loads an element of an array, slice or string, if
// its index is symbolic and the elements are those of a table that no other goroutine may
// be writing.
//
// To others g has read the element that it has read. With another input it is another
// one; so a write to any element that another goroutine makes, unordered with this
// read, is given up on (disturb).
func (m *Interpreter) lookUp(g *state.Goroutine, in *code.Instr, r []heap.Word, sy []expr.ID) bool {
	x := sy[in.C]
	if x == expr.None || sy[in.B] != expr.None {
		return false
	}
	n, k := uint64(in.D), code.Kind(in.K)
	if in.Op != code.LoadA {
		n = r[in.B+1].N
		if sy[in.B+1] != expr.None {
			return false
		}
	}
	if in.Op == code.IndexStr {
		k = code.Uint8
	}
	i := r[in.C].N
	t, ok := symbolic.TableAt(r[in.B], n, k)
	if !ok || i >= n {
		return false
	}
	shared := m.Multi && in.Op != code.IndexStr // strings are never written
	if shared && !m.steady(g, &t) {
		return false
	}
	x = symbolic.Fit(m.Arena, x, code.Int64)
	value := t.Element(m.Arena, x)
	m.AddCondition(g, m.Arena.Ult(x, m.Arena.Const(n, 64)), true, run.Check)
	r[in.A] = t.Object.Word(t.Off + int(i))
	sy[in.A] = symbolic.UnlessConst(m.Arena, value)
	if shared {
		s := m.ShadowOf(t.Object)
		s.Indexed = race.ReplaceAccess(s.Indexed, m.AccessOf(g))
		m.Access(g, t.Object, t.Off+int(i), 1, false)
		if m.Tracing {
			m.Accessed(g, t.Object, t.Off+int(i), 1, false, int(g.Top().Base+in.A))
		}
	}
	return true
}

// storeAt carries out in, which stores into an element of an array or slice, if its
// index is symbolic and the elements are those of a table that no other goroutine
// uses. After it each element is what the array has there that the store has made.
//
// To others g has written the element that it has written. With another input it is
// another one; so an access to any element that another goroutine makes, unordered
// with this write, is given up on.
func (m *Interpreter) storeAt(g *state.Goroutine, in *code.Instr, r []heap.Word, sy []expr.ID) bool {
	x := sy[in.C]
	if x == expr.None || sy[in.A] != expr.None || r[in.B].P != nil {
		return false
	}
	n, k := uint64(in.D), code.Kind(in.K)
	if in.Op != code.StoreA {
		n = r[in.A+1].N
		if sy[in.A+1] != expr.None {
			return false
		}
	}
	i := r[in.C].N
	t, ok := symbolic.TableAt(r[in.A], n, k)
	if !ok || i >= n || m.Multi && !m.owns(g, &t) {
		return false
	}
	x = symbolic.Fit(m.Arena, x, code.Int64)
	m.AddCondition(g, m.Arena.Ult(x, m.Arena.Const(n, 64)), true, run.Check)
	if m.Multi {
		s := m.ShadowOf(t.Object)
		s.Stored = race.ReplaceAccess(s.Stored, m.AccessOf(g))
		m.Access(g, t.Object, t.Off+int(i), 1, true)
	}
	shadow := t.AfterStore(m.Arena, x, symbolic.Operand{Word: r[in.B], Sym: sy[in.B]}.Expr(m.Arena, k))
	m.Heap.Dirty(t.Object, t.Off, t.N)
	t.Object.Fill(t.Off+int(i), r[in.B:in.B+1], nil)
	t.Object.SetShadows(t.Off, t.N, shadow)
	return true
}

// steady reports whether g may read a table in this way: the plan does not ask about
// each access, and what others have written is ordered before what g does now.
// Where reads of shared memory yield symbols, those are of single cells.
func (m *Interpreter) steady(g *state.Goroutine, t *symbolic.Table) bool {
	s := m.ShadowOf(t.Object)
	if s.Visible || m.VisibleHere(g) || m.Plan.ReadSymbols && !t.Concrete() {
		return false
	}
	if !s.Writers.HasOther(g.Slot) {
		return true
	}
	for i := t.Off; i < t.Off+t.N; i++ {
		if c := s.Seen(i); c != nil && (c.Synchronised() || c.Write.Concurrent(&g.Thread)) {
			return false
		}
	}
	return true
}

// owns reports whether g may write to a table in this way: no other goroutine has used the
// object since there are several, and neither does the plan ask about each access nor for
// records of all of them, which are of single cells.
func (m *Interpreter) owns(g *state.Goroutine, t *symbolic.Table) bool {
	s := m.ShadowOf(t.Object)
	return !s.Visible && !m.VisibleHere(g) && !m.Plan.ReadSymbols && !m.Plan.RecordPlain &&
		!s.Readers.HasOther(g.Slot) && !s.Writers.HasOther(g.Slot)
}
