package value

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/layout"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Operations of package unsafe. A pointer is converted to the address that it has in a
// memory where objects are far apart and each object has the layout that the gc compiler
// uses. The number can be converted back if a pointer to that object has been converted to
// a number before in this run, and the address is that of a cell.

// objectSpan is the distance in bytes between the addresses of objects.
const objectSpan = 1 << 24

// Address returns the address of a pointer. It is not unique if the pointer is
// BeyondSpan.
func (m *Operations) Address(w heap.Word) uint64 {
	if w.P == nil {
		return w.N
	}
	if w.P.Kind == heap.ViewObject {
		base, off := m.Memory.Behind(w)
		return base.Base() | uint64(off)&(objectSpan-1)
	}
	return w.P.Base() | uint64(m.Memory.ByteOffset(w.P, int(w.N)))&(objectSpan-1)
}

// BeyondSpan reports whether a pointer is so far from the start of its object that it has
// no address of its own.
func (m *Operations) BeyondSpan(w heap.Word) bool {
	return w.P != nil && w.N >= objectSpan/maxCellSize && m.Memory.ByteOffset(w.P, int(w.N)) >= objectSpan
}

// maxCellSize is the size in bytes of the largest type that is represented by one word.
const maxCellSize = 8

// PointerToInt returns a pointer converted to uintptr.
func (m *Operations) PointerToInt(g *state.Goroutine, w heap.Word) heap.Word {
	if w.P != nil {
		if !m.Trace.NamesMatter && seesAddress(g) {
			m.Trace.Bounds.Add(run.Addresses)
			m.Trace.NamesMatter = true
		}
		o := w.P
		if o.Kind == heap.ViewObject {
			o = o.Cells[0].P
		}
		m.Exposed[o.Base()] = o
	}
	return heap.Word{N: m.Address(w)}
}

// seesAddress reports whether g uses an address in a way that may depend on where objects
// lie: in code outside the standard library, to print it, or to sort the keys of a map that is
// printed. The rest of the library only compares addresses within an object.
func seesAddress(g *state.Goroutine) bool {
	for i := len(g.Frames) - 1; i >= 0; i-- {
		fn := g.Frames[i].Func
		if !fn.Standard {
			return true
		}
		switch pkg, _, _ := strings.Cut(fn.Name, "."); pkg {
		case "fmt", "internal/fmtsort":
			return true
		case "reflect":
		default:
			return false
		}
	}
	return false
}

// IntToPointer carries out an IntPtr instruction.
func (m *Operations) IntToPointer(g *state.Goroutine, r []heap.Word, in *code.Instr) (ok bool) {
	r[in.A], ok = m.numberToPointer(g, r[in.B].N)
	return ok
}

// numberToPointer returns the unsafe.Pointer of an address.
func (m *Operations) numberToPointer(g *state.Goroutine, v uint64) (heap.Word, bool) {
	if fn, _ := m.AtPC(v); v < objectSpan || fn != nil {
		// Nil, small numbers that some code uses as invalid pointers, and program counters
		// that some code uses as pointers to functions.
		return heap.Word{N: v}, true
	}
	o := m.Exposed[v&^(objectSpan-1)]
	if o == nil {
		return heap.Word{}, m.Unsupported(g, fmt.Sprintf("conversion to a pointer of the number %#x, which is not that of a pointer", v))
	}
	return m.pointerAt(g, o, int64(v&(objectSpan-1)))
}

// AddPointer carries out a PtrAdd instruction.
func (m *Operations) AddPointer(g *state.Goroutine, r []heap.Word, in *code.Instr) bool {
	p, n := r[in.B], int64(r[in.C].N)
	switch {
	case p.P == nil || p.P.Bytes != nil || n == 0:
		p.N += uint64(n)
	case p.P.Kind == heap.ViewObject:
		base, off := m.Memory.Behind(p)
		var ok bool
		if p, ok = m.pointerAt(g, base, off+n); !ok {
			return false
		}
	default:
		var ok bool
		if p, ok = m.pointerAt(g, p.P, m.Memory.ByteOffset(p.P, int(p.N))+n); !ok {
			return false
		}
	}
	r[in.A] = p
	return true
}

// pointerAt returns an unsafe.Pointer to a byte of an object: to the cell that begins there or
// into the one that does not.
func (m *Operations) pointerAt(g *state.Goroutine, o *heap.Object, off int64) (heap.Word, bool) {
	if cell, ok := m.Memory.CellAt(o, off); ok {
		return heap.Word{P: o, N: uint64(cell)}, true
	}
	if off < 0 || o.Size() == 0 || off > m.Memory.ByteOffset(o, o.Size()) {
		return heap.Word{}, m.Unsupported(g, fmt.Sprintf("unsafe.Add to a pointer, or arithmetic with its number: it leads to byte %d of an object that has fewer", off))
	}
	return m.Memory.View(o, m.Program.Type(types.Typ[types.Uint8]), off), true
}

// UnsafeSlice carries out a MkSlice instruction, where t is the type of the slice.
func (m *Operations) UnsafeSlice(g *state.Goroutine, r []heap.Word, in *code.Instr, t *code.Type) bool {
	p, n := r[in.B], int64(r[in.C].N)
	switch {
	case p.P == nil && n > 0:
		return m.PanicError(g, "unsafe.Slice: ptr is nil and len is not zero")
	case n < 0 || n > state.MaxCells:
		return m.PanicError(g, "unsafe.Slice: len out of range")
	}
	if p.P != nil && n > 0 {
		var ok bool
		if p, ok = m.Memory.Convert(Accessor{m, g}, p, t.Elem, n); !ok {
			return false
		}
		if !layout.IsView(p) && !p.P.InBounds(int(p.N), int(n)*int(in.K)) {
			return m.outOfObject(g, p.P, int(p.N)+int(n)*int(in.K))
		}
	}
	r[in.A], r[in.A+1], r[in.A+2] = p, heap.Word{N: uint64(n)}, heap.Word{N: uint64(n)}
	return true
}

// UnsafeString carries out a MkString instruction.
func (m *Operations) UnsafeString(g *state.Goroutine, r []heap.Word, in *code.Instr) bool {
	p, n := r[in.B], int64(r[in.C].N)
	switch {
	case p.P == nil && n > 0:
		return m.PanicError(g, "unsafe.String: ptr is nil and len is not zero")
	case n < 0 || n > state.MaxCells:
		return m.PanicError(g, "unsafe.String: len out of range")
	case layout.IsView(p) && n > 0:
		return m.Unsupported(g, "a string in memory of another type: pointer conversion of package unsafe")
	case p.P != nil && !p.P.InBounds(int(p.N), int(n)):
		return m.outOfObject(g, p.P, int(p.N)+int(n))
	}
	r[in.A], r[in.A+1] = p, heap.Word{N: uint64(n)}
	return true
}

// unsupportedPunning ends the run because memory is accessed as another type than it was
// allocated with: words of kind k in an object of bytes.
func (m *Operations) unsupportedPunning(g *state.Goroutine, k code.Kind) bool {
	return m.Unsupported(g, fmt.Sprintf("access to bytes as a %v: pointer conversion of package unsafe", k))
}
