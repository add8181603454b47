package value

import (
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/layout"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// addressable is how many bytes Go can address: making a larger slice or channel panics.
const Addressable = 1 << 48

// MakeSlice carries out a MakeSlice instruction.
func (m *Operations) MakeSlice(g *state.Goroutine, r []heap.Word, in *code.Instr, elem *code.Type) bool {
	n, c := int64(r[in.B].N), int64(r[in.C].N)
	room := int64(math.MaxInt64)
	if elem.Size > 0 {
		room = Addressable / elem.Size
	}
	switch {
	case n < 0 || n > room:
		return m.PanicError(g, "makeslice: len out of range")
	case c < n || c > room:
		return m.PanicError(g, "makeslice: cap out of range")
	}
	o := m.NewArray(g, elem, int(c))
	if o == nil {
		return false
	}
	r[in.A], r[in.A+1], r[in.A+2] = heap.Word{P: o}, heap.Word{N: uint64(n)}, heap.Word{N: uint64(c)}
	return true
}

// checkBounds checks low, high and most of a slice expression whose operand has the given
// length and capacity limit. The flag ofLength says that limit is a length (of a string
// or array) and not a capacity.
func (m *Operations) checkBounds(g *state.Goroutine, in *code.Instr, low, high, most, limit int64, ofLength bool) bool {
	three := in.K&4 != 0
	out := func(x, limit int64) bool { return uint64(x) > uint64(limit) }
	top := func(alen, acap uint8, x int64) bool {
		if ofLength {
			return m.PanicBounds(g, alen, uint64(x), limit, true)
		}
		return m.PanicBounds(g, acap, uint64(x), limit, true)
	}
	switch {
	case in.K&code.OfMake != 0 && out(high, limit):
		if high < 0 && g.Top().Func.Unsigned[g.Top().PC]&2 == 0 {
			return m.PanicError(g, "makeslice: len out of range")
		}
		return m.PanicError(g, "makeslice: cap out of range")
	case three && out(most, limit):
		return top(boundsSlice3Alen, boundsSlice3Acap, most)
	case three && out(high, most):
		return m.PanicBounds(g, boundsSlice3B, uint64(high), most, true)
	case three && out(low, high):
		return m.PanicBounds(g, boundsSlice3C, uint64(low), high, true)
	case out(high, limit):
		return top(boundsSliceAlen, boundsSliceAcap, high)
	case out(low, high):
		return m.PanicBounds(g, boundsSliceB, uint64(low), high, true)
	}
	return true
}

// limits returns low, high and most of a slice expression, where length and capacity
// replace those that are not given.
func limits(r []heap.Word, in *code.Instr, length, capacity int64) (low, high, most int64) {
	high, most = length, capacity
	if in.K&1 != 0 {
		low = int64(r[in.C].N)
	}
	if in.K&2 != 0 {
		high = int64(r[in.C+1].N)
	}
	if in.K&4 != 0 {
		most = int64(r[in.C+2].N)
	}
	return low, high, most
}

// Slice carries out a SliceS instruction.
func (m *Operations) Slice(g *state.Goroutine, r []heap.Word, in *code.Instr, t *code.Type) bool {
	base, length, capacity := r[in.B], int64(r[in.B+1].N), int64(r[in.B+2].N)
	low, high, most := limits(r, in, length, capacity)
	if len(m.Rooms) > 0 {
		end := high
		if in.K&4 != 0 {
			end = max(high, most)
		}
		m.needRoom(g, base, capacity, end)
	}
	if !m.checkBounds(g, in, low, high, most, capacity, false) {
		return false
	}
	setSlice(r, in.A, base, low, high, most, t.Elem.Words)
	return true
}

// setSlice stores the slice base[low:high:most] in the registers from dst on.
func setSlice(r []heap.Word, dst int32, base heap.Word, low, high, most int64, words int) {
	if most > low {
		// A slice with capacity zero keeps the base of its operand, so that it does not
		// point beyond the array.
		base.N += uint64(low) * uint64(words)
	}
	r[dst], r[dst+1], r[dst+2] = base, heap.Word{N: uint64(high - low)}, heap.Word{N: uint64(most - low)}
}

// SliceStr carries out a SliceStr instruction.
func (m *Operations) SliceStr(g *state.Goroutine, r []heap.Word, in *code.Instr) bool {
	base, length := r[in.B], int64(r[in.B+1].N)
	low, high, _ := limits(r, in, length, length)
	if !m.checkBounds(g, in, low, high, length, length, true) {
		return false
	}
	if high > low {
		base.N += uint64(low)
	}
	r[in.A], r[in.A+1] = base, heap.Word{N: uint64(high - low)}
	return true
}

// SlicePtr carries out a SliceP instruction, where t is the array type.
func (m *Operations) SlicePtr(g *state.Goroutine, r []heap.Word, in *code.Instr, t *code.Type) bool {
	base := r[in.B]
	low, high, most := limits(r, in, t.Len, t.Len)
	if base.P == nil {
		return m.PanicNil(g)
	}
	if !m.checkBounds(g, in, low, high, most, t.Len, true) {
		return false
	}
	setSlice(r, in.A, base, low, high, most, t.Elem.Words)
	return true
}

// roomFor returns where the elements of the slice in the registers of f from src on are
// when there is room for n more: in its array, or in a larger copy of it. The result ok
// is false if the run is over, or if the goroutine has to wait for its turn or panics.
func (m *Operations) roomFor(g *state.Goroutine, s []heap.Word, elem *code.Type, n int64) (base heap.Word, capacity int64, fresh, ok bool) {
	length, capacity := int64(s[1].N), int64(s[2].N)
	if len(m.Rooms) > 0 {
		m.needRoom(g, s[0], capacity, length+n)
	}
	if n <= capacity-length { // not length+n <= capacity, which may overflow
		return s[0], capacity, false, true
	}
	if length+n < 0 {
		return heap.Word{}, 0, false, m.PanicError(g, "growslice: len out of range")
	}
	capacity = layout.GrownCapacity(length+n, capacity, elem)
	o := m.NewArray(g, elem, int(capacity))
	if o == nil {
		return heap.Word{}, 0, false, false
	}
	return heap.Word{P: o}, capacity, true, true
}

// AppendSlice carries out an Append or AppendStr instruction: it appends the k elements
// at from to the slice, with elements of type elem, in the registers from B on.
func (m *Operations) AppendSlice(g *state.Goroutine, f *state.Frame, r []heap.Word, in *code.Instr, elem *code.Type, from heap.Word, k int64) bool {
	s := r[in.B : in.B+3]
	length := int64(s[1].N)
	w := int64(elem.Words)
	if m.Memory.HasViews() {
		if roomInView(s, k) {
			if !m.CopySlow(g, s[0].P, int(s[0].N)+int(length*w), from.P, int(from.N), int(k*w)) {
				return false
			}
			r[in.A], r[in.A+1], r[in.A+2] = s[0], heap.Word{N: uint64(length + k)}, s[2]
			return true
		}
		var ok bool
		if from, ok = m.withoutView(g, from, elem, k); !ok || !m.growable(g, s, elem) {
			return false
		}
	}
	if m.Watching && !m.accessAppend(g, s, elem, from, k) {
		return false
	}
	allocs := g.Allocs
	base, capacity, fresh, ok := m.roomFor(g, s, elem, k)
	if !ok {
		g.Allocs = allocs
		return false
	}
	if fresh {
		heap.MoveNew(base.P, 0, s[0].P, int(s[0].N), int(length*w))
		if m.Watching && m.Tracing {
			m.AccessedGrow(g, base.P, s[0], int(length*w))
		}
	}
	at := int(base.N) + int(length*w)
	if k > 0 && w > 0 {
		m.Heap.Move(base.P, at, from.P, int(from.N), int(k*w))
	}
	if m.Watching && m.Tracing && k > 0 && w > 0 {
		m.AccessedTwo(g, base.P, at, from.P, int(from.N), int(k*w))
	}
	r[in.A], r[in.A+1], r[in.A+2] = base, heap.Word{N: uint64(length + k)}, heap.Word{N: uint64(capacity)}
	return true
}

// accessAppend calls Access for an append of k elements at from to the slice s, which
// either writes beyond the slice's end or reads all of it.
func (m *Operations) accessAppend(g *state.Goroutine, s []heap.Word, elem *code.Type, from heap.Word, k int64) bool {
	length, capacity := int64(s[1].N), int64(s[2].N)
	w := int64(elem.Words)
	off := int(s[0].N)
	if k <= capacity-length {
		return m.AccessTwo(g, s[0].P, off+int(length*w), int(k*w), true, from.P, int(from.N), int(k*w))
	}
	return m.AccessTwo(g, s[0].P, off, int(length*w), false, from.P, int(from.N), int(k*w))
}

// AppendN carries out an AppendN instruction: the words of K elements are in the
// registers from C on.
func (m *Operations) AppendN(g *state.Goroutine, f *state.Frame, r []heap.Word, in *code.Instr, elem *code.Type) bool {
	s := r[in.B : in.B+3]
	length, k := int64(s[1].N), int64(in.K)
	w := int64(elem.Words)
	if m.Memory.HasViews() {
		if roomInView(s, k) {
			n, src := int(k*w), int(f.Base+in.C)
			if n > 0 && !m.storeView(g, f, s[0].P, int(s[0].N)+int(length*w), slices.Clone(g.Stack[src:src+n]), slices.Clone(g.Shadows(src, n))) {
				return false
			}
			r[in.A], r[in.A+1], r[in.A+2] = s[0], heap.Word{N: uint64(length + k)}, s[2]
			m.LoadShadow(g, f, int(f.Base+in.A), nil, 3)
			return true
		}
		if !m.growable(g, s, elem) {
			return false
		}
	}
	if m.Watching && !m.accessAppend(g, s, elem, heap.Word{}, k) {
		return false
	}
	base, capacity, fresh, ok := m.roomFor(g, s, elem, k)
	if !ok {
		return false
	}
	if fresh {
		heap.MoveNew(base.P, 0, s[0].P, int(s[0].N), int(length*w))
		if m.Watching && m.Tracing {
			m.AccessedGrow(g, base.P, s[0], int(length*w))
		}
	}
	n := int(k * w)
	if n > 0 {
		at, src := int(base.N)+int(length*w), int(f.Base+in.C)
		m.Heap.Store(base.P, at, g.Stack[src:src+n], g.Shadows(src, n))
		if m.Watching && m.Tracing {
			m.Accessed(g, base.P, at, n, true, src)
		}
	}
	r[in.A], r[in.A+1], r[in.A+2] = base, heap.Word{N: uint64(length + k)}, heap.Word{N: uint64(capacity)}
	m.LoadShadow(g, f, int(f.Base+in.A), nil, 3)
	return true
}

// CopySlice carries out a CopyS or CopyStr instruction for elements with the given number
// of words.
func (m *Operations) CopySlice(g *state.Goroutine, r []heap.Word, in *code.Instr, words int) bool {
	n := min(r[in.B+1].N, r[in.C+1].N)
	dst, src := r[in.B], r[in.C]
	if cells := int(n) * words; cells > 0 && !m.CopySlow(g, dst.P, int(dst.N), src.P, int(src.N), cells) {
		return false
	}
	r[in.A] = heap.Word{N: n}
	return true
}

// ClearSlice carries out a ClearS instruction.
func (m *Operations) ClearSlice(g *state.Goroutine, s []heap.Word, elem *code.Type) bool {
	n := int(s[1].N) * elem.Words
	if n == 0 {
		return true
	}
	o, off := s[0].P, int(s[0].N)
	if o.Kind == heap.ViewObject {
		return m.storeView(g, g.Top(), o, off, make([]heap.Word, n), nil)
	}
	if m.Watching && !m.Access(g, o, off, n, true) {
		return false
	}
	m.Heap.Dirty(o, off, n)
	if o.Bytes != nil {
		clear(o.Bytes[off : off+n])
	} else {
		clear(o.Cells[off : off+n])
	}
	if o.Sym != nil {
		clear(o.Sym[off : off+n])
	}
	if m.Watching && m.Tracing {
		m.Accessed(g, o, off, n, true, 0)
	}
	return true
}

// SliceToArr carries out a SliceToArr instruction, where t is the array type.
func (m *Operations) SliceToArr(g *state.Goroutine, f *state.Frame, r []heap.Word, in *code.Instr, t *code.Type) bool {
	if n := int64(r[in.B+1].N); n < t.Len {
		return m.PanicBounds(g, BoundsConvert, uint64(t.Len), n, true)
	}
	if t.Words == 0 {
		return true
	}
	return m.LoadSlow(g, f, int(in.A), r[in.B].P, int(r[in.B].N), t.Words, code.NoKind)
}
