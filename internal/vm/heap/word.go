package heap

import "github.com/everyway-go/everyway/internal/code"

// A Word is the content of a register or a memory cell: a scalar in N, or a pointer as an
// object P and an offset N in cells. Floats are stored as their IEEE bits, and integers
// are sign-extended or zero-extended from their kind. The nil pointer has a nil P and N =
// 0. Whether a word is a scalar or a pointer is known statically, from its code.Kind.
//
// The dynamic type of an interface is a Word whose P is the type's object.
type Word struct {
	N uint64
	P *Object
}

// Set makes w equal to x. It assigns P only if it changes, to avoid the write barrier of
// the garbage collector, since most assignments do not change it.
func (w *Word) Set(x Word) {
	w.N = x.N
	if w.P != x.P {
		w.P = x.P
	}
}

// SetNumber makes w the number v.
func (w *Word) SetNumber(v uint64) {
	w.N = v
	if w.P != nil {
		w.P = nil
	}
}

// CopyWords copies src to the start of dst, from the first word to the last. The start of
// dst must not lie inside src, except at its start.
func CopyWords(dst, src []Word) {
	dst = dst[:len(src)]
	for i := range src {
		dst[i].Set(src[i])
	}
}

// MoveWords copies n words from r[from:] to r[to:], which may overlap.
func MoveWords(r []Word, to, from, n int) {
	dst, src := r[to:to+n], r[from:from+n]
	if to <= from {
		CopyWords(dst, src)
		return
	}
	dst = dst[:len(src)]
	for i := len(src) - 1; i >= 0; i-- {
		dst[i].Set(src[i])
	}
}

// ZeroWords sets all of w to zero.
func ZeroWords(w []Word) {
	for i := range w {
		w[i].Set(Word{})
	}
}

// IsNil reports whether w is the nil pointer.
func (w *Word) IsNil() bool { return w.P == nil && w.N == 0 }

// BoolWord returns a boolean as a word.
func BoolWord(b bool) Word { return Word{N: Bool(b)} }

// Bool returns the number that represents a boolean.
func Bool(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Unbox appends the words of the value of type t that the data word of an interface
// holds.
func Unbox(dst []Word, t *code.Type, data Word) []Word {
	switch t.Words {
	case 0:
		return dst
	case 1:
		return append(dst, data)
	}
	for i := range t.Words {
		dst = append(dst, data.P.Word(int(data.N)+i))
	}
	return dst
}
