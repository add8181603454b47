package vm

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

// set makes w equal to x. Most words keep their P: the host's write barrier is for
// the others.
func (w *Word) set(x Word) {
	w.N = x.N
	if w.P != x.P {
		w.P = x.P
	}
}

// copyWords copies src to the start of dst, the first word first: dst does not begin
// within src, unless it is its start.
func copyWords(dst, src []Word) {
	dst = dst[:len(src)]
	for i := range src {
		dst[i].set(src[i])
	}
}

// moveWords copies n words within r, as if through a buffer.
func moveWords(r []Word, to, from, n int) {
	dst, src := r[to:to+n], r[from:from+n]
	if to <= from {
		copyWords(dst, src)
		return
	}
	dst = dst[:len(src)]
	for i := len(src) - 1; i >= 0; i-- {
		dst[i].set(src[i])
	}
}

// zeroWords makes all of w zero.
func zeroWords(w []Word) {
	for i := range w {
		w[i].set(Word{})
	}
}

// isNil reports whether w is the nil pointer.
func (w *Word) isNil() bool { return w.P == nil && w.N == 0 }
