package exec

import (
	"fmt"
	"go/types"
	"sort"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// What package unsafe can do with pointers. As a number, a pointer is the address that
// it has in a layout where objects are far apart, and each is laid out as the gc
// compiler does. Such a number becomes a pointer again where its object has been
// made a number in this run, and the address is that of a cell.

// objectSpan is the distance in bytes between the addresses of objects.
const objectSpan = 1 << 24

// address returns the address that a pointer stands for. It may be that of another, too, if
// it is beyondSpan.
func (m *Interpreter) address(w heap.Word) uint64 {
	if w.P == nil {
		return w.N
	}
	return heap.Word{P: w.P}.PointerCode() | uint64(m.byteOffset(w.P, int(w.N)))&(objectSpan-1)
}

// beyondSpan reports whether a pointer is too far from the start of its object to have an
// address of its own.
func (m *Interpreter) beyondSpan(w heap.Word) bool {
	return w.P != nil && w.N >= objectSpan/maxCellSize && m.byteOffset(w.P, int(w.N)) >= objectSpan
}

// maxCellSize is the size in bytes of the largest type that is one word here.
const maxCellSize = 8

// byteOffset returns how many bytes a cell is from the start of its object.
func (m *Interpreter) byteOffset(o *heap.Object, cell int) int64 {
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

// WordSize is the size in bytes of what is a word here and has no type of its own in Go: a
// string's length, a slice's capacity.
func (m *Interpreter) WordSize() int64 { return m.Program.Sizes().Sizeof(types.Typ[types.Uintptr]) }

// byteInType returns how many bytes a word is from the start of a value of type t.
func (m *Interpreter) byteInType(t *code.Type, word int) int64 {
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

// fieldOffsets returns how many bytes the fields of a struct are from its start.
func (m *Interpreter) fieldOffsets(t *code.Type) []int64 {
	s := t.Go.Underlying().(*types.Struct)
	fields := make([]*types.Var, s.NumFields())
	for i := range fields {
		fields[i] = s.Field(i)
	}
	return m.Program.Sizes().Offsetsof(fields)
}

// cellAt is the inverse of byteOffset; ok is false where no cell begins.
func (m *Interpreter) cellAt(o *heap.Object, off int64) (cell int, ok bool) {
	// Offsets rise with cells.
	n := o.Size()
	cell = sort.Search(n, func(i int) bool { return m.byteOffset(o, i) >= off })
	return cell, m.byteOffset(o, cell) == off
}

// pointerToInt returns the number that a pointer is as a uintptr.
func (m *Interpreter) pointerToInt(w heap.Word) heap.Word {
	if w.P != nil {
		m.Exposed[heap.Word{P: w.P}.PointerCode()] = w.P
	}
	return heap.Word{N: m.address(w)}
}

// intToPointer carries out an IntPtr instruction.
func (m *Interpreter) intToPointer(g *state.Goroutine, r []heap.Word, in *code.Instr) bool {
	v := r[in.B].N
	if fn, _ := m.AtPC(v); v < objectSpan || fn != nil {
		// Nil, the small numbers that some code takes for invalid pointers, and the
		// program counters that others take for pointers to code.
		r[in.A] = heap.Word{N: v}
		return true
	}
	o := m.Exposed[v&^(objectSpan-1)]
	if o == nil {
		return m.Unsupported(g, fmt.Sprintf("conversion to a pointer of the number %#x, which is not that of a pointer", v))
	}
	cell, ok := m.cellAt(o, int64(v&(objectSpan-1)))
	if !ok {
		return m.Unsupported(g, fmt.Sprintf("conversion to a pointer of the number %#x: no variable begins there", v))
	}
	r[in.A] = heap.Word{P: o, N: uint64(cell)}
	return true
}

// addPointer carries out a PtrAdd instruction.
func (m *Interpreter) addPointer(g *state.Goroutine, r []heap.Word, in *code.Instr) bool {
	p, n := r[in.B], int64(r[in.C].N)
	switch {
	case p.P == nil || p.P.Bytes != nil || n == 0:
		p.N += uint64(n)
	default:
		cell, ok := m.cellAt(p.P, m.byteOffset(p.P, int(p.N))+n)
		if !ok {
			return m.Unsupported(g, "unsafe.Add to a pointer: no variable begins where it leads")
		}
		p.N = uint64(cell)
	}
	r[in.A] = p
	return true
}

// unsafeSlice carries out a MkSlice instruction.
func (m *Interpreter) unsafeSlice(g *state.Goroutine, r []heap.Word, in *code.Instr) bool {
	p, n := r[in.B], int64(r[in.C].N)
	switch {
	case n < 0 || n > state.MaxCells:
		return m.panicError(g, "unsafe.Slice: len out of range")
	case p.P == nil && n > 0:
		return m.panicError(g, "unsafe.Slice: ptr is nil and len is not zero")
	case p.P != nil && !p.P.InBounds(int(p.N), int(n)*int(in.K)):
		return m.outOfObject(g, p.P, int(p.N)+int(n)*int(in.K))
	}
	r[in.A], r[in.A+1], r[in.A+2] = p, heap.Word{N: uint64(n)}, heap.Word{N: uint64(n)}
	return true
}

// unsafeString carries out a MkString instruction.
func (m *Interpreter) unsafeString(g *state.Goroutine, r []heap.Word, in *code.Instr) bool {
	p, n := r[in.B], int64(r[in.C].N)
	switch {
	case n < 0 || n > state.MaxCells:
		return m.panicError(g, "unsafe.String: len out of range")
	case p.P == nil && n > 0:
		return m.panicError(g, "unsafe.String: ptr is nil and len is not zero")
	case p.P != nil && !p.P.InBounds(int(p.N), int(n)):
		return m.outOfObject(g, p.P, int(p.N)+int(n))
	}
	r[in.A], r[in.A+1] = p, heap.Word{N: uint64(n)}
	return true
}

// punned ends the run at an access that takes memory for something else than
// what was made there: words of kind k of an object of bytes.
func (m *Interpreter) unsupportedPunning(g *state.Goroutine, k code.Kind) bool {
	return m.Unsupported(g, fmt.Sprintf("access to bytes as a %v: pointer conversion of package unsafe", k))
}
