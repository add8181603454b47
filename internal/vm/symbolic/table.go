package symbolic

import (
	"math/bits"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// Arrays at symbolic indices. A load at an index that depends on the input yields an
// expression over the index. After a store at such an index, every element is one.

const (
	maxTable    = 1024 // number of elements of a table
	maxSegments = 60   // number of segments of the expression for a concrete element
	smallTable  = 8    // number of elements up to which they become if-then-else expressions in a store
)

// A Table is N elements of a kind, in the cells of Object from Off on.
type Table struct {
	Object *heap.Object
	Off, N int
	k      code.Kind
}

// TableAt returns the table of n elements at base. The result is false if it cannot be
// accessed at a symbolic index.
func TableAt(base heap.Word, n uint64, k code.Kind) (t Table, ok bool) {
	if base.P == nil || n > maxTable || !k.Integer() && !k.Float() && k != code.Bool {
		return t, false
	}
	t = Table{base.P, int(base.N), int(n), k}
	if !t.Object.InBounds(t.Off, t.N) || t.Object.Bytes != nil && k != code.Uint8 {
		return t, false
	}
	for i := range t.N {
		if t.Object.Word(t.Off+i).P != nil {
			return t, false
		}
	}
	return t, true
}

// Concrete reports whether no element depends on the input.
func (t *Table) Concrete() bool { return t.Object.ShadowAt(t.Off, t.N) == nil }

// Element returns the expression for element x of a table. If the elements are concrete
// and consist of few segments, in which they are equal or grow with the index, it is a
// choice between these. Otherwise it is an element of an array.
func (t *Table) Element(a *expr.Arena, x expr.ID) expr.ID {
	if t.Concrete() {
		if value := t.segmented(a, x); value != expr.None {
			return value
		}
	}
	array, shift := t.array(a, t.elements(a))
	return a.Select(array, indexOf(a, array, x, shift))
}

// segmented returns the expression for element x of a table as a choice between segments,
// None if there are too many.
func (t *Table) segmented(a *expr.Arena, x expr.ID) expr.ID {
	type segment struct {
		end   int    // index after the last one
		first uint64 // value of the first element, minus its index if the segment grows
		grows bool   // each value is one more than the previous one
	}
	var segments []segment
	at := func(i int) uint64 { return t.Object.Word(t.Off + i).Number(t.k) }
	for i := 0; i < t.N; {
		if len(segments) == maxSegments {
			return expr.None
		}
		equal, grows := i+1, i+1
		for equal < t.N && at(equal) == at(i) {
			equal++
		}
		for t.k.Integer() && grows < t.N && at(grows) == at(i)+uint64(grows-i) {
			grows++
		}
		if grows > equal {
			segments = append(segments, segment{grows, at(i) - uint64(i), true})
		} else {
			segments = append(segments, segment{equal, at(i), false})
		}
		i = segments[len(segments)-1].end
	}
	width := heap.KindWidth(t.k)
	value := expr.None
	for _, s := range slices.Backward(segments) {
		v := a.Const(s.first, width)
		if s.grows {
			v = a.Add(convert(a, x, code.Int64, t.k), v)
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
func (t *Table) elements(a *expr.Arena) []expr.ID {
	elems := make([]expr.ID, t.N)
	for i := range elems {
		elems[i] = Operand{Word: t.Object.Word(t.Off + i)}.Expr(a, t.k)
		if t.Object.Sym != nil && t.Object.Sym[t.Off+i] != expr.None {
			elems[i] = Fit(a, t.Object.Sym[t.Off+i], t.k)
		}
	}
	return elems
}

// array returns an array with the elements of a table, where element i is at index i +
// shift. If elements are those that AfterStore has made from an array, it is that array,
// with the stores at concrete indices since then.
func (t *Table) array(a *expr.Arena, elems []expr.ID) (array expr.ID, shift uint64) {
	if array, shift = stored(a, elems); array != expr.None {
		if array, ok := restored(a, array, shift, elems); ok {
			return array, shift
		}
	}
	return a.Table(uint8(max(bits.Len(uint(t.N-1)), 1)), elems, a.Const(0, heap.KindWidth(t.k))), 0
}

// stored returns the newest array of which elements are in the table, and by how much its
// indices are shifted. It returns None if there is none.
func stored(a *expr.Arena, elems []expr.ID) (array expr.ID, shift uint64) {
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
		if array == expr.None || j-uint64(i) == shift && below(a, of, array) {
			array, shift = of, j-uint64(i)
		}
	}
	return array, shift
}

// below reports whether stores to the array bottom lead to the array top.
func below(a *expr.Arena, top, bottom expr.ID) bool {
	for a.Op(top) == expr.Store {
		if top = a.Arg(top, 0); top == bottom {
			return true
		}
	}
	return false
}

// restored returns the array with stores added that make its elements equal to those
// given, where they differ. The result is false if the array does not fit the elements,
// or most of them differ.
func restored(a *expr.Arena, array expr.ID, shift uint64, elems []expr.ID) (expr.ID, bool) {
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

// indexOf returns x, of 64 bits, plus shift, as an index of the array.
func indexOf(a *expr.Arena, array, x expr.ID, shift uint64) expr.ID {
	width, _ := a.ArrayWidths(array)
	return a.Add(a.Extract(x, 0, width), a.Const(shift, width))
}

// AfterStore returns the symbolic values of the elements of a table after a store of
// value at index x.
func (t *Table) AfterStore(a *expr.Arena, x, value expr.ID) []expr.ID {
	elems := t.elements(a)
	if t.N <= smallTable {
		for i, was := range elems {
			elems[i] = UnlessConst(a, a.Ite(a.Eq(x, a.Const(uint64(i), 64)), value, was))
		}
		return elems
	}
	array, shift := t.array(a, elems)
	array = a.Store(array, indexOf(a, array, x, shift), value)
	width, _ := a.ArrayWidths(array)
	for i, was := range elems {
		if was != value {
			was = a.Select(array, a.Const(uint64(i)+shift, width))
		}
		elems[i] = UnlessConst(a, was)
	}
	return elems
}
