package maptable

import (
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// The cells of an iterator over a map.
const (
	iterMap     = iota
	iterTable   // the table of the map that the other cells are about, nil if the map had none
	iterOld     // number of places that were in use at the start: the entries after them were made since
	iterVisited // the places of the table that have been visited, as bits: in the number as long as all are below 64, and otherwise in a hidden object
	iterPassed  // InTableOrder and GoRound: number of places before iterOld that have been passed
	iterFirst   // GoRound: the place at which the round began, plus 1; 0 before that
	iterOrder   // an Order
	iterAdded   // number of entries visited that were made since the start
	iterCleared // Cleared of the map when the other cells were last brought up to date
	iterCells
)

// An Order says in which order an iteration visits the entries that there were at its
// start.
type Order uint64

const (
	// InTableOrder is the order in which the entries were made. Entries that are made
	// during the iteration are skipped.
	InTableOrder Order = iota
	AnyOrder           // every order
	GoRound            // any entry is the first; then the order of the table, round to the first
)

// maxAdded is the number of entries made during an iteration that it may visit.
const maxAdded = 4

// NewIterator returns an iterator over o, which may be nil.
func NewIterator(m *state.State, g *state.Goroutine, o *heap.Object, order Order) *heap.Object {
	it := m.NewHidden(g, nil, iterCells)
	it.Kind = heap.IteratorObject
	if o != nil {
		c := it.Cells
		c[iterMap].P = o
		c[iterTable] = o.Cells[Entries]
		c[iterOld] = o.Cells[Used]
		c[iterOrder].N = uint64(order)
		c[iterCleared] = o.Cells[Cleared]
	}
	return it
}

// MapOf returns the map that an iterator is over, nil if it is nil.
func MapOf(it *heap.Object) *heap.Object { return it.Cells[iterMap].P }

// HasOneOrder reports whether an iteration is InTableOrder.
func HasOneOrder(it *heap.Object) bool { return Order(it.Cells[iterOrder].N) == InTableOrder }

// Next describes what an iteration may do next.
type Next struct {
	// Places are the places, in the map's current table, of the entries that may be
	// visited next.
	Places []int
	// MayEnd says that the iteration may end instead, because all entries left were made
	// after it began. It is set if there are no Places.
	MayEnd bool
	// Fixed says that the first of Places is to be visited, although the specification
	// allows others.
	Fixed bool
	// Skips says that entries are left out, although the specification allows to visit
	// them.
	Skips bool
}

// Advance returns what the iteration may do next. The list of places reuses the memory of
// buf.
func Advance(m *state.State, g *state.Goroutine, it *heap.Object, buf []int) Next {
	o := it.Cells[iterMap].P
	if !current(it, o) {
		follow(m, g, it)
	}
	next := Next{Places: buf[:0]}
	table := o.Cells[Entries].P
	if table == nil {
		next.MayEnd = true
		return next
	}
	w := Stride(o.Type)
	old := int(it.Cells[iterOld].N)
	switch order := Order(it.Cells[iterOrder].N); {
	case order == AnyOrder || order == GoRound && it.Cells[iterFirst].N == 0:
		for i := range old {
			if table.Cells[i*w].N != 0 && !visited(it, i) {
				next.Places = append(next.Places, i)
			}
		}
	default:
		for k := int(it.Cells[iterPassed].N); k < old && len(next.Places) < 2; k++ {
			if i := roundPlace(it, k, old); table.Cells[i*w].N != 0 {
				next.Places = append(next.Places, i)
			}
		}
		if len(next.Places) > 1 {
			next.Places = next.Places[:1]
			next.Fixed = order == GoRound
		}
		if order == InTableOrder || next.Fixed {
			next.MayEnd = len(next.Places) == 0
			return next
		}
	}
	next.MayEnd = len(next.Places) == 0
	for i := old; i < int(o.Cells[Used].N); i++ {
		if table.Cells[i*w].N != 0 && !visited(it, i) {
			if it.Cells[iterAdded].N >= maxAdded {
				next.Skips = true
				break
			}
			next.Places = append(next.Places, i)
		}
	}
	return next
}

// Visit notes that the iteration visits the entry at place.
func Visit(m *state.State, g *state.Goroutine, it *heap.Object, place int) {
	c := it.Cells
	m.Heap.Dirty(it, 0, iterCells)
	old := int(c[iterOld].N)
	switch order := Order(c[iterOrder].N); {
	case place >= old:
		c[iterAdded].N++
		setVisited(m, g, it, place)
	case order == AnyOrder:
		setVisited(m, g, it, place)
	case order == GoRound && c[iterFirst].N == 0:
		c[iterFirst].N = uint64(place) + 1
		c[iterPassed].N = 1
	default:
		first := max(int(c[iterFirst].N)-1, 0)
		c[iterPassed].N = uint64((place-first+old)%old) + 1
	}
}

// A Standing is what an iteration in any order has to do with an entry.
type Standing uint8

const (
	Ahead   Standing = iota // it is to be visited
	Added                   // it was made since the iteration began, and may be visited
	Visited                 // it has been visited
)

// Standings returns what an iteration has to do with the entries of its map, by their places, and how many of
// those it has visited that were made since it began. If ok is false, more counts than that.
func Standings(it *heap.Object) (of func(place int) Standing, added uint64, ok bool) {
	c := it.Cells
	if o := c[iterMap].P; o == nil || Order(c[iterOrder].N) != AnyOrder || !current(it, o) {
		return nil, 0, false
	}
	return func(place int) Standing {
		switch {
		case visited(it, place):
			return Visited
		case place >= int(c[iterOld].N):
			return Added
		}
		return Ahead
	}, c[iterAdded].N, true
}

// roundPlace returns the k-th place of a round through the first old places.
func roundPlace(it *heap.Object, k, old int) int {
	return (max(int(it.Cells[iterFirst].N)-1, 0) + k) % old
}

// visited reports whether the iteration has visited a place, as far as setVisited has been
// told.
func visited(it *heap.Object, place int) bool {
	v := &it.Cells[iterVisited]
	if v.P == nil {
		return v.N>>place&1 != 0
	}
	return v.P.Cells[place/64].N>>(place%64)&1 != 0
}

// setVisited notes that the iteration has visited a place.
func setVisited(m *state.State, g *state.Goroutine, it *heap.Object, place int) {
	v := &it.Cells[iterVisited]
	if v.P == nil {
		if place < 64 {
			v.N |= 1 << place
			return
		}
		*v = newBits(m, g, it.Cells[iterTable].P, Stride(it.Cells[iterMap].P.Type), v.N)
	}
	m.Heap.Dirty(v.P, place/64, 1)
	v.P.Cells[place/64].N |= 1 << (place % 64)
}

// newBits returns room for a bit for each place of a table with entries of w cells. The
// first ones are set as in first.
func newBits(m *state.State, g *state.Goroutine, table *heap.Object, w int, first uint64) heap.Word {
	n := room(table, w)
	if n <= 64 {
		return heap.Word{N: first}
	}
	v := m.NewHidden(g, nil, (n+63)/64)
	v.Cells[0].N = first
	return heap.Word{P: v}
}

// current reports whether the map o of an iterator has not been cleared and has the table
// that it had at the last entry.
func current(it, o *heap.Object) bool {
	return it.Cells[iterTable].P == o.Cells[Entries].P && it.Cells[iterCleared].N == o.Cells[Cleared].N
}

// follow brings an iterator up to date that is not current.
func follow(m *state.State, g *state.Goroutine, it *heap.Object) {
	o, c := it.Cells[iterMap].P, it.Cells
	m.Heap.Dirty(it, 0, iterCells)
	if c[iterCleared] != o.Cells[Cleared] {
		c[iterTable], c[iterCleared] = o.Cells[Entries], o.Cells[Cleared]
		c[iterOld], c[iterPassed], c[iterFirst], c[iterVisited] = heap.Word{}, heap.Word{}, heap.Word{}, heap.Word{}
		return
	}
	for c[iterTable] != o.Cells[Entries] {
		if c[iterTable].P == nil {
			c[iterTable] = o.Cells[Entries]
			return
		}
		followOnce(m, g, it)
	}
}

// followOnce takes the iterator from its table to the one by which that was replaced. The
// entries that the table had then are the first ones of the new table, in the same order.
func followOnce(m *state.State, g *state.Goroutine, it *heap.Object) {
	c := it.Cells
	table, w := c[iterTable].P, Stride(c[iterMap].P.Type)
	next := successor(table)
	old, passed, first := int(c[iterOld].N), int(c[iterPassed].N), int(c[iterFirst].N)
	begin := max(first-1, 0)
	bits := newBits(m, g, next, w, 0)
	var oldNow, passedNow, firstNow, n int
	for i := range room(table, w) {
		if i == old {
			oldNow = n
		}
		if first > 0 && i == begin {
			firstNow = n
		}
		if table.Cells[i*w].N == 0 {
			continue
		}
		if i < old && (i-begin+old)%old < passed {
			passedNow++
		}
		if visited(it, i) {
			if bits.P != nil {
				bits.P.Cells[n/64].N |= 1 << (n % 64)
			} else {
				bits.N |= 1 << n
			}
		}
		n++
	}
	if old == room(table, w) {
		oldNow = n
	}
	if first > 0 {
		// If all entries from the first place on are gone, the round goes on from the start.
		if firstNow >= oldNow {
			firstNow = 0
		}
		firstNow++
	}
	c[iterTable].P, c[iterVisited] = next, bits
	c[iterOld].N, c[iterPassed].N, c[iterFirst].N = uint64(oldNow), uint64(passedNow), uint64(firstNow)
}
