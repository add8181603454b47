package maptable

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// The cells of a map.
const (
	Count    = iota // number of entries
	Used            // number of places of the table in use, including holes
	Entries         // pointer to the table, a hidden object; nil at first
	Index           // pointer to the index, a hidden object: an open hash table of entry numbers + 1; nil while the table is small
	Cleared         // how often the map has been cleared
	Symbolic        // 1 if a key with symbolic parts has been put in
	Cells
)

// smallMap is the number of places up to which a table is searched without an index.
const smallMap = 8

// An entry of the table consists of a head word, the key and the value. The head is zero
// for a hole, and otherwise the key's hash with the top bit set. After the entries comes a
// cell that points to the table by which this one was replaced.
const Live = 1 << 63

// Stride returns the number of cells of an entry of a map of type t.
func Stride(t *code.Type) int { return 1 + t.Key.Words + t.Elem.Words }

// ElementCells returns the first cell of the element of the entry at place.
func ElementCells(t *code.Type, place int) int { return place*Stride(t) + 1 + t.Key.Words }

// Len returns the number of entries of a map. The map may be nil.
func Len(o *heap.Object) uint64 {
	if o == nil {
		return 0
	}
	return o.Cells[Count].N
}

// EachPlace calls do for the places of the entries of a map.
func EachPlace(o *heap.Object, do func(place int)) {
	w := Stride(o.Type)
	for i := range int(o.Cells[Used].N) {
		if o.Cells[Entries].P.Cells[i*w].N != 0 {
			do(i)
		}
	}
}

// room returns the number of places of a table with entries of w cells.
func room(table *heap.Object, w int) int { return (len(table.Cells) - 1) / w }

// successor returns the table by which this one was replaced, nil if it was not.
func successor(table *heap.Object) *heap.Object { return table.Cells[len(table.Cells)-1].P }

// rebuild gives o a new table, without holes and with room for more entries.
func rebuild(m *state.State, g *state.Goroutine, o *heap.Object) {
	t := o.Type
	w := Stride(t)
	count := int(o.Cells[Count].N)
	places := smallMap
	for places < 2*count {
		places *= 2
	}
	fresh := m.NewHidden(g, t, places*w+1)
	n := 0
	if old := o.Cells[Entries].P; old != nil {
		for i := range int(o.Cells[Used].N) {
			if old.Cells[i*w].N != 0 {
				heap.MoveNew(fresh, n*w, old, i*w, w)
				n++
			}
		}
		last := len(old.Cells) - 1
		m.Heap.Dirty(old, last, 1)
		old.Cells[last].P = fresh
	}
	m.Heap.Dirty(o, 0, Cells)
	o.Cells[Entries] = heap.Word{P: fresh}
	o.Cells[Used].N = uint64(n)
	o.Cells[Index] = heap.Word{}
	if places > smallMap {
		index := m.NewHidden(g, t, 2*places)
		for i := range n {
			index.Cells[indexPlace(index, fresh.Cells[i*w].N)].N = uint64(i + 1)
		}
		o.Cells[Index].P = index
	}
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

// Insert adds an entry with a key that is not in the map, and returns the entry's place.
func Insert(m *state.State, g *state.Goroutine, o *heap.Object, key symbolic.Operands, head uint64) int {
	w := Stride(o.Type)
	if o.Cells[Entries].P == nil || int(o.Cells[Used].N) == room(o.Cells[Entries].P, w) {
		rebuild(m, g, o)
	}
	table, index := o.Cells[Entries].P, o.Cells[Index].P
	i := int(o.Cells[Used].N)
	m.Heap.Dirty(table, i*w, w)
	table.Cells[i*w] = heap.Word{N: head}
	table.Fill(i*w+1, key.Words, key.Syms)
	if index != nil {
		at := indexPlace(index, head)
		m.Heap.Dirty(index, at, 1)
		index.Cells[at].N = uint64(i + 1)
	}
	m.Heap.Dirty(o, Count, 2)
	o.Cells[Count].N++
	o.Cells[Used].N++
	return i
}

// Delete removes the entry at place.
func Delete(h *heap.Heap, o *heap.Object, place int) {
	table, w := o.Cells[Entries].P, Stride(o.Type)
	h.Dirty(table, place*w, w)
	clear(table.Cells[place*w : place*w+w])
	if table.Sym != nil {
		clear(table.Sym[place*w : place*w+w])
	}
	h.Dirty(o, Count, 1)
	o.Cells[Count].N--
}

// Clear removes all entries.
func Clear(h *heap.Heap, o *heap.Object) {
	h.Dirty(o, 0, Cells)
	cleared := o.Cells[Cleared].N + 1
	clear(o.Cells)
	o.Cells[Cleared].N = cleared
}
