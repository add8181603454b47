package vm

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/code"
)

// What package unsafe can do with pointers. Memory has no addresses, so a
// pointer becomes the number that pointerCode gives, and only such a number
// becomes a pointer again.

// pointerToInt returns the number that a pointer is as a uintptr.
func (m *Machine) pointerToInt(w Word) Word {
	if w.P == nil {
		return Word{N: w.N}
	}
	v := pointerCode(w)
	if m.atStart[v].P != w.P {
		m.exposed[v] = w
	}
	return Word{N: v}
}

// intToPointer carries out an IntPtr instruction.
func (m *Machine) intToPointer(g *goroutine, r []Word, in *code.Instr) bool {
	v := r[in.B].N
	w, ok := m.exposed[v]
	if !ok {
		w, ok = m.atStart[v]
	}
	if !ok {
		if v != 0 && v >= 1<<24 {
			return m.unsupported(g, fmt.Sprintf("conversion to a pointer of the number %#x, which is not that of a pointer", v))
		}
		w = Word{N: v} // nil, and the small numbers that some code takes for invalid pointers
	}
	r[in.A] = w
	return true
}

// addPointer carries out a PtrAdd instruction.
func (m *Machine) addPointer(g *goroutine, r []Word, in *code.Instr) bool {
	p, n := r[in.B], int64(r[in.C].N)
	switch {
	case p.P == nil || p.P.Bytes != nil || n == 0:
		p.N += uint64(n)
	default:
		size := int64(0)
		if t := p.P.Type; t != nil && p.P.Kind == Array && t.Words == 1 {
			size = t.Size
		} else if t != nil && t.Shape == code.ShapeArray && t.Elem.Words == 1 {
			size = t.Elem.Size
		}
		if size == 0 || n%size != 0 {
			return m.unsupported(g, "unsafe.Add to a pointer into memory that is no array of scalars")
		}
		p.N += uint64(n / size)
	}
	r[in.A] = p
	return true
}

// unsafeSlice carries out a MkSlice instruction.
func (m *Machine) unsafeSlice(g *goroutine, r []Word, in *code.Instr) bool {
	p, n := r[in.B], int64(r[in.C].N)
	switch {
	case n < 0 || n > maxCells:
		return m.panicError(g, "unsafe.Slice: len out of range")
	case p.P == nil && n > 0:
		return m.panicError(g, "unsafe.Slice: ptr is nil and len is not zero")
	case p.P != nil && !p.P.inBounds(int(p.N), int(n)*int(in.K)):
		return m.wild(g, p.P, int(p.N)+int(n)*int(in.K))
	}
	r[in.A], r[in.A+1], r[in.A+2] = p, Word{N: uint64(n)}, Word{N: uint64(n)}
	return true
}

// unsafeString carries out a MkString instruction.
func (m *Machine) unsafeString(g *goroutine, r []Word, in *code.Instr) bool {
	p, n := r[in.B], int64(r[in.C].N)
	switch {
	case n < 0 || n > maxCells:
		return m.panicError(g, "unsafe.String: len out of range")
	case p.P == nil && n > 0:
		return m.panicError(g, "unsafe.String: ptr is nil and len is not zero")
	case p.P != nil && !p.P.inBounds(int(p.N), int(n)):
		return m.wild(g, p.P, int(p.N)+int(n))
	}
	r[in.A], r[in.A+1] = p, Word{N: uint64(n)}
	return true
}

// punned ends the run at an access that takes memory for something else than
// what was made there: words of kind k of an object of bytes.
func (m *Machine) punned(g *goroutine, k code.Kind) bool {
	return m.unsupported(g, fmt.Sprintf("access to bytes as a %v: pointer conversion of package unsafe", k))
}
