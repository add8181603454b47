package heap

// A Word is what a register or a memory cell holds: a scalar in N, or a pointer
// as an object and an offset in cells. Floats are their IEEE bits, integers
// are sign- or zero-extended from their kind. The nil pointer has a nil P and
// N = 0. Which of the two a word is, is static: its code.Kind.
//
// The dynamic type of an interface is a Word whose P is the type's object.
type Word struct {
	N uint64
	P *Object
}

// Set makes w equal to x. Most words keep their P: the host's write barrier is for
// the others.
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

// CopyWords copies src to the start of dst, the first word first: dst does not begin
// within src, unless it is its start.
func CopyWords(dst, src []Word) {
	dst = dst[:len(src)]
	for i := range src {
		dst[i].Set(src[i])
	}
}

// MoveWords copies n words within r, as if through a buffer.
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

// ZeroWords makes all of w zero.
func ZeroWords(w []Word) {
	for i := range w {
		w[i].Set(Word{})
	}
}

// IsNil reports whether w is the nil pointer.
func (w *Word) IsNil() bool { return w.P == nil && w.N == 0 }

// BoolWord returns a truth value as a word.
func BoolWord(b bool) Word { return Word{N: Bool(b)} }

// Bool returns a truth value as the number that stands for it.
func Bool(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
