package value

import (
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/layout"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// An Accessor is a goroutine that accesses a view: see package layout.
type Accessor struct {
	Operations *Operations
	Goroutine  *state.Goroutine
}

func (a Accessor) Number(p heap.Word) heap.Word { return a.Operations.PointerToInt(a.Goroutine, p) }
func (a Accessor) Pointer(n uint64) (heap.Word, bool) {
	return a.Operations.numberToPointer(a.Goroutine, n)
}
func (a Accessor) Unsupported(what string) bool { return a.Operations.Unsupported(a.Goroutine, what) }
func (a Accessor) Standard() bool               { return a.Goroutine.Top().Func.Standard }

// loadView is LoadSlow for words of a view.
func (m *Operations) loadView(g *state.Goroutine, f *state.Frame, dst int, o *heap.Object, off, n int) bool {
	p, ok := m.Memory.Part(Accessor{m, g}, o, off, n)
	if !ok {
		return false
	}
	// The cells are loaded into registers that are not in use, as any others are.
	spare := f.Func.Regs
	g.Reserve(int(f.Base) + spare + p.Last - p.First)
	if !m.LoadSlow(g, f, spare, p.Base, p.First, p.Last-p.First, code.NoKind) {
		return false
	}
	from := int(f.Base) + spare
	cells, syms := g.Stack[from:from+p.Last-p.First], g.Shadows(from, p.Last-p.First)
	words, shadow := make([]heap.Word, n), make([]expr.ID, n)
	for i := range n {
		if words[i], shadow[i], ok = m.Memory.Assemble(Accessor{m, g}, p, cells, syms, o, off+i); !ok {
			return false
		}
	}
	at := int(f.Base) + dst
	heap.CopyWords(g.Stack[at:at+n], words)
	if !state.AnySymbolic(shadow) {
		shadow = nil
	}
	m.LoadShadow(g, f, at, shadow, n)
	return true
}

// storeView is StoreSlow for words of a view.
func (m *Operations) storeView(g *state.Goroutine, f *state.Frame, o *heap.Object, off int, words []heap.Word, shadow []expr.ID) bool {
	p, ok := m.Memory.Part(Accessor{m, g}, o, off, len(words))
	if !ok {
		return false
	}
	n := p.Last - p.First
	cells, syms := make([]heap.Word, n), make([]expr.ID, n)
	p.Base.Load(cells, p.First)
	copy(syms, p.Base.ShadowAt(p.First, n))
	whole, ok := m.Memory.Replace(Accessor{m, g}, p, cells, syms, o, off, words, shadow)
	if !ok {
		return false
	}
	if !whole { // the rest of the cells stays, as if it had been read and written again
		m.Part(p.Base)
		for i := range n {
			m.NoteAccess(g, heap.Location{Object: p.Base, Offset: p.First + i}, run.PlainRead)
		}
	}
	return m.storeWords(g, f, p.Base, p.First, cells, syms)
}

// storeWords stores words with their symbolic values in an object that is no view.
func (m *Operations) storeWords(g *state.Goroutine, f *state.Frame, o *heap.Object, off int, words []heap.Word, shadow []expr.ID) bool {
	n, spare := len(words), f.Func.Regs
	at := int(f.Base) + spare
	g.Reserve(at + n)
	heap.CopyWords(g.Stack[at:at+n], words)
	if !state.AnySymbolic(shadow) {
		shadow = nil
	}
	m.LoadShadow(g, f, at, shadow, n)
	return m.StoreSlow(g, f, o, off, spare, n, code.NoKind)
}

// divisible reports whether accesses of g to the objects are not visible operations, so that
// an instruction can make several of them.
func (m *Operations) divisible(g *state.Goroutine, objects ...*heap.Object) bool {
	for _, o := range objects {
		if o.Kind == heap.ViewObject {
			o = o.Cells[0].P
		}
		if m.Watching && (m.VisibleHere(g) || m.ShadowOf(o).Visible) {
			return m.Unsupported(g, "a visible operation on memory of another type: pointer conversion of package unsafe")
		}
	}
	return true
}

// copyView is CopySlow where one of the objects is a view.
func (m *Operations) copyView(g *state.Goroutine, dst *heap.Object, dstOff int, src *heap.Object, srcOff, n int) bool {
	if !m.divisible(g, dst, src) {
		return false
	}
	words, shadow, ok := m.wordsAt(g, src, srcOff, n)
	if !ok {
		return false
	}
	if dst.Kind == heap.ViewObject {
		return m.storeView(g, g.Top(), dst, dstOff, words, shadow)
	}
	return m.storeWords(g, g.Top(), dst, dstOff, words, shadow)
}

// wordsAt returns n words of an object, which may be a view, with their symbolic values.
func (m *Operations) wordsAt(g *state.Goroutine, o *heap.Object, off, n int) ([]heap.Word, []expr.ID, bool) {
	f := g.Top()
	spare := f.Func.Regs
	g.Reserve(int(f.Base) + spare + n)
	if !m.LoadSlow(g, f, spare, o, off, n, code.NoKind) {
		return nil, nil, false
	}
	at := int(f.Base) + spare
	return slices.Clone(g.Stack[at : at+n]), slices.Clone(g.Shadows(at, n)), true
}

// withoutView returns a pointer to a copy of the n elements of type elem at w if they are in a
// view, for operations that only read them.
func (m *Operations) withoutView(g *state.Goroutine, w heap.Word, elem *code.Type, n int64) (heap.Word, bool) {
	if !layout.IsView(w) || n == 0 {
		return w, true
	}
	if m.Watching && m.Tracing {
		return w, m.Unsupported(g, "a copy of a part of a variable while there are other goroutines: pointer conversion of package unsafe")
	}
	if !m.divisible(g, w.P) {
		return w, false
	}
	words, shadow, ok := m.wordsAt(g, w.P, int(w.N), int(n)*elem.Words)
	if !ok {
		return w, false
	}
	o := heap.ZeroObject(elem, len(words))
	o.Type, o.Kind, o.ID = elem, heap.Array, w.P.ID
	o.Fill(0, words, shadow)
	return heap.Word{P: o}, true
}

// PrimitiveOnView carries out a primitive of which an argument points to a view: one of package
// reflect that calculates a pointer, or an atomic operation, in which an atomic access of another
// goroutine is unordered. It reports whether it was carried out.
func (m *Operations) PrimitiveOnView(g *state.Goroutine, f *state.Frame, fn *state.Function, base int) bool {
	name, atomic := strings.CutPrefix(fn.Name, "sync/atomic.")
	p := g.Stack[base]
	if fn.Name == "reflect.offset" && layout.IsView(p) && !(f.Symbolic && state.AnySymbolic(g.Sym[base:base+fn.Params])) {
		g.Stack[base].N += g.Stack[base+1].N // the words of a view are those of its elements, one after the other
		return true
	}
	if !atomic || !layout.IsView(p) || f.Symbolic && state.AnySymbolic(g.Sym[base:base+fn.Params]) {
		return m.Unsupported(g, fmt.Sprintf("call of %s with memory that was converted by package unsafe", fn.Name))
	}
	if !m.divisible(g, p.P) {
		return false
	}
	m.Part(p.P.Cells[0].P)
	words, shadow, ok := m.wordsAt(g, p.P, int(p.N), 1)
	if !ok {
		return false
	}
	if shadow != nil {
		return m.Unsupported(g, fmt.Sprintf("call of %s with symbolic memory that was converted by package unsafe", fn.Name))
	}
	k := p.P.Type.Kind((int(p.N) - 1) % p.P.Type.Words)
	old, x := words[0].N, g.Stack[base+1].N
	result, store := old, true
	switch {
	case strings.HasPrefix(name, "Load"):
		store = false
	case strings.HasPrefix(name, "Store"), strings.HasPrefix(name, "Swap"):
	case strings.HasPrefix(name, "CompareAndSwap"):
		store = old == x
		result, x = heap.Bool(store), g.Stack[base+2].N
	case strings.HasPrefix(name, "Add"):
		x = heap.Canonical(old+x, k)
		result = x
	case strings.HasPrefix(name, "And"):
		x &= old
	case strings.HasPrefix(name, "Or"):
		x |= old
	default:
		return m.Unsupported(g, fmt.Sprintf("call of %s with memory that was converted by package unsafe", fn.Name))
	}
	if store && !m.storeView(g, f, p.P, int(p.N), []heap.Word{{N: x}}, nil) {
		return false
	}
	g.Stack[base] = heap.Word{N: result}
	return true
}

// roomInView reports whether the slice s is one of a view and has room for k more elements.
func roomInView(s []heap.Word, k int64) bool {
	return layout.IsView(s[0]) && k <= int64(s[2].N)-int64(s[1].N)
}

// growable makes the slice s, to which elements of type elem are to be appended for which it has no room,
// one of memory that is no view.
func (m *Operations) growable(g *state.Goroutine, s []heap.Word, elem *code.Type) (ok bool) {
	s[0], ok = m.withoutView(g, s[0], elem, int64(s[1].N))
	return ok
}
