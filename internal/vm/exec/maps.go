package exec

import (
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// A map is an object of the cells below. Its entries are in a table of their own,
// in the order of insertion; a deleted entry leaves a hole until the table is
// made anew. Larger maps have an index over the entries by hash. Both tables
// are hidden objects, so all of a map is in cells that the undo log minds.
const (
	mapCount    = iota // number of entries
	mapUsed            // number of places of the table in use, holes included
	mapEntries         // the table: pointer to a hidden object, nil at first
	mapIndex           // open hash table of entry numbers + 1: pointer to a hidden object; nil while the table is small
	mapCleared         // how often the map was cleared
	mapSymbolic        // 1 when a key with symbolic parts has been put in
	mapCells
)

// smallMap is up to how many places a table is searched without an index.
const smallMap = 8

// An entry of the table is a head word, the key and the value. The head is zero
// for a hole, else the key's hash with the top bit set.
const liveEntry = 1 << 63

// An iterator over a map is an object of these cells.
const (
	iterMap     = iota
	iterEntries // the table that the map had at the start
	iterNext    // how many places of the table have been looked at
	iterOrder   // the first places in the order in which they are looked at: pointer to a hidden object; nil for that of the table
	iterCleared // mapCleared at the start
	iterCells
)

// makeMap returns a new map of type t.
func (m *Interpreter) makeMap(g *state.Goroutine, t *code.Type) *heap.Object {
	return m.NewCells(g, t, heap.MapObject, mapCells)
}

// mapLen returns the number of entries of a map, which may be nil.
func mapLen(o *heap.Object) uint64 {
	if o == nil {
		return 0
	}
	return o.Cells[mapCount].N
}

// mapLength carries out a MapLen instruction.
func (m *Interpreter) mapLength(g *state.Goroutine, r []heap.Word, in *code.Instr) bool {
	o := r[in.B].P
	if o != nil && m.Multi && !m.AccessMap(g, o, false) {
		return false
	}
	r[in.A] = heap.Word{N: mapLen(o)}
	if o != nil && m.Multi && m.Tracing {
		m.AccessedMap(g, o, false)
	}
	return true
}

// stride returns the number of cells of an entry of a map of type t.
func stride(t *code.Type) int { return 1 + t.Key.Words + t.Elem.Words }

// keyHash returns the head word for an entry with this key. ok is false when
// the key cannot be hashed and the goroutine panics.
func (m *Interpreter) keyHash(g *state.Goroutine, t *code.Type, key []heap.Word) (head uint64, ok bool) {
	var h Hash
	if !m.AddValue(g, &h, t.Key, key) {
		return 0, false
	}
	return uint64(h) | liveEntry, true
}

// findKey returns the place of the entry with a key, -1 when there is none.
func (m *Interpreter) findKey(g *state.Goroutine, o *heap.Object, key []heap.Word, head uint64) int {
	used := int(o.Cells[mapUsed].N)
	if used == 0 {
		return -1
	}
	t := o.Type
	w := stride(t)
	table := o.Cells[mapEntries].P.Cells
	index := o.Cells[mapIndex].P
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

// sameKey compares two keys that could be hashed, so that they can be compared.
func (m *Interpreter) sameKey(g *state.Goroutine, t *code.Type, a, b []heap.Word) bool {
	eq, _ := m.equal(g, t, a, b)
	return eq
}

// rebuild gives o a table with room for more entries, without holes.
func (m *Interpreter) rebuild(g *state.Goroutine, o *heap.Object) {
	t := o.Type
	w := stride(t)
	count := int(o.Cells[mapCount].N)
	room := smallMap
	for room < 2*count {
		room *= 2
	}
	fresh := m.NewHidden(g, t, room*w)
	n := 0
	if old := o.Cells[mapEntries].P; old != nil {
		for i := range int(o.Cells[mapUsed].N) {
			if old.Cells[i*w].N != 0 {
				heap.MoveNew(fresh, n*w, old, i*w, w)
				n++
			}
		}
	}
	m.Heap.Dirty(o, 0, mapCells)
	o.Cells[mapEntries] = heap.Word{P: fresh}
	o.Cells[mapUsed].N = uint64(n)
	o.Cells[mapIndex] = heap.Word{}
	if room > smallMap {
		index := m.NewHidden(g, t, 2*room)
		for i := range n {
			addIndex(index, fresh.Cells[i*w].N, i)
		}
		o.Cells[mapIndex].P = index
	}
}

// addIndex puts entry i into an index; it returns where.
func addIndex(index *heap.Object, head uint64, i int) int {
	at := indexPlace(index, head)
	index.Cells[at].N = uint64(i + 1)
	return at
}

// indexPlace returns the first free place for an entry in an index.
func indexPlace(index *heap.Object, head uint64) int {
	mask := uint64(len(index.Cells) - 1)
	at := head & mask
	for index.Cells[at].N != 0 {
		at = (at + 1) & mask
	}
	return int(at)
}

// insert adds an entry with a key that the map does not have. It returns the
// entry's place.
func (m *Interpreter) insert(g *state.Goroutine, o *heap.Object, key symbolic.Operands, head uint64) int {
	t := o.Type
	w := stride(t)
	if o.Cells[mapEntries].P == nil || int(o.Cells[mapUsed].N+1)*w > len(o.Cells[mapEntries].P.Cells) {
		m.rebuild(g, o)
	}
	table, index := o.Cells[mapEntries].P, o.Cells[mapIndex].P
	i := int(o.Cells[mapUsed].N)
	m.Heap.Dirty(table, i*w, w)
	table.Cells[i*w] = heap.Word{N: head}
	table.Fill(i*w+1, key.Words, key.Syms)
	m.noteSymbolicKey(o, key)
	if index != nil {
		at := indexPlace(index, head)
		m.Heap.Dirty(index, at, 1)
		index.Cells[at].N = uint64(i + 1)
	}
	m.Heap.Dirty(o, mapCount, 2)
	o.Cells[mapCount].N++
	o.Cells[mapUsed].N++
	return i
}

// lookup returns the place of the entry with a key, -1 when there is none. ok is
// false when the goroutine panics. What the answer says of symbolic keys becomes part
// of the path condition.
func (m *Interpreter) lookup(g *state.Goroutine, o *heap.Object, key symbolic.Operands) (place int, head uint64, ok bool) {
	head, ok = m.keyHash(g, o.Type, key.Words)
	if !ok {
		return -1, 0, false
	}
	place = m.findKey(g, o, key.Words, head)
	if m.symbolicKeys(o, key) {
		m.branchOnKey(g, o, key, place)
	}
	return place, head, true
}

// mapGet carries out a MapGet instruction.
func (m *Interpreter) mapGet(g *state.Goroutine, f *state.Frame, in *code.Instr) bool {
	t := f.Func.Types[in.D]
	o := g.Stack[f.Base+in.B].P
	at, to := int(f.Base+in.C), int(f.Base+in.A)
	key := symbolic.Operands{Words: g.Stack[at : at+t.Key.Words], Syms: g.Shadows(at, t.Key.Words)}
	if o != nil && m.Multi && !m.AccessMap(g, o, false) {
		return false
	}
	if o != nil && m.Multi && m.Tracing {
		m.AccessedMap(g, o, false) // before the branches on which key it is
	}
	head, ok := m.keyHash(g, t, key.Words)
	if !ok {
		return false
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
		o.Cells[mapEntries].P.Load(g.Stack[to:to+n], elementCells(t, place))
	}
	m.loadShadow(g, f, to, found.shadow, n)
	if in.K&1 != 0 {
		m.SetRegister(g, to+n, heap.BoolWord(place >= 0), found.present)
	}
	return true
}

// mapSet carries out a MapSet instruction.
func (m *Interpreter) mapSet(g *state.Goroutine, f *state.Frame, in *code.Instr) bool {
	o := g.Stack[f.Base+in.A].P
	if o == nil {
		return m.panicPlain(g, "assignment to entry in nil map")
	}
	if m.Multi && !m.AccessMap(g, o, true) {
		return false
	}
	if m.Multi && m.Tracing {
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
		place = m.insert(g, o, key, head)
	} else if hasFloat(t.Key) {
		// Zeros of either sign are one key; the last one given is kept.
		m.Heap.Store(o.Cells[mapEntries].P, place*stride(t)+1, key.Words, key.Syms)
		m.noteSymbolicKey(o, key)
	}
	n := t.Elem.Words
	m.Heap.Store(o.Cells[mapEntries].P, elementCells(t, place), g.Stack[vat:vat+n], g.Shadows(vat, n))
	return !m.Over
}

// mapDelete carries out a MapDel instruction.
func (m *Interpreter) mapDelete(g *state.Goroutine, f *state.Frame, in *code.Instr) bool {
	o := g.Stack[f.Base+in.A].P
	if o == nil {
		return true
	}
	if m.Multi && !m.AccessMap(g, o, true) {
		return false
	}
	if m.Multi && m.Tracing {
		m.AccessedMap(g, o, true)
	}
	t := o.Type
	at := int(f.Base + in.B)
	place, _, ok := m.lookup(g, o, symbolic.Operands{Words: g.Stack[at : at+t.Key.Words], Syms: g.Shadows(at, t.Key.Words)})
	if !ok {
		return false
	}
	if place >= 0 {
		table, w := o.Cells[mapEntries].P, stride(t)
		m.Heap.Dirty(table, place*w, w)
		clear(table.Cells[place*w : place*w+w])
		if table.Sym != nil {
			clear(table.Sym[place*w : place*w+w])
		}
		m.Heap.Dirty(o, mapCount, 1)
		o.Cells[mapCount].N--
	}
	return true
}

// mapClear carries out a MapClear instruction.
func (m *Interpreter) mapClear(g *state.Goroutine, o *heap.Object) bool {
	if o == nil {
		return true
	}
	if m.Multi && !m.AccessMap(g, o, true) {
		return false
	}
	m.Heap.Dirty(o, 0, mapCells)
	cleared := o.Cells[mapCleared].N + 1
	clear(o.Cells)
	o.Cells[mapCleared].N = cleared
	if m.Multi && m.Tracing {
		m.AccessedMap(g, o, true)
	}
	return true
}

// mapIter carries out a MapIter instruction.
func (m *Interpreter) mapIter(g *state.Goroutine, f *state.Frame, in *code.Instr) bool {
	o := g.Stack[f.Base+in.B].P
	if o != nil && m.Multi && !m.AccessMap(g, o, false) {
		return false
	}
	it := m.NewHidden(g, nil, iterCells)
	if o != nil {
		order, ok := m.chooseMapOrder(g, o)
		if !ok {
			return false
		}
		it.Cells[iterMap].P = o
		it.Cells[iterEntries] = o.Cells[mapEntries]
		it.Cells[iterCleared] = o.Cells[mapCleared]
		it.Cells[iterOrder].P = order
		if m.Multi && m.Tracing {
			m.AccessedMap(g, o, false)
		}
	}
	g.Stack[f.Base+in.A] = heap.Word{P: it}
	return !m.Over
}

// maxShuffled is up to how many entries an iteration over a map can come in every
// order; over larger maps it goes round from any entry.
const maxShuffled = 4

// chooseMapOrder returns the places of the entries of o in the order in which an
// iteration that starts now looks at them, nil for the order of insertion. That
// is a decision of the run when the iteration is made for code outside the
// standard library, which itself is taken not to depend on the order.
func (m *Interpreter) chooseMapOrder(g *state.Goroutine, o *heap.Object) (order *heap.Object, ok bool) {
	count := int(o.Cells[mapCount].N)
	if count < 2 || inLibrary(g) {
		return nil, true
	}
	table, w := o.Cells[mapEntries].P, stride(o.Type)
	var places []int
	for i := range int(o.Cells[mapUsed].N) {
		if table.Cells[i*w].N != 0 {
			places = append(places, i)
		}
	}
	moved := false
	if count <= maxShuffled {
		for i := range count - 1 {
			n, ok := m.ChooseValue(g, count-i)
			if !ok {
				return nil, false
			}
			chosen := places[i+n]
			copy(places[i+1:i+n+1], places[i:i+n])
			places[i] = chosen
			moved = moved || n > 0
		}
	} else {
		m.GiveUp(g, "orders of map iteration that do not go round from some entry")
		n, ok := m.ChooseValue(g, count)
		if !ok {
			return nil, false
		}
		places = append(places[n:], places[:n]...)
		moved = n > 0
	}
	if !moved {
		return nil, true
	}
	// Holes are looked at too: entries that are added later come after the places
	// that the table has now, whatever is in them.
	order = m.NewHidden(g, nil, int(o.Cells[mapUsed].N))
	listed := make([]bool, len(order.Cells))
	for i, p := range places {
		order.Cells[i].N = uint64(p)
		listed[p] = true
	}
	next := len(places)
	for p, l := range listed {
		if !l {
			order.Cells[next].N = uint64(p)
			next++
		}
	}
	return order, true
}

// inLibrary reports whether what g does is done for the standard library's own
// purposes: its functions that iterate for their caller are left aside.
func inLibrary(g *state.Goroutine) bool {
	for i := len(g.Frames) - 1; i >= 0; i-- {
		fn := g.Frames[i].Func
		if pkg, _, _ := strings.Cut(fn.Name, "."); fn.Standard && (pkg == "maps" || pkg == "slices" || pkg == "iter" || pkg == "reflect" || pkg == "sync") {
			continue
		}
		return fn.Standard
	}
	return false
}

// mapNext carries out a MapNext instruction.
func (m *Interpreter) mapNext(g *state.Goroutine, f *state.Frame, in *code.Instr) bool {
	it := g.Stack[f.Base+in.B].P
	o := it.Cells[iterMap].P
	to := int(f.Base + in.A)
	if o == nil {
		m.setLoaded(g, f, to, heap.BoolWord(false))
		return true
	}
	if m.Multi && !m.AccessMap(g, o, false) {
		return false
	}
	t := o.Type
	w, kw, vw := stride(t), t.Key.Words, t.Elem.Words
	table := it.Cells[iterEntries].P
	for {
		i := m.nextPlace(it, o, w)
		if i < 0 {
			break
		}
		if table.Cells[i*w].N == 0 {
			continue
		}
		from, place := table, i
		if o.Cells[mapEntries].P != table {
			// The map has another table by now: the entry may be gone or changed.
			if o.Cells[mapCleared].N != it.Cells[iterCleared].N {
				continue
			}
			key := table.Cells[i*w+1 : i*w+1+kw]
			if at := m.findKey(g, o, key, table.Cells[i*w].N); at >= 0 {
				from, place = o.Cells[mapEntries].P, at
			} else if m.sameKey(g, t.Key, key, key) {
				continue
			}
		}
		m.setLoaded(g, f, to, heap.BoolWord(true))
		at := place*w + 1
		from.Load(g.Stack[to+1:to+1+kw+vw], at)
		m.loadShadow(g, f, to+1, from.ShadowAt(at, kw+vw), kw+vw)
		if m.Multi && m.Tracing {
			m.AccessedMap(g, o, false)
		}
		return true
	}
	m.setLoaded(g, f, to, heap.BoolWord(false))
	clear(g.Stack[to+1 : to+1+kw+vw])
	m.loadShadow(g, f, to+1, nil, kw+vw)
	if m.Multi && m.Tracing {
		m.AccessedMap(g, o, false)
	}
	return true
}

// setLoaded sets the register at stack[at] to a concrete word.
func (m *Interpreter) setLoaded(g *state.Goroutine, f *state.Frame, at int, w heap.Word) {
	g.Stack[at] = w
	if f.Symbolic {
		g.Sym[at] = expr.None
	}
}

// nextPlace returns the next place of the table that an iterator looks at, -1 at
// the end. Those of entries that were added since it started come last, unless
// the map has another table by now.
func (m *Interpreter) nextPlace(it, o *heap.Object, w int) int {
	table, order := it.Cells[iterEntries].P, it.Cells[iterOrder].P
	if table == nil {
		return -1
	}
	used := len(table.Cells) / w
	if o.Cells[mapEntries].P == table {
		used = int(o.Cells[mapUsed].N)
	}
	next := int(it.Cells[iterNext].N)
	if next >= used {
		return -1
	}
	m.Heap.Dirty(it, iterNext, 1)
	it.Cells[iterNext].N++
	if order != nil && next < len(order.Cells) {
		return int(order.Cells[next].N)
	}
	return next
}
