package heap

import "github.com/everyway-go/everyway/internal/expr"

// InBounds reports whether the n cells of o from off on exist. They do, unless the
// program has made up a pointer with package unsafe.
func (o *Object) InBounds(off, n int) bool {
	return off >= 0 && off+n <= o.Size()
}

// Load copies cells of o, from off on, to words.
func (o *Object) Load(words []Word, off int) {
	if len(words) == 1 && uint(off) < uint(len(o.Cells)) {
		words[0] = o.Cells[off]
		return
	}
	if o.Bytes != nil {
		for i := range words {
			words[i] = Word{N: uint64(o.Bytes[off+i])}
		}
		return
	}
	copy(words, o.Cells[off:])
}

// ShadowAt returns the shadows of n cells, nil if all of them are concrete.
func (o *Object) ShadowAt(off, n int) []expr.ID {
	if o.Sym == nil {
		return nil
	}
	s := o.Sym[off : off+n]
	for _, x := range s {
		if x != expr.None {
			return s
		}
	}
	return nil
}

// SetShadows sets the symbolic values of n cells. A nil shadow makes them concrete.
func (o *Object) SetShadows(off, n int, shadow []expr.ID) {
	if len(shadow) == 0 {
		if o.Sym != nil {
			clear(o.Sym[off : off+n])
		}
		return
	}
	if o.Sym == nil {
		symbolic := false
		for _, s := range shadow {
			symbolic = symbolic || s != expr.None
		}
		if !symbolic {
			return
		}
		o.Sym = make([]expr.ID, len(o.Cells)+len(o.Bytes))
	}
	copy(o.Sym[off:off+n], shadow)
}

// Fill sets cells of an object that has just been made, so that nothing has to be saved
// in the undo log. A nil shadow makes the cells concrete.
func (o *Object) Fill(off int, words []Word, shadow []expr.ID) {
	if o.Bytes != nil {
		for i, w := range words {
			o.Bytes[off+i] = byte(w.N)
		}
	} else {
		copy(o.Cells[off:], words)
	}
	if len(shadow) > 0 || o.Sym != nil {
		o.SetShadows(off, len(words), shadow)
	}
}

// Store sets cells of o and their shadows. A nil shadow makes the cells concrete.
func (h *Heap) Store(o *Object, off int, words []Word, shadow []expr.ID) {
	h.Dirty(o, off, len(words))
	if len(words) == 1 && shadow == nil && o.Sym == nil && uint(off) < uint(len(o.Cells)) {
		o.Cells[off].Set(words[0])
		return
	}
	o.Fill(off, words, shadow)
}

// Move copies n cells with their shadows from src to dst, which may be the same object.
// It saves the cells of dst in the undo log first.
func (h *Heap) Move(dst *Object, dstOff int, src *Object, srcOff, n int) {
	if n == 0 {
		return
	}
	h.Dirty(dst, dstOff, n)
	MoveNew(dst, dstOff, src, srcOff, n)
}

// MoveNew is Heap.Move for a destination that has just been made.
func MoveNew(dst *Object, dstOff int, src *Object, srcOff, n int) {
	if n == 0 {
		return
	}
	switch {
	case dst.Bytes != nil && src.Bytes != nil:
		copy(dst.Bytes[dstOff:dstOff+n], src.Bytes[srcOff:srcOff+n])
	case dst.Bytes == nil && src.Bytes == nil:
		copy(dst.Cells[dstOff:dstOff+n], src.Cells[srcOff:srcOff+n])
	case dst.Bytes != nil:
		for i := range n {
			dst.Bytes[dstOff+i] = byte(src.Cells[srcOff+i].N)
		}
	default:
		for i := range n {
			dst.Cells[dstOff+i] = Word{N: uint64(src.Bytes[srcOff+i])}
		}
	}
	if shadow := src.ShadowAt(srcOff, n); shadow != nil || dst.Sym != nil {
		dst.SetShadows(dstOff, n, shadow)
	}
}

// BytesAt returns the n bytes that base points to. Where possible, the slice is the
// memory itself rather than a copy.
func BytesAt(base Word, n int) []byte {
	if n == 0 {
		return nil
	}
	o, off := base.P, int(base.N)
	if o.Bytes != nil {
		return o.Bytes[off : off+n]
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(o.Cells[off+i].N)
	}
	return b
}

// StringAt returns a copy of the n bytes that base points to.
func StringAt(base Word, n int) string { return string(BytesAt(base, n)) }
