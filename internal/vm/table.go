package vm

import (
	"math/bits"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Memory at a symbolic index. What is loaded from elements at an index that depends on
// an input is an expression of the index, and after a store there all the elements
// are: a test of what class a character is in, or counting characters, does not make
// every character a path of its own. Elements are numbers of one word; where they are
// not, or too many, or others may be using them, the index is pinned.

const (
	maxTable    = 1024 // elements
	maxSegments = 60   // of the expression for a concrete element
	smallTable  = 8    // elements that are if-then-elses after a store
)

// A table is n elements of kind k, the cells of o from off on.
type table struct {
	o      *heap.Object
	off, n int
	k      code.Kind
}

// tableAt returns the table of n elements at base, and whether it is one that a
// symbolic index can go into.
func tableAt(base heap.Word, n uint64, k code.Kind) (t table, ok bool) {
	if base.P == nil || n > maxTable || !k.Integer() && !k.Float() && k != code.Bool {
		return t, false
	}
	t = table{base.P, int(base.N), int(n), k}
	if !t.o.InBounds(t.off, t.n) || t.o.Bytes != nil && k != code.Uint8 {
		return t, false
	}
	for i := range t.n {
		if t.o.Word(t.off+i).P != nil {
			return t, false
		}
	}
	return t, true
}

// concrete reports whether no element depends on an input.
func (t *table) concrete() bool { return t.o.ShadowAt(t.off, t.n) == nil }

// lookUp carries out in, which loads an element of an array, slice or string, if
// its index is symbolic and the elements are those of a table that no other goroutine may
// be writing.
//
// To others g has read the element that it has read. With another input it is another
// one; so a write to any element that another goroutine makes, unordered with this
// read, is given up on (disturb).
func (m *Machine) lookUp(g *state.Goroutine, in *code.Instr, r []heap.Word, sy []expr.ID) bool {
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
	t, ok := tableAt(r[in.B], n, k)
	if !ok || i >= n {
		return false
	}
	shared := m.Multi && in.Op != code.IndexStr // strings are never written
	if shared && !m.steady(g, &t) {
		return false
	}
	x = m.fit(x, code.Int64)
	value := m.element(&t, x)
	m.Hold(g, m.Arena.Ult(x, m.Arena.Const(n, 64)), true, run.Check)
	r[in.A] = t.o.Word(t.off + int(i))
	sy[in.A] = m.unlessConst(value)
	if shared {
		s := m.ShadowOf(t.o)
		s.Indexed = race.LastOf(s.Indexed, m.AccessOf(g))
		m.Access(g, t.o, t.off+int(i), 1, false)
		if m.Tracing {
			m.Accessed(g, t.o, t.off+int(i), 1, false, int(g.Top().Base+in.A))
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
func (m *Machine) storeAt(g *state.Goroutine, in *code.Instr, r []heap.Word, sy []expr.ID) bool {
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
	t, ok := tableAt(r[in.A], n, k)
	if !ok || i >= n || m.Multi && !m.owns(g, &t) {
		return false
	}
	x = m.fit(x, code.Int64)
	m.Hold(g, m.Arena.Ult(x, m.Arena.Const(n, 64)), true, run.Check)
	if m.Multi {
		s := m.ShadowOf(t.o)
		s.Stored = race.LastOf(s.Stored, m.AccessOf(g))
		m.Access(g, t.o, t.off+int(i), 1, true)
	}
	shadow := m.afterStore(&t, x, m.exprOf(operand{r[in.B], sy[in.B]}, k))
	m.Heap.Dirty(t.o, t.off, t.n)
	t.o.Fill(t.off+int(i), r[in.B:in.B+1], nil)
	t.o.SetShadows(t.off, t.n, shadow)
	return true
}

// element returns the expression for element x of a table. Where the elements are
// concrete and it is made of few segments, elements that are equal or grow with the
// index, it is those; otherwise it is an element of an array.
func (m *Machine) element(t *table, x expr.ID) expr.ID {
	if t.concrete() {
		if value := m.segmented(t, x); value != expr.None {
			return value
		}
	}
	array, shift := m.arrayOf(t, m.elements(t))
	return m.Arena.Select(array, m.indexOf(array, x, shift))
}

// segmented returns the expression for element x of a table as a choice between
// segments, None if there are too many.
func (m *Machine) segmented(t *table, x expr.ID) expr.ID {
	type segment struct {
		end   int    // index after the last one
		first uint64 // value of the first element, less its index when it grows
		grows bool   // each value is one more than the one before
	}
	var segments []segment
	at := func(i int) uint64 { return t.o.Word(t.off + i).Number(t.k) }
	for i := 0; i < t.n; {
		if len(segments) == maxSegments {
			return expr.None
		}
		equal, grows := i+1, i+1
		for equal < t.n && at(equal) == at(i) {
			equal++
		}
		for t.k.Integer() && grows < t.n && at(grows) == at(i)+uint64(grows-i) {
			grows++
		}
		if grows > equal {
			segments = append(segments, segment{grows, at(i) - uint64(i), true})
		} else {
			segments = append(segments, segment{equal, at(i), false})
		}
		i = segments[len(segments)-1].end
	}
	a := m.Arena
	width := heap.KindWidth(t.k)
	value := expr.None
	for _, s := range slices.Backward(segments) {
		v := a.Const(s.first, width)
		if s.grows {
			v = a.Add(m.convert(x, code.Int64, t.k), v)
		}
		if value == expr.None {
			value = v
		} else {
			value = a.Ite(a.Ult(x, a.Const(uint64(s.end), 64)), v, value)
		}
	}
	return value
}

// elements returns the expressions of the elements of a table.
func (m *Machine) elements(t *table) []expr.ID {
	elems := make([]expr.ID, t.n)
	for i := range elems {
		elems[i] = m.exprOf(operand{Word: t.o.Word(t.off + i)}, t.k)
		if t.o.Sym != nil && t.o.Sym[t.off+i] != expr.None {
			elems[i] = m.fit(t.o.Sym[t.off+i], t.k)
		}
	}
	return elems
}

// arrayOf returns an array with the elements of a table: element i is at index
// i + shift. Elements that storeAt has made are those of an array, so that it is this
// array but for what was stored since at concrete indexes.
func (m *Machine) arrayOf(t *table, elems []expr.ID) (array expr.ID, shift uint64) {
	a := m.Arena
	if array, shift = m.stored(elems); array != expr.None {
		if array, ok := m.restored(array, shift, elems); ok {
			return array, shift
		}
	}
	return a.Table(uint8(max(bits.Len(uint(t.n-1)), 1)), elems, a.Const(0, heap.KindWidth(t.k))), 0
}

// stored returns the last array of which there are elements among those of a table, and how
// far its indexes are shifted; None if there is none.
func (m *Machine) stored(elems []expr.ID) (array expr.ID, shift uint64) {
	a := m.Arena
	array = expr.None
	for i, x := range elems {
		if a.Op(x) != expr.Select {
			continue
		}
		of := a.Arg(x, 0)
		j, ok := a.ConstValue(a.Arg(x, 1))
		if of == array || !ok || j < uint64(i) {
			continue
		}
		if array == expr.None || j-uint64(i) == shift && m.below(of, array) {
			array, shift = of, j-uint64(i)
		}
	}
	return array, shift
}

// below reports whether stores on top of the array bottom make the array top.
func (m *Machine) below(top, bottom expr.ID) bool {
	for m.Arena.Op(top) == expr.Store {
		if top = m.Arena.Arg(top, 0); top == bottom {
			return true
		}
	}
	return false
}

// restored returns the array with stores that make its elements those given, where
// they are not. It is false where it does not fit them or most are others.
func (m *Machine) restored(array expr.ID, shift uint64, elems []expr.ID) (expr.ID, bool) {
	a := m.Arena
	last := uint64(len(elems)-1) + shift
	width, elem := a.ArrayWidths(array)
	if elem != a.Width(elems[0]) || width < 64 && last>>width > 0 {
		return expr.None, false
	}
	result := array
	differ := 0
	for i, x := range elems {
		j := uint64(i) + shift
		if a.Op(x) == expr.Select && a.Arg(x, 0) == array {
			if c, ok := a.ConstValue(a.Arg(x, 1)); ok && c == j {
				continue
			}
		}
		index := a.Const(j, width)
		if a.Select(array, index) == x {
			continue
		}
		if differ++; differ > len(elems)/2 {
			return expr.None, false
		}
		result = a.Store(result, index, x)
	}
	return result, true
}

// indexOf returns x, of 64 bits, plus shift as an index of the array.
func (m *Machine) indexOf(array, x expr.ID, shift uint64) expr.ID {
	width, _ := m.Arena.ArrayWidths(array)
	return m.Arena.Add(m.Arena.Extract(x, 0, width), m.Arena.Const(shift, width))
}

// afterStore returns the symbolic values of the elements of a table after value was
// stored at index x.
func (m *Machine) afterStore(t *table, x, value expr.ID) []expr.ID {
	a := m.Arena
	elems := m.elements(t)
	if t.n <= smallTable {
		for i, was := range elems {
			elems[i] = m.unlessConst(a.Ite(a.Eq(x, a.Const(uint64(i), 64)), value, was))
		}
		return elems
	}
	array, shift := m.arrayOf(t, elems)
	array = a.Store(array, m.indexOf(array, x, shift), value)
	width, _ := a.ArrayWidths(array)
	for i, was := range elems {
		if was != value {
			was = a.Select(array, a.Const(uint64(i)+shift, width))
		}
		elems[i] = m.unlessConst(was)
	}
	return elems
}

// steady reports whether g may read a table in this way: the plan does not ask about
// each access, and what others have written is ordered before what g does now.
// Where reads of shared memory yield symbols, those are of single cells.
func (m *Machine) steady(g *state.Goroutine, t *table) bool {
	s := m.ShadowOf(t.o)
	if s.Visible || m.VisibleHere(g) || m.Plan.ReadSymbols && !t.concrete() {
		return false
	}
	if !s.Writers.HasOther(g.Slot) {
		return true
	}
	for i := t.off; i < t.off+t.n; i++ {
		if c := s.Seen(i); c != nil && (c.Synchronised() || c.Write.Concurrent(&g.Thread)) {
			return false
		}
	}
	return true
}

// owns reports whether g may write to a table in this way: no other goroutine has used the
// object since there are several, and neither does the plan ask about each access nor for
// records of all of them, which are of single cells.
func (m *Machine) owns(g *state.Goroutine, t *table) bool {
	s := m.ShadowOf(t.o)
	return !s.Visible && !m.VisibleHere(g) && !m.Plan.ReadSymbols && !m.Plan.RecordPlain &&
		!s.Readers.HasOther(g.Slot) && !s.Writers.HasOther(g.Slot)
}
