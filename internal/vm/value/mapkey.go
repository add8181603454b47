package value

import (
	"iter"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/maptable"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// Maps at symbolic keys. The result of a lookup is an expression where possible: if the
// elements are numbers it is an if-then-else over the entries, and whether there is an
// entry is the disjunction of the comparisons. Other elements, such as strings, cannot be
// expressions. For them the lookup branches on which of the different elements it is, with
// a single branch for "none". Operations that change the map branch on every key.

// maxMatches bounds the entries that a lookup may find, as far as its result is an
// expression, and maxElement the words of their elements.
const (
	// maxMatches bounds the number of entries that a lookup may find for its result to be
	// an expression, and maxElement the number of words of an element.
	maxMatches = 256
	maxElement = 4
)

// A match is an entry that a lookup may find: its place in the table, and the condition
// that the keys are equal.
type match struct {
	place int
	is    expr.ID
}

// symbolicKeys reports whether it may depend on symbolic values which entry of o, if any,
// has a given key.
func (m *Operations) symbolicKeys(o *heap.Object, key symbolic.Operands) bool {
	return o.Cells[maptable.Used].N > 0 && (o.Cells[maptable.Symbolic].N != 0 || symbolicKey(o.Type, key))
}

// symbolicKey reports whether a key of a map of type t has symbolic parts.
func symbolicKey(t *code.Type, key symbolic.Operands) bool {
	return state.AnySymbolic(key.Syms) || symbolic.HasText(t.Key, key.Words)
}

// NoteSymbolicKey notes in o that a key has been put in, if the key is symbolic.
func (m *Operations) NoteSymbolicKey(o *heap.Object, key symbolic.Operands) {
	if o.Cells[maptable.Symbolic].N == 0 && symbolicKey(o.Type, key) {
		m.Heap.Dirty(o, maptable.Symbolic, 1)
		o.Cells[maptable.Symbolic].N = 1
	}
}

// matches returns the entries whose keys may be equal to a key, in the order of the
// table, up to the first one whose key certainly is.
func (m *Operations) matches(g *state.Goroutine, o *heap.Object, key symbolic.Operands) iter.Seq[match] {
	return func(yield func(match) bool) {
		table, w, n := o.Cells[maptable.Entries].P, maptable.Stride(o.Type), o.Type.Key.Words
		for i := range int(o.Cells[maptable.Used].N) {
			if table.Cells[i*w].N == 0 {
				continue
			}
			at := i*w + 1
			is := m.EqualSym(g, o.Type.Key, key, symbolic.Operands{Words: table.Cells[at : at+n], Syms: table.ShadowAt(at, n)})
			if !symbolic.Never(m.Arena, is) && !yield(match{i, is}) || symbolic.Always(m.Arena, is) {
				return
			}
		}
	}
}

// branchOnKey adds to the path condition which entry of o has a key: the one at place, or
// none if place is negative.
func (m *Operations) branchOnKey(g *state.Goroutine, o *heap.Object, key symbolic.Operands, place int) {
	for match := range m.matches(g, o, key) {
		m.Branch(g, match.is, match.place == place)
		if match.place == place {
			return
		}
	}
}

// A mapElement is the result of a lookup, as expressions.
type mapElement struct {
	shadow  []expr.ID // of the element; nil if it is concrete
	present expr.ID   // whether there is an entry; None if that is concrete
}

// readElement returns the result of a lookup of a key in o. In this run, the lookup finds
// the entry at place, or none if place is negative.
func (m *Operations) readElement(g *state.Goroutine, o *heap.Object, key symbolic.Operands, place int) mapElement {
	var list []match
	for match := range m.matches(g, o, key) {
		if len(list) == maxMatches {
			m.branchOnKey(g, o, key, place)
			return m.entryElement(o, place)
		}
		list = append(list, match)
	}
	present := m.Arena.Bool(false)
	for _, match := range list {
		present = m.Arena.Or(present, match.is)
	}
	if numeric(o.Type.Elem) {
		return mapElement{m.chooseElement(o, list), symbolic.UnlessConst(m.Arena, present)}
	}
	m.Branch(g, present, place >= 0)
	if place >= 0 {
		m.branchOnElement(g, o, list, place)
	}
	return m.entryElement(o, place)
}

// numeric reports whether values of type t consist of a few words that can all be
// symbolic.
func numeric(t *code.Type) bool {
	return t.Words <= maxElement && !slices.ContainsFunc(t.Kinds, func(k code.Kind) bool {
		return !k.Integer() && !k.Float() && k != code.Bool
	})
}

// entryElement returns the element of the entry at place, as expressions; the zero
// mapElement if place is negative.
func (m *Operations) entryElement(o *heap.Object, place int) mapElement {
	if place < 0 {
		return mapElement{}
	}
	return mapElement{shadow: o.Cells[maptable.Entries].P.ShadowAt(maptable.ElementCells(o.Type, place), o.Type.Elem.Words)}
}

// chooseElement returns the words of the element of the entry that matches, or zeros if
// there is none, as expressions. The result is nil if they are concrete.
func (m *Operations) chooseElement(o *heap.Object, list []match) []expr.ID {
	t, table := o.Type.Elem, o.Cells[maptable.Entries].P
	words := make([]expr.ID, t.Words)
	for w, k := range t.Kinds {
		value := symbolic.Operand{}.Expr(m.Arena, k)
		for _, match := range slices.Backward(list) {
			at := maptable.ElementCells(o.Type, match.place) + w
			x := symbolic.Operand{Word: table.Cells[at]}
			if table.Sym != nil {
				x.Sym = table.Sym[at]
			}
			value = m.Arena.Ite(match.is, x.Expr(m.Arena, k), value)
		}
		words[w] = symbolic.UnlessConst(m.Arena, value)
	}
	if !state.AnySymbolic(words) {
		return nil
	}
	return words
}

// branchOnElement adds to the path condition which of the elements in list is the one of
// the entry at place. Entries with equal elements count as one.
func (m *Operations) branchOnElement(g *state.Goroutine, o *heap.Object, list []match, place int) {
	table, n := o.Cells[maptable.Entries].P, o.Type.Elem.Words
	same := func(i, k int) bool {
		i, k = maptable.ElementCells(o.Type, i), maptable.ElementCells(o.Type, k)
		return slices.Equal(table.Cells[i:i+n], table.Cells[k:k+n]) && slices.Equal(table.ShadowAt(i, n), table.ShadowAt(k, n))
	}
	for i, first := range list {
		if slices.ContainsFunc(list[:i], func(e match) bool { return same(e.place, first.place) }) {
			continue // has been handled together with that one
		}
		is := first.is
		for _, other := range list[i+1:] {
			if same(first.place, other.place) {
				is = m.Arena.Or(is, other.is)
			}
		}
		found := same(first.place, place)
		m.Branch(g, is, found)
		if found {
			return
		}
	}
}
