package value

import (
	"go/types"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/maptable"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// MakeMap returns a new map of type t.
func (m *Operations) MakeMap(g *state.Goroutine, t *code.Type) *heap.Object {
	return m.NewCells(g, t, heap.MapObject, maptable.Cells)
}

// MapLength carries out a MapLen instruction.
func (m *Operations) MapLength(g *state.Goroutine, r []heap.Word, in *code.Instr) bool {
	o := r[in.B].P
	if o != nil && m.Watching && !m.AccessMap(g, o, false) {
		return false
	}
	r[in.A] = heap.Word{N: maptable.Len(o)}
	if o != nil && m.Watching && m.Tracing {
		m.AccessedMap(g, o, false)
	}
	return true
}

// KeyHash returns the head word of an entry with this key. If the key cannot be hashed,
// ok is false and the goroutine panics.
func (m *Operations) KeyHash(g *state.Goroutine, t *code.Type, key []heap.Word) (head uint64, ok bool) {
	var h Hash
	if !m.AddValue(g, &h, t.Key, key) {
		return 0, false
	}
	return uint64(h) | maptable.Live, true
}

// findKey returns the place of the entry with a key, -1 if there is none.
func (m *Operations) findKey(g *state.Goroutine, o *heap.Object, key []heap.Word, head uint64) int {
	used := int(o.Cells[maptable.Used].N)
	if used == 0 {
		return -1
	}
	t := o.Type
	w := maptable.Stride(t)
	table := o.Cells[maptable.Entries].P.Cells
	index := o.Cells[maptable.Index].P
	if index == nil {
		for i := range used {
			if table[i*w].N == head && m.sameKey(g, t.Key, table[i*w+1:i*w+1+t.Key.Words], key) {
				return i
			}
		}
		return -1
	}
	mask := uint64(len(index.Cells) - 1)
	for at := head & mask; ; at = (at + 1) & mask {
		i := int(index.Cells[at].N) - 1
		if i < 0 {
			return -1
		}
		if table[i*w].N == head && m.sameKey(g, t.Key, table[i*w+1:i*w+1+t.Key.Words], key) {
			return i
		}
	}
}

// sameKey compares two keys. They have been hashed, so that the comparison cannot panic.
func (m *Operations) sameKey(g *state.Goroutine, t *code.Type, a, b []heap.Word) bool {
	eq, _ := m.Equal(g, t, a, b)
	return eq
}

// lookup returns the place of the entry with a key, -1 if there is none. If ok is false
// the goroutine panics. What the result reveals about symbolic keys is added to the path
// condition.
func (m *Operations) lookup(g *state.Goroutine, o *heap.Object, key symbolic.Operands) (place int, head uint64, ok bool) {
	head, ok = m.KeyHash(g, o.Type, key.Words)
	if !ok {
		return -1, 0, false
	}
	place = m.findKey(g, o, key.Words, head)
	if m.symbolicKeys(o, key) {
		m.branchOnKey(g, o, key, place)
	}
	return place, head, true
}

// MapGet carries out a MapGet instruction.
func (m *Operations) MapGet(g *state.Goroutine, f *state.Frame, in *code.Instr) bool {
	t := f.Func.Types[in.D]
	o := g.Stack[f.Base+in.B].P
	at, to := int(f.Base+in.C), int(f.Base+in.A)
	key := symbolic.Operands{Words: g.Stack[at : at+t.Key.Words], Syms: g.Shadows(at, t.Key.Words)}
	if o != nil && m.Watching && !m.AccessMap(g, o, false) {
		return false
	}
	if o != nil && m.Watching && m.Tracing {
		m.AccessedMap(g, o, false) // before branching on the key
	}
	head, ok := m.KeyHash(g, t, key.Words)
	if !ok {
		return in.K&2 == 0 && m.panicUnhashable(g, o, t.Key, key.Words)
	}
	place := -1
	var found mapElement
	if o != nil {
		place = m.findKey(g, o, key.Words, head)
		if m.symbolicKeys(o, key) {
			found = m.readElement(g, o, key, place)
		} else {
			found = m.entryElement(o, place)
		}
	}
	n := t.Elem.Words
	if place < 0 {
		clear(g.Stack[to : to+n])
	} else {
		o.Cells[maptable.Entries].P.Load(g.Stack[to:to+n], maptable.ElementCells(t, place))
	}
	m.LoadShadow(g, f, to, found.shadow, n)
	if in.K&1 != 0 {
		m.SetRegister(g, to+n, heap.BoolWord(place >= 0), found.present)
	}
	return true
}

// MapSet carries out a MapSet instruction.
func (m *Operations) MapSet(g *state.Goroutine, f *state.Frame, in *code.Instr) bool {
	o := g.Stack[f.Base+in.A].P
	if o == nil {
		return m.PanicPlain(g, "assignment to entry in nil map")
	}
	if m.Watching && !m.AccessMap(g, o, true) {
		return false
	}
	if m.Watching && m.Tracing {
		m.AccessedMap(g, o, true)
	}
	t := o.Type
	kat, vat := int(f.Base+in.B), int(f.Base+in.C)
	key := symbolic.Operands{Words: g.Stack[kat : kat+t.Key.Words], Syms: g.Shadows(kat, t.Key.Words)}
	place, head, ok := m.lookup(g, o, key)
	if !ok {
		return false
	}
	if place < 0 {
		place = maptable.Insert(&m.State, g, o, key, head)
		m.NoteSymbolicKey(o, key)
	} else if maptable.HasFloat(t.Key) {
		// Positive and negative zero are the same key; the last one is kept.
		m.Heap.Store(o.Cells[maptable.Entries].P, place*maptable.Stride(t)+1, key.Words, key.Syms)
		m.NoteSymbolicKey(o, key)
	}
	n := t.Elem.Words
	m.Heap.Store(o.Cells[maptable.Entries].P, maptable.ElementCells(t, place), g.Stack[vat:vat+n], g.Shadows(vat, n))
	return !m.Over
}

// MapDelete carries out a MapDel instruction.
func (m *Operations) MapDelete(g *state.Goroutine, f *state.Frame, in *code.Instr) bool {
	o := g.Stack[f.Base+in.A].P
	t := f.Func.Types[in.D]
	at := int(f.Base + in.B)
	key := symbolic.Operands{Words: g.Stack[at : at+t.Key.Words], Syms: g.Shadows(at, t.Key.Words)}
	if o == nil {
		if _, ok := m.KeyHash(g, t, key.Words); !ok {
			return m.panicUnhashable(g, o, t.Key, key.Words)
		}
		return true
	}
	if m.Watching && !m.AccessMap(g, o, true) {
		return false
	}
	if m.Watching && m.Tracing {
		m.AccessedMap(g, o, true)
	}
	place, _, ok := m.lookup(g, o, key)
	if !ok {
		return m.panicUnhashable(g, o, t.Key, key.Words)
	}
	if place >= 0 {
		maptable.Delete(&m.Heap, o, place)
	}
	return true
}

// MapClear carries out a MapClear instruction.
func (m *Operations) MapClear(g *state.Goroutine, o *heap.Object) bool {
	if o == nil {
		return true
	}
	if m.Watching && !m.AccessMap(g, o, true) {
		return false
	}
	maptable.Clear(&m.Heap, o)
	if m.Watching && m.Tracing {
		m.AccessedMap(g, o, true)
	}
	return true
}

// MapIter carries out a MapIter instruction.
func (m *Operations) MapIter(g *state.Goroutine, f *state.Frame, in *code.Instr) bool {
	o := g.Stack[f.Base+in.B].P
	if o != nil && m.Watching && !m.AccessMap(g, o, false) {
		return false
	}
	g.Stack[f.Base+in.A] = heap.Word{P: maptable.NewIterator(&m.State, g, o, m.iterationOrder(g, f, o, in))}
	if o != nil && m.Watching && m.Tracing {
		m.AccessedMap(g, o, false)
	}
	return !m.Over
}

// maxShuffled is the number of entries up to which an iteration over a map can have every
// order. Iterations over larger maps begin at any entry and continue in order.
const maxShuffled = 12

// iterationOrder returns the orders of an iteration over o that in, an instruction of f, starts.
func (m *Operations) iterationOrder(g *state.Goroutine, f *state.Frame, o *heap.Object, in *code.Instr) maptable.Order {
	switch n := maptable.Len(o); {
	case n == 0 || in.K == code.OrderNever || in.K == code.OrderShared && !m.Multi || orderless(g, o.Type),
		in.K == code.OrderResult && sorted(g, len(g.Frames)-1), in.K >= code.OrderCalled && m.callsCommute(o, g.Stack[f.Base+in.C].P, in.K):
		return maptable.InTableOrder
	case n <= maxShuffled:
		return maptable.AnyOrder
	}
	return maptable.GoRound
}

// callsCommute reports whether calls of a function commute that are made with the entries of map o.
// The instruction that starts the loop has k.
func (m *Operations) callsCommute(o, fn *heap.Object, k uint16) bool {
	if fn == nil {
		return false
	}
	called, key, over := m.Funcs[fn.Func].SSA, int(k)-code.OrderCalled-1, o.Type.Go.Underlying().(*types.Map)
	return m.Program.CallsCommute(called, key, over, true) || m.Program.CallsCommute(called, key, over, false) && !maptable.HasFloatKey(o)
}

// orderless reports whether nothing depends on the order in which g iterates over a map,
// because a function of the standard library iterates for its own purposes. Functions that
// iterate on behalf of their caller do not count. The map is of type t.
func orderless(g *state.Goroutine, t *code.Type) bool {
	over := g.Top().Func.Name
	for i := len(g.Frames) - 1; i >= 0 && g.Frames[i].Func.Standard; i-- {
		name := g.Frames[i].Func.Name
		if maptable.Orderless(name) && !maptable.ShowsOrder(name, over, t) || name == "slices.Collect[...]" && sorted(g, i) {
			return true
		}
		switch pkg, _, _ := strings.Cut(name, "."); pkg {
		case "maps", "slices", "iter", "reflect", "sync":
		default:
			return false
		}
	}
	return false
}

// sorted reports whether the function of a frame is called by one that sorts the result before
// anything looks at the order of its elements.
func sorted(g *state.Goroutine, frame int) bool {
	if frame == 0 || g.Frames[frame].Mode != state.Called {
		return false
	}
	caller := &g.Frames[frame-1]
	return caller.Func.Sorted[caller.PC]
}

// MapNext carries out a MapNext instruction. Which entry is next is a decision of the run.
func (m *Operations) MapNext(g *state.Goroutine, f *state.Frame, in *code.Instr) bool {
	it := g.Stack[f.Base+in.B].P
	o := maptable.MapOf(it)
	to := int(f.Base + in.A)
	if o == nil {
		m.setLoaded(g, f, to, heap.BoolWord(false))
		return true
	}
	if m.Watching && !m.AccessMap(g, o, false) {
		return false
	}
	place, ok := m.chooseEntry(g, it)
	if !ok {
		return false
	}
	n := o.Type.Key.Words + o.Type.Elem.Words
	m.setLoaded(g, f, to, heap.BoolWord(place >= 0))
	if place < 0 {
		clear(g.Stack[to+1 : to+1+n])
		m.LoadShadow(g, f, to+1, nil, n)
	} else {
		maptable.Visit(&m.State, g, it, place)
		table, at := o.Cells[maptable.Entries].P, place*maptable.Stride(o.Type)+1
		table.Load(g.Stack[to+1:to+1+n], at)
		m.LoadShadow(g, f, to+1, table.ShadowAt(at, n), n)
	}
	if m.Watching && m.Tracing {
		m.AccessedMap(g, o, false)
	}
	return true
}

// chooseEntry returns the place of the entry that an iteration visits next, -1 if it ends.
// If ok is false the run is over.
func (m *Operations) chooseEntry(g *state.Goroutine, it *heap.Object) (place int, ok bool) {
	var buf [maxShuffled]int
	next := maptable.Advance(&m.State, g, it, buf[:0])
	if next.Skips {
		m.Trace.Bounds.Add(run.MapAdditions)
	}
	if next.Fixed {
		m.GiveUp(g, "orders of map iteration that do not go round from some entry")
		return next.Places[0], true
	}
	n := len(next.Places)
	choices := n
	if next.MayEnd {
		choices++
	}
	i, ok := m.ChooseEntry(g, choices)
	if !ok || i == n {
		return -1, ok
	}
	return next.Places[i], true
}

// setLoaded sets the register at Stack[at] to a concrete word.
func (m *Operations) setLoaded(g *state.Goroutine, f *state.Frame, at int, w heap.Word) {
	g.Stack[at] = w
	if f.Symbolic {
		g.Sym[at] = expr.None
	}
}
