package exec

import (
	"fmt"
	"go/types"
	"sort"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Operations of package unsafe. A pointer is converted to the address that it has in a
// memory where objects are far apart and each object has the layout that the gc compiler
// uses. The number can be converted back if a pointer to that object has been converted to
// a number before in this run, and the address is that of a cell.

// objectSpan is the distance in bytes between the addresses of objects.
const objectSpan = 1 << 24

// address returns the address of a pointer. It is not unique if the pointer is
// beyondSpan.
func (m *Interpreter) address(w heap.Word) uint64 {
	if w.P == nil {
		return w.N
	}
	return heap.Word{P: w.P}.PointerCode() | uint64(m.byteOffset(w.P, int(w.N)))&(objectSpan-1)
}

// beyondSpan reports whether a pointer is so far from the start of its object that it has
// no address of its own.
func (m *Interpreter) beyondSpan(w heap.Word) bool {
	return w.P != nil && w.N >= objectSpan/maxCellSize && m.byteOffset(w.P, int(w.N)) >= objectSpan
}

// maxCellSize is the size in bytes of the largest type that is represented by one word.
const maxCellSize = 8

// byteOffset returns the distance in bytes of a cell from the start of its object.
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

// WordSize returns the size in bytes of words that are not values of a Go type of their
// own, such as the length of a string or the capacity of a slice.
func (m *Interpreter) WordSize() int64 { return m.Program.Sizes().Sizeof(types.Typ[types.Uintptr]) }

// byteInType returns the distance in bytes of a word from the start of a value of type t.
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

// fieldOffsets returns the distances in bytes of the fields of a struct from its start.
func (m *Interpreter) fieldOffsets(t *code.Type) []int64 {
	s := t.Go.Underlying().(*types.Struct)
	fields := make([]*types.Var, s.NumFields())
	for i := range fields {
		fields[i] = s.Field(i)
	}
	return m.Program.Sizes().Offsetsof(fields)
}

// cellAt is the inverse of byteOffset. The result ok is false if no cell begins at the
// offset.
func (m *Interpreter) cellAt(o *heap.Object, off int64) (cell int, ok bool) {
	// Offsets increase with cells.
	n := o.Size()
	cell = sort.Search(n, func(i int) bool { return m.byteOffset(o, i) >= off })
	return cell, m.byteOffset(o, cell) == off
}

// pointerToInt returns a pointer converted to uintptr.
func (m *Interpreter) pointerToInt(g *state.Goroutine, w heap.Word) heap.Word {
	if w.P != nil {
		if !m.Trace.Bounds.Has(run.Addresses) && seesAddress(g) {
			m.Trace.Bounds.Add(run.Addresses)
		}
		m.Exposed[heap.Word{P: w.P}.PointerCode()] = w.P
	}
	return heap.Word{N: m.address(w)}
}

// seesAddress reports whether g uses an address in a way that may depend on where objects
// lie: in code outside the standard library, or to print or sort it in package fmt. The
// rest of the library only compares addresses within an object.
func seesAddress(g *state.Goroutine) bool {
	for i := len(g.Frames) - 1; i >= 0; i-- {
		fn := g.Frames[i].Func
		if !fn.Standard {
			return true
		}
		switch pkg, _, _ := strings.Cut(fn.Name, "."); pkg {
		case "fmt":
			return true
		case "reflect", "internal/fmtsort":
		default:
			return false
		}
	}
	return false
}

// intToPointer carries out an IntPtr instruction.
func (m *Interpreter) intToPointer(g *state.Goroutine, r []heap.Word, in *code.Instr) bool {
	v := r[in.B].N
	if fn, _ := m.AtPC(v); v < objectSpan || fn != nil {
		// Nil, small numbers that some code uses as invalid pointers, and program counters
		// that some code uses as pointers to functions.
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

// unsupportedPunning ends the run because memory is accessed as another type than it was
// allocated with: words of kind k in an object of bytes.
func (m *Interpreter) unsupportedPunning(g *state.Goroutine, k code.Kind) bool {
	return m.Unsupported(g, fmt.Sprintf("access to bytes as a %v: pointer conversion of package unsafe", k))
}
