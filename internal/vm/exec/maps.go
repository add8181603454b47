package exec

import (
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// The cells of a map. The entries are in a table, in the order of insertion. A deleted
// entry leaves a hole until the table is rebuilt. Larger maps have an index of the entries
// by hash. Table and index are hidden objects, so that the whole map is in cells, which the
// undo log restores.
const (
	mapCount    = iota // number of entries
	mapUsed            // number of places of the table in use, including holes
	mapEntries         // pointer to the table, a hidden object; nil at first
	mapIndex           // pointer to the index, a hidden object: an open hash table of entry numbers + 1; nil while the table is small
	mapCleared         // how often the map has been cleared
	mapSymbolic        // 1 if a key with symbolic parts has been put in
	mapCells
)

// smallMap is the number of places up to which a table is searched without an index.
const smallMap = 8

// An entry of the table consists of a head word, the key and the value. The head is zero
// for a hole, and otherwise the key's hash with the top bit set.
const liveEntry = 1 << 63

// The cells of an iterator over a map.
const (
	iterMap     = iota
	iterEntries // the table that the map had at the start
	iterNext    // number of places that have been visited
	iterOrder   // pointer to the order in which to visit the first places, a hidden object; nil for that of the table
	iterCleared // mapCleared at the start
	iterCells
)

// makeMap returns a new map of type t.
func (m *Interpreter) makeMap(g *state.Goroutine, t *code.Type) *heap.Object {
	return m.NewCells(g, t, heap.MapObject, mapCells)
}

// mapLen returns the number of entries of a map. The map may be nil.
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

// keyHash returns the head word of an entry with this key. If the key cannot be hashed,
// ok is false and the goroutine panics.
func (m *Interpreter) keyHash(g *state.Goroutine, t *code.Type, key []heap.Word) (head uint64, ok bool) {
	var h Hash
	if !m.AddValue(g, &h, t.Key, key) {
		return 0, false
	}
	return uint64(h) | liveEntry, true
}

// findKey returns the place of the entry with a key, -1 if there is none.
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

// sameKey compares two keys. They have been hashed, so that the comparison cannot panic.
func (m *Interpreter) sameKey(g *state.Goroutine, t *code.Type, a, b []heap.Word) bool {
	eq, _ := m.equal(g, t, a, b)
	return eq
}

// rebuild gives o a new table, without holes and with room for more entries.
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

// addIndex adds entry i to an index and returns its place there.
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

// insert adds an entry with a key that is not in the map, and returns the entry's place.
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

// lookup returns the place of the entry with a key, -1 if there is none. If ok is false
// the goroutine panics. What the result reveals about symbolic keys is added to the path
// condition.
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
		m.AccessedMap(g, o, false) // before branching on the key
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
		// Positive and negative zero are the same key; the last one is kept.
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

// maxShuffled is the number of entries up to which an iteration over a map can have every
// order. Iterations over larger maps begin at any entry and continue in order.
const maxShuffled = 4

// chooseMapOrder returns the places of the entries of o in the order in which an
// iteration that starts now visits them, nil for the order of insertion. The order is a
// decision of the run if the iteration is made for code outside the standard library. The
// library itself is assumed not to depend on the order.
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
	// Holes are included, since entries that are added later come after all places that
	// the table has now.
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

// inLibrary reports whether g iterates for the standard library's own purposes. Library
// functions that iterate on behalf of their caller do not count.
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
			// The map has a new table: the entry may have been deleted or changed.
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

// setLoaded sets the register at Stack[at] to a concrete word.
func (m *Interpreter) setLoaded(g *state.Goroutine, f *state.Frame, at int, w heap.Word) {
	g.Stack[at] = w
	if f.Symbolic {
		g.Sym[at] = expr.None
	}
}

// nextPlace returns the next place of the table that an iterator visits, -1 at the end.
// Entries that were added since the iterator started come last, unless the map has a new
// table.
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
