package layout

import (
	"go/types"
	"sort"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// ByteOffset returns the distance in bytes of a cell from the start of its object.
func (m *Memory) ByteOffset(o *heap.Object, cell int) int64 {
	t := o.Type
	switch {
	case o.Bytes != nil || cell == 0:
		return int64(cell)
	case t == nil || o.Kind != heap.Array && o.Kind != heap.Variable:
		return int64(cell) * m.WordSize()
	case o.Kind == heap.Array && t.Words > 0:
		return int64(cell/t.Words)*t.Size + m.byteInType(t, cell%t.Words)
	}
	return m.byteInType(t, cell)
}

// WordSize returns the size in bytes of words that are not values of a Go type of their
// own, such as the length of a string or the capacity of a slice.
func (m *Memory) WordSize() int64 { return m.program.Sizes().Sizeof(types.Typ[types.Uintptr]) }

// byteInType returns the distance in bytes of a word from the start of a value of type t.
func (m *Memory) byteInType(t *code.Type, word int) int64 {
	switch {
	case word == t.Words: // the end
		return t.Size
	case t.Shape == code.ShapeArray:
		return int64(word/t.Elem.Words)*t.Elem.Size + m.byteInType(t.Elem, word%t.Elem.Words)
	case t.Shape == code.ShapeStruct:
		offsets := m.fieldOffsets(t)
		for i := range t.Fields {
			if f := &t.Fields[i]; word >= f.Offset && word < f.Offset+f.Type.Words {
				return offsets[i] + m.byteInType(f.Type, word-f.Offset)
			}
		}
	case t.Shape == code.ShapeComplex:
		return int64(word) * t.Size / 2
	}
	return int64(word) * m.WordSize()
}

// fieldOffsets returns the distances in bytes of the fields of a struct from its start.
func (m *Memory) fieldOffsets(t *code.Type) []int64 {
	if offsets, ok := m.offsets[t]; ok {
		return offsets
	}
	s := t.Go.Underlying().(*types.Struct)
	fields := make([]*types.Var, s.NumFields())
	for i := range fields {
		fields[i] = s.Field(i)
	}
	offsets := m.program.Sizes().Offsetsof(fields)
	m.offsets[t] = offsets
	return offsets
}

// CellAt is the inverse of byteOffset. The result ok is false if no cell begins at the
// offset.
func (m *Memory) CellAt(o *heap.Object, off int64) (cell int, ok bool) {
	// Offsets increase with cells.
	n := o.Size()
	cell = sort.Search(n, func(i int) bool { return m.ByteOffset(o, i) >= off })
	return cell, m.ByteOffset(o, cell) == off
}

// cellType returns the type of which cell i of o is a word, and the number of that word.
func cellType(o *heap.Object, i int) (*code.Type, int) {
	if o.Kind == heap.Array {
		i %= o.Type.Words
	}
	return leafOf(o.Type, i)
}

// leafOf returns the type, neither a struct nor an array, of which word i of t is one.
func leafOf(t *code.Type, i int) (*code.Type, int) {
	for {
		switch t.Shape {
		case code.ShapeArray:
			t, i = t.Elem, i%t.Elem.Words
		case code.ShapeStruct:
			k := len(t.Fields) - 1
			for t.Fields[k].Offset > i || t.Fields[k].Type.Words == 0 {
				k--
			}
			t, i = t.Fields[k].Type, i-t.Fields[k].Offset
		default:
			return t, i
		}
	}
}

// A fitKey identifies a question of whether memory fits a type.
type fitKey struct {
	kind      heap.ObjectKind
	has, want *code.Type
	cell      int
	n         int64
}

// fits reports whether the cells of o from cell on are words of n elements of type t, as far
// as they exist.
func (m *Memory) fits(o *heap.Object, cell int, t *code.Type, n int64) bool {
	if o.Kind == heap.Array && o.Type.Words > 0 {
		if cell%o.Type.Words == 0 && o.Type == t {
			return true
		}
		if whole := cell / o.Type.Words * o.Type.Words; o.Type.Words == t.Words && o.Type.Size == t.Size {
			n, cell = 1, cell-whole // the elements are alike
			if cell == 0 {
				return m.sameLayout(o.Type, t)
			}
		}
	}
	key := fitKey{o.Kind, o.Type, t, cell, n}
	fit, ok := m.fit[key]
	if ok && o.Kind == heap.Variable {
		return fit
	}
	const most = 1 << 12 // of words that are compared
	words := min(int64(o.Size()-cell), n*int64(t.Words))
	fit = words <= most || m.elementsFit(o, cell, t)
	start := m.ByteOffset(o, cell)
	for i := 0; fit && i < int(min(words, most)); i++ {
		has, h := cellType(o, cell+i)
		want, w := leafOf(t, i%t.Words)
		at := int64(i/t.Words)*t.Size + m.byteInType(t, i%t.Words)
		fit = m.ByteOffset(o, cell+i)-start == at && m.sameWord(has, h, want, w)
	}
	m.fit[key] = fit
	return fit
}

// elementsFit reports whether o is an array whose elements are laid out as values of type t.
func (m *Memory) elementsFit(o *heap.Object, cell int, t *code.Type) bool {
	elem := o.Type
	for elem.Shape == code.ShapeArray {
		elem = elem.Elem
	}
	return elem.Words > 0 && cell%elem.Words == 0 && m.sameLayout(elem, t)
}

// sameLayout reports whether values of two types have the same words, so that one is
// represented as the other.
func (m *Memory) sameLayout(a, b *code.Type) bool {
	if a == b {
		return true
	}
	if a.Words != b.Words || a.Size != b.Size {
		return false
	}
	key := fitKey{heap.TypeObject, a, b, 0, 1}
	if fit, ok := m.fit[key]; ok {
		return fit
	}
	m.fit[key] = true // for types that refer to themselves
	fit := true
	for i := 0; fit && i < a.Words; i++ {
		has, h := leafOf(a, i)
		want, w := leafOf(b, i)
		fit = m.byteInType(a, i) == m.byteInType(b, i) && m.sameWord(has, h, want, w)
	}
	m.fit[key] = fit
	return fit
}

// sameWord reports whether word i of type a, neither a struct nor an array, is represented as
// word j of type b.
func (m *Memory) sameWord(a *code.Type, i int, b *code.Type, j int) bool {
	x, y := a.Kinds[i], b.Kinds[j]
	if x != code.Pointer || y != code.Pointer {
		return x == y || wide(x) && wide(y) || x.Bits() == 32 && y.Bits() == 32 && x != code.Int32 && y != code.Int32
	}
	if a.Shape == code.ShapeUnsafePointer || b.Shape == code.ShapeUnsafePointer {
		return a.Shape == b.Shape // what the others point to is converted
	}
	if a.Shape != b.Shape && (a.Shape == code.ShapeString || b.Shape == code.ShapeString) {
		return false // a slice may be one of a view, and a string must not
	}
	has, ok := m.pointee(a)
	want, too := m.pointee(b)
	switch {
	case ok && too:
		return m.sameLayout(has, want)
	case a.Shape != b.Shape:
		return false
	case a.Shape == code.ShapeMap:
		return m.sameLayout(a.Key, b.Key) && m.sameLayout(a.Elem, b.Elem)
	case a.Shape == code.ShapeChan:
		return m.sameLayout(a.Elem, b.Elem)
	}
	return true
}

// pointee returns what the first word of a value of type t points to, if that is memory.
func (m *Memory) pointee(t *code.Type) (*code.Type, bool) {
	switch t.Shape {
	case code.ShapePointer, code.ShapeSlice:
		return t.Elem, true
	case code.ShapeString:
		return m.program.Type(types.Typ[types.Uint8]), true
	}
	return nil, false
}

// wide reports whether k is a number of 64 bits.
func wide(k code.Kind) bool { return k == code.Int64 || k == code.Uint64 || k == code.Float64 }

// byteSize returns the size in bytes of a word of kind k.
func byteSize(k code.Kind) int64 { return int64(max(8, k.Bits()) / 8) }
