package value

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// Arrays at symbolic indices. A load at an index that depends on the input yields an
// expression over the index, and after a store at such an index every element is one.
// Otherwise code that classifies or counts characters would have a path for each
// character. This is possible if the elements are numbers of one word, there are not too
// many, and no other goroutine may be using them. Otherwise the index is made concrete.

// LoadIndexed carries out in, which loads an element of an array, slice or string, if its
// index is symbolic and the elements are those of a table that no other goroutine may be
// writing.
//
// For other goroutines, g has read the element that it has read in this run. With another
// input it would be another element. Therefore a write by another goroutine to any
// element, if it is not ordered with this read, is recorded as given up.
func (m *Operations) LoadIndexed(g *state.Goroutine, in *code.Instr, r []heap.Word, sy []expr.ID) bool {
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
	shared := m.Watching && in.Op != code.IndexStr // strings are immutable
	if shared && !m.Plan.OneOrder && !m.mayReadTable(g, &t) {
		return false
	}
	x = symbolic.Fit(m.Arena, x, code.Int64)
	value := t.Element(m.Arena, x)
	m.AddCondition(g, m.Arena.Ult(x, m.Arena.Const(n, 64)), true, run.Check)
	r[in.A] = t.Object.Word(t.Off + int(i))
	sy[in.A] = symbolic.UnlessConst(m.Arena, value)
	if shared {
		m.TouchIndexed(g, t.Object, t.Off, t.N, false)
		m.Access(g, t.Object, t.Off+int(i), 1, false)
		if m.Tracing {
			m.Accessed(g, t.Object, t.Off+int(i), 1, false, int(g.Top().Base+in.A))
		}
	}
	return true
}

// StoreIndexed carries out in, which stores into an element of an array or slice, if its
// index is symbolic and the elements are those of a table that no other goroutine uses.
// After the store each element is an expression over the index, with its old and its new
// value.
//
// For other goroutines, g has written the element that it has written in this run. With
// another input it would be another element. Therefore an access by another goroutine to
// any element, if it is not ordered with this write, is recorded as given up.
func (m *Operations) StoreIndexed(g *state.Goroutine, in *code.Instr, r []heap.Word, sy []expr.ID) bool {
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
	if !ok || i >= n || m.Watching && !m.Plan.OneOrder && !m.mayWriteTable(g, &t) {
		return false
	}
	x = symbolic.Fit(m.Arena, x, code.Int64)
	m.AddCondition(g, m.Arena.Ult(x, m.Arena.Const(n, 64)), true, run.Check)
	if m.Watching {
		m.TouchIndexed(g, t.Object, t.Off, t.N, true)
		m.Access(g, t.Object, t.Off+int(i), 1, true)
	}
	shadow := t.AfterStore(m.Arena, x, symbolic.Operand{Word: r[in.B], Sym: sy[in.B]}.Expr(m.Arena, k))
	m.Heap.Dirty(t.Object, t.Off, t.N)
	t.Object.Fill(t.Off+int(i), r[in.B:in.B+1], nil)
	t.Object.SetShadows(t.Off, t.N, shadow)
	m.WrittenPlain(g, t.Object, t.Off+int(i), 1)
	return true
}

// mayReadTable reports whether LoadIndexed may read from t: accesses are not visible
// operations, and everything that other goroutines have written is ordered before what g
// does now. If reads of shared memory yield fresh symbols, the table must also be
// concrete, since such symbols are for single cells.
func (m *Operations) mayReadTable(g *state.Goroutine, t *symbolic.Table) bool {
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

// mayWriteTable reports whether StoreIndexed may write to t: no other goroutine has used
// the object since there is more than one, accesses are not visible operations, and the
// plan does not ask for read symbols or records of plain accesses, which are for single
// cells.
func (m *Operations) mayWriteTable(g *state.Goroutine, t *symbolic.Table) bool {
	s := m.ShadowOf(t.Object)
	return !s.Visible && !m.VisibleHere(g) && !m.Plan.ReadSymbols && !m.Plan.RecordPlain &&
		!s.Readers.HasOther(g.Slot) && !s.Writers.HasOther(g.Slot)
}
