package heap

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/run"
)

// Word returns the word in cell i.
func (o *Object) Word(i int) Word {
	if o.Bytes != nil {
		return Word{N: uint64(o.Bytes[i])}
	}
	return o.Cells[i]
}

// CellKind returns the kind of the value in cell i.
func (o *Object) CellKind(i int) code.Kind {
	if o.Type == nil || o.Kind != Variable && o.Kind != Array {
		return code.Int64
	}
	if o.Kind == Array && o.Type.Words > 0 {
		i %= o.Type.Words
	}
	return WordKind(o.Type, i)
}

// WordKind returns the kind of word i of a value of type t.
func WordKind(t *code.Type, i int) code.Kind {
	for t.Kinds == nil {
		if t.Shape == code.ShapeArray {
			t = t.Elem
			if t.Words == 0 {
				return code.NoKind
			}
			i %= t.Words
			continue
		}
		k := 0
		for k < len(t.Fields)-1 && t.Fields[k+1].Offset <= i {
			k++
		}
		if k >= len(t.Fields) {
			return code.NoKind
		}
		i -= t.Fields[k].Offset
		t = t.Fields[k].Type
	}
	if i >= len(t.Kinds) {
		return code.NoKind
	}
	return t.Kinds[i]
}

// KindWidth returns the number of bits of a symbolic value of kind k, 0 for kinds whose
// values are never symbolic.
func KindWidth(k code.Kind) uint8 {
	switch k {
	case code.Bool:
		return 1
	case code.Int8, code.Uint8:
		return 8
	case code.Int16, code.Uint16:
		return 16
	case code.Int32, code.Uint32, code.Float32:
		return 32
	case code.Complex64, code.Complex128, code.NoKind:
		return 0
	}
	return 64
}

// Number returns a word of kind k as a number: the PointerCode of a pointer, and
// otherwise the bits of the value.
func (w Word) Number(k code.Kind) uint64 {
	if w.P != nil {
		return w.PointerCode()
	}
	if width := KindWidth(k); width > 0 && width < 64 {
		return w.N & (1<<width - 1)
	}
	return w.N
}

// PointerCode returns the number that stands for a pointer in events and conditions. It
// is 0 for nil. Different pointers have different numbers as long as offsets and counts
// of allocations are below 2^24 and there are fewer than 2^15 goroutines; the limits of a
// run are far below that. Constants and globals belong to negative goroutines, which have
// numbers of their own. The number of an object that is an input is small, since it is the
// value of an input.
func (w Word) PointerCode() uint64 {
	if w.P == nil {
		return w.N
	}
	return w.P.ID.PointerCode(w.N)
}

// Base returns the address of the first cell of o, and the PointerCode of a pointer to it unless it
// is an input. The addresses of different objects are 2^24 or more apart.
func (o *Object) Base() uint64 { return o.ID.Address() }

// Pointee is the inverse of PointerCode: it returns the object that a pointer points to and the offset.
func Pointee(code uint64) (id run.ObjectID, off int) { return run.Pointee(code) }

// Canonical returns the integer v in the form in which words of kind k hold it: truncated
// and then sign-extended or zero-extended.
func Canonical(v uint64, k code.Kind) uint64 {
	switch k {
	case code.Bool:
		return v & 1
	case code.Int8:
		return uint64(int64(int8(v)))
	case code.Int16:
		return uint64(int64(int16(v)))
	case code.Int32:
		return uint64(int64(int32(v)))
	case code.Uint8:
		return uint64(uint8(v))
	case code.Uint16:
		return uint64(uint16(v))
	case code.Uint32, code.Float32:
		return uint64(uint32(v))
	}
	return v
}

// Canonical returns w with its number in canonical form, unless it is a pointer.
func (w Word) Canonical(k code.Kind) Word {
	if w.P == nil {
		w.N = Canonical(w.N, k)
	}
	return w
}
