package layout

import (
	"fmt"
	"go/types"
	"sort"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// A viewKey identifies a view.
type viewKey struct {
	base   *heap.Object
	id     [2]int64 // of the base, whose memory may have been used for another object before
	elem   *code.Type
	before int64
}

// IsView reports whether w points to a view.
func IsView(w heap.Word) bool { return w.P != nil && w.P.Kind == heap.ViewObject }

// Convert carries out a Pun instruction: it converts an unsafe.Pointer to a pointer to n
// elements of type t.
func (m *Memory) Convert(g Accessor, w heap.Word, t *code.Type, n int64) (heap.Word, bool) {
	for t.Shape == code.ShapeArray && t.Len > 0 {
		t, n = t.Elem, n*t.Len
	}
	w = m.Plain(w)
	o := w.P
	if o == nil || t.Words == 0 || o.Type == nil || o.Type == t && w.N == 0 {
		return w, true
	}
	base, off := o, int64(0)
	if o.Kind == heap.ViewObject {
		base, off = m.Behind(w)
	} else {
		switch {
		case o.Kind != heap.Variable && o.Kind != heap.Array:
			return w, true
		case o.Bytes != nil && t.Bytes || int(w.N) >= o.Size():
			return w, true
		case m.fits(o, int(w.N), t, n):
			return w, true
		}
		off = m.ByteOffset(o, int(w.N))
	}
	if g.Standard() && o.Kind != heap.ViewObject && HasPointers(t) {
		return w, true // the models of package reflect know how interfaces are represented
	}
	return m.View(base, t, off), true
}

// View returns a pointer to the element of type t that begins at a byte of base.
func (m *Memory) View(base *heap.Object, t *code.Type, off int64) heap.Word {
	before := off % t.Size
	key := viewKey{base, [2]int64{int64(base.ID.Goroutine), int64(base.ID.Count)}, t, before}
	o := m.views[key]
	if o == nil {
		o = &heap.Object{
			Kind: heap.ViewObject, Type: t, Cells: []heap.Word{{P: base, N: uint64(before)}}, ID: base.ID,
			Initial: base.Initial,
		}
		m.views[key] = o
	}
	return heap.Word{P: o, N: 1 + uint64((off-before)/t.Size)*uint64(t.Words)}
}

// Plain returns w without a view if it points to the beginning of a cell.
func (m *Memory) Plain(w heap.Word) heap.Word {
	if !IsView(w) {
		return w
	}
	base, off := m.Behind(w)
	if cell, ok := m.CellAt(base, off); ok {
		return heap.Word{P: base, N: uint64(cell)}
	}
	return m.View(base, m.program.Type(types.Typ[types.Uint8]), off)
}

// Behind returns the base of the view that w points to, and the distance of what w points to
// from its start in bytes.
func (m *Memory) Behind(w heap.Word) (base *heap.Object, off int64) {
	c, t, i := w.P.Cells[0], w.P.Type, int64(w.N)-1
	n := int64(t.Words)
	return c.P, int64(c.N) + i/n*t.Size + m.byteInType(t, int(i%n))
}

// A Part is the memory behind some words of a view: the cells of its base from first to last.
type Part struct {
	Base        *heap.Object
	First, Last int
}

// Assemble returns word i of a view with its symbolic value, made from the cells of its base.
func (m *Memory) Assemble(g Accessor, p Part, cells []heap.Word, syms []expr.ID, o *heap.Object, i int) (heap.Word, expr.ID, bool) {
	k := o.Type.Kind((i - 1) % o.Type.Words)
	_, at := m.Behind(heap.Word{P: o, N: uint64(i)})
	if k >= code.Pointer {
		w, ok := m.assemblePointer(g, p, cells, o, i, at)
		return w, expr.None, ok
	}
	var bits uint64
	sym := expr.None
	size := byteSize(k)
	for b := range size {
		value, x, ok := m.byteAt(g, p, cells, syms, at+b)
		if !ok {
			return heap.Word{}, expr.None, false
		}
		bits |= uint64(value) << (8 * b)
		if x == expr.None && sym != expr.None {
			x = m.arena.Const(uint64(value), 8)
		}
		switch {
		case x == expr.None:
		case b == 0:
			sym = x
		case sym == expr.None:
			sym = m.arena.Concat(x, m.arena.Const(bits&(1<<(8*b)-1), uint8(8*b)))
		default:
			sym = m.arena.Concat(x, sym)
		}
	}
	if k == code.Bool {
		if bits > 1 || sym != expr.None {
			return heap.Word{}, expr.None, g.Unsupported("a byte as a bool: pointer conversion of package unsafe")
		}
	}
	return heap.Word{N: heap.Canonical(bits, k)}, sym, true
}

// assemblePointer returns word i of a view, which is a pointer at a byte of its base.
func (m *Memory) assemblePointer(g Accessor, p Part, cells []heap.Word, o *heap.Object, i int, at int64) (heap.Word, bool) {
	want, word := leafOf(o.Type, (i-1)%o.Type.Words)
	cell, from, has := m.cellOf(p, at)
	w := cells[cell-p.First]
	if from == at && p.Base.Bytes == nil {
		leaf, of := cellType(p.Base, cell)
		switch {
		case has >= code.Pointer && m.sameWord(leaf, of, want, word):
			return w, true
		case has == code.Pointer && of == 0 && word == 0 && convertible(leaf, want):
			return m.retype(g, w, want)
		case has == code.IfaceType && want.Shape != code.ShapeInterface:
			return w, true
		case has == code.IfaceData && want.Shape != code.ShapeInterface && word == 0:
			// A value of one word that is no pointer has no memory that there could be a pointer to.
			if t := dynamic(p, cells, cell); t == nil || t.Words > 1 || direct(t) {
				return m.retype(g, w, want)
			}
		case wide(has) && want.Shape != code.ShapeInterface && word == 0:
			var ok bool
			if w, ok = g.Pointer(w.N); !ok {
				return w, false
			}
			return m.retype(g, w, want)
		}
	}
	return w, g.Unsupported(fmt.Sprintf("a %v of memory of another type: pointer conversion of package unsafe", want))
}

// dynamic returns the type of the value in an interface, one cell of which is that with the data.
func dynamic(p Part, cells []heap.Word, data int) *code.Type {
	typ := p.Base.Word(data - 1)
	if i := data - 1 - p.First; i >= 0 {
		typ = cells[i]
	}
	if typ.P == nil {
		return nil
	}
	return typ.P.Desc
}

// direct reports whether a value of type t in an interface is its data word, which is a pointer, natively, too.
func direct(t *code.Type) bool {
	switch t.Shape {
	case code.ShapePointer, code.ShapeUnsafePointer, code.ShapeMap, code.ShapeChan, code.ShapeFunc:
		return true
	}
	return false
}

// setInterface returns what a pointer becomes that is stored as a word of an interface: as its type or its data.
// The type comes first, and is that of a value whose data follows; until then, the data is nil.
func (m *Memory) setInterface(g Accessor, p Part, cells []heap.Word, cell int, w heap.Word, typ bool) (heap.Word, bool) {
	if typ {
		switch {
		case w.P == p.Base.Word(cell).P:
			return w, true
		case w.P != nil && w.P.Kind != heap.TypeObject:
			return w, false
		case cell+1-p.First < len(cells):
			return w, true // the data comes with it
		}
		return w, p.Base.Word(cell+1) == heap.Word{} && (w.P == nil || direct(w.P.Desc))
	}
	w = m.Plain(w)
	switch t := dynamic(p, cells, cell); {
	case t == nil:
		return w, w == heap.Word{}
	case direct(t):
		return m.retype(g, w, t)
	case t.Words > 1:
		return w, w.P != nil && (w.P.Kind == heap.Variable || w.P.Kind == heap.Array) && w.P.Bytes == nil && int(w.N)+t.Words <= w.P.Size() && m.fits(w.P, int(w.N), t, 1)
	}
	return w, false
}

// convertible reports whether a pointer that is the first word of a value of type from can
// become that of a value of type to.
func convertible(from, to *code.Type) bool {
	if from.Shape == code.ShapeUnsafePointer || to.Shape == code.ShapeUnsafePointer {
		return true
	}
	memory := func(t *code.Type) bool {
		return t.Shape == code.ShapePointer || t.Shape == code.ShapeSlice || t.Shape == code.ShapeString
	}
	return memory(from) && memory(to)
}

// retype converts a pointer to the first word of a value of type t, as a conversion in the program
// would.
func (m *Memory) retype(g Accessor, w heap.Word, t *code.Type) (heap.Word, bool) {
	elem, ok := m.pointee(t)
	if !ok {
		return m.Plain(w), true
	}
	n := int64(1)
	if t.Shape != code.ShapePointer && w.P != nil {
		n = int64(w.P.Size()) // as many as there may be
	}
	w, ok = m.Convert(g, w, elem, n)
	if ok && t.Shape == code.ShapeString && IsView(w) {
		return w, g.Unsupported("a string in memory of another type: pointer conversion of package unsafe")
	}
	return w, ok
}

// AsStored prepares the arguments of a primitive if it is an atomic operation on a pointer. If the
// first of them points to a view, it becomes a pointer to the cell behind it, and the others what
// is stored there in their place. The result plain is false if the primitive is another one, or
// the run has ended; then ok is false.
func (m *Memory) AsStored(g Accessor, name string, args []heap.Word) (plain, ok bool) {
	if !strings.HasPrefix(name, "sync/atomic.") || !strings.HasSuffix(name, "Pointer") {
		return false, true
	}
	if !IsView(args[0]) {
		return true, true
	}
	base, off := m.Behind(args[0])
	cell, ok := m.CellAt(base, off)
	if !ok || cell >= base.Size() || base.Bytes != nil || base.CellKind(cell) != code.Pointer {
		return false, true
	}
	leaf, of := cellType(base, cell)
	if of != 0 {
		return false, true
	}
	args[0] = heap.Word{P: base, N: uint64(cell)}
	for i := range args[1:] {
		if args[i+1], ok = m.retype(g, args[i+1], leaf); !ok {
			return false, false
		}
	}
	return true, true
}

// byteAt returns a byte of the base of a view with its symbolic value. Bytes between
// variables are zero.
func (m *Memory) byteAt(g Accessor, p Part, cells []heap.Word, syms []expr.ID, at int64) (byte, expr.ID, bool) {
	i, from, k := m.cellOf(p, at)
	if at-from >= byteSize(k) {
		return 0, expr.None, true
	}
	w := cells[i-p.First]
	if w.P != nil {
		if k != code.Pointer {
			return 0, expr.None, g.Unsupported("the bytes of an interface: pointer conversion of package unsafe")
		}
		w = g.Number(w)
	}
	shift := 8 * (at - from)
	sym := expr.None
	if syms != nil && syms[i-p.First] != expr.None {
		if sym = syms[i-p.First]; k == code.Bool {
			sym = m.arena.ZExt(sym, 8)
		} else {
			sym = m.arena.Extract(sym, uint8(shift), 8)
		}
	}
	return byte(w.Number(k) >> shift), sym, true
}

// cellOf returns the last cell of p that begins at or before a byte of its base, where that is
// and what it holds.
func (m *Memory) cellOf(p Part, at int64) (i int, from int64, k code.Kind) {
	i = p.First + sort.Search(p.Last-p.First, func(i int) bool { return m.ByteOffset(p.Base, p.First+i) > at }) - 1
	i = max(i, p.First)
	if p.Base.Bytes != nil {
		return i, int64(i), code.Uint8
	}
	return i, m.ByteOffset(p.Base, i), p.Base.CellKind(i)
}

// Replace puts words of a view, from word off on, in the place of what the cells of its base
// hold. It reports whether they are replaced as a whole.
func (m *Memory) Replace(g Accessor, p Part, cells []heap.Word, syms []expr.ID, o *heap.Object, off int, words []heap.Word, shadow []expr.ID) (whole, ok bool) {
	n := len(cells)
	written := make([]int64, n) // bytes of each cell
	for j := range words {
		w := words[j]
		i := off + j
		k := o.Type.Kind((i - 1) % o.Type.Words)
		_, at := m.Behind(heap.Word{P: o, N: uint64(i)})
		if cell, from, has := m.cellOf(p, at); has >= code.Pointer || k >= code.Pointer {
			want, word := leafOf(o.Type, (i-1)%o.Type.Words)
			fits := from == at && p.Base.Bytes == nil
			if fits && has == code.Pointer {
				leaf, of := cellType(p.Base, cell)
				if wide(k) && (shadow == nil || shadow[j] == expr.None) && of == 0 {
					if w, ok = g.Pointer(w.N); !ok {
						return false, false
					}
				} else {
					fits = m.sameWord(leaf, of, want, word) || k == code.Pointer && of == 0 && word == 0 && convertible(want, leaf)
				}
				if fits && !m.sameWord(leaf, of, want, word) {
					if w, ok = m.retype(g, w, leaf); !ok {
						return false, false
					}
				}
			} else if fits {
				leaf, of := cellType(p.Base, cell)
				if fits = m.sameWord(leaf, of, want, word); !fits && want.Shape == code.ShapeUnsafePointer && (has == code.IfaceType || has == code.IfaceData) {
					w, fits = m.setInterface(g, p, cells, cell, w, has == code.IfaceType)
				}
			}
			if !fits {
				return false, g.Unsupported(fmt.Sprintf("a store of a %v to memory of another type: pointer conversion of package unsafe", want))
			}
			cells[cell-p.First], syms[cell-p.First], written[cell-p.First] = w, expr.None, byteSize(has)
			continue
		}
		for b := range byteSize(k) {
			cell, from, has := m.cellOf(p, at+b)
			value := byte(w.Number(k) >> (8 * b))
			if at+b-from >= byteSize(has) {
				if value != 0 {
					return false, g.Unsupported("a store between variables: pointer conversion of package unsafe")
				}
				continue
			}
			x := expr.None
			if shadow != nil && shadow[j] != expr.None {
				if x = shadow[j]; k == code.Bool {
					x = m.arena.ZExt(x, 8)
				} else {
					x = m.arena.Extract(x, uint8(8*b), 8)
				}
			}
			c := &cells[cell-p.First]
			if has == code.Bool && (x != expr.None || value > 1) {
				return false, g.Unsupported(fmt.Sprintf("a store of a number to a %v: pointer conversion of package unsafe", has))
			}
			m.setByte(c, &syms[cell-p.First], has, uint8(8*(at+b-from)), value, x)
			written[cell-p.First]++
		}
	}
	whole = true
	for i := range n {
		whole = whole && written[i] >= byteSize(m.kindOf(p, i))
	}
	return whole, true
}

// kindOf returns the kind of the i-th cell of p.
func (m *Memory) kindOf(p Part, i int) code.Kind {
	if p.Base.Bytes != nil {
		return code.Uint8
	}
	return p.Base.CellKind(p.First + i)
}

// setByte replaces the byte from bit shift on in a word of kind k, whose symbolic value is sym.
func (m *Memory) setByte(w *heap.Word, sym *expr.ID, k code.Kind, shift uint8, value byte, x expr.ID) {
	width := heap.KindWidth(k)
	bits := w.Number(k)
	if k == code.Bool {
		width = 8
	}
	if x != expr.None || *sym != expr.None && k != code.Bool {
		old := *sym
		if old == expr.None {
			old = m.arena.Const(bits, width)
		}
		if x == expr.None {
			x = m.arena.Const(uint64(value), 8)
		}
		if shift > 0 {
			x = m.arena.Concat(x, m.arena.Extract(old, 0, shift))
		}
		if end := shift + 8; end < width {
			x = m.arena.Concat(m.arena.Extract(old, end, width-end), x)
		}
		*sym = x
		if _, known := m.arena.ConstValue(x); known {
			*sym = expr.None
		}
	} else {
		*sym = expr.None
	}
	bits = bits&^(0xff<<shift) | uint64(value)<<shift
	*w = heap.Word{N: heap.Canonical(bits, k)}
}

// Part returns the memory behind n words of a view from word off on.
func (m *Memory) Part(g Accessor, o *heap.Object, off, n int) (Part, bool) {
	w := heap.Word{P: o, N: uint64(off)}
	base, begin := m.Behind(w)
	w.N += uint64(n) - 1
	_, end := m.Behind(w)
	end += byteSize(o.Type.Kind((off + n - 2) % o.Type.Words))
	size := m.ByteOffset(base, base.Size())
	if base.Kind == heap.Array && base.Bytes == nil && base.Type.Words > 0 {
		size = int64(base.Size()/base.Type.Words) * base.Type.Size
	}
	if off < 1 || begin < 0 || end > size || n < 1 {
		return Part{}, g.Unsupported(fmt.Sprintf("memory access beyond an object of %d bytes, at byte %d: pointer arithmetic of package unsafe", size, begin))
	}
	first := sort.Search(base.Size(), func(i int) bool { return m.ByteOffset(base, i) > begin }) - 1
	last := sort.Search(base.Size(), func(i int) bool { return m.ByteOffset(base, i) >= end })
	return Part{base, max(first, 0), last}, true
}
