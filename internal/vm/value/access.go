package value

import (
	"fmt"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// Box returns the two words of an interface that holds the value words of type t, which
// is not an interface type.
func (m *Operations) Box(g *state.Goroutine, t *code.Type, words []heap.Word) (typ, data heap.Word) {
	typ = m.TypeWord(t)
	switch t.Words {
	case 0:
	case 1:
		data = words[0]
	default:
		if o := m.NewObject(g, t, heap.Variable); o != nil {
			o.Fill(0, words, nil)
			data.P = o
		}
	}
	return typ, data
}

// LoadSlow carries out a load of n cells into the registers from dst on when copying
// words is not enough: the cells are bytes, other goroutines may access them, or
// something is symbolic. The kind k is that of a single cell, and NoKind for several.
func (m *Operations) LoadSlow(g *state.Goroutine, f *state.Frame, dst int, o *heap.Object, off, n int, k code.Kind) bool {
	if o.Kind == heap.ViewObject {
		return m.loadView(g, f, dst, o, off, n)
	}
	if !o.InBounds(off, n) {
		return m.outOfObject(g, o, off)
	}
	if o.Bytes != nil && k != code.Uint8 && k != code.NoKind {
		return m.unsupportedPunning(g, k)
	}
	if m.Watching && !m.Access(g, o, off, n, false) {
		return false
	}
	at := int(f.Base) + dst
	o.Load(g.Stack[at:at+n], off)
	if w := &g.Stack[at]; n == 1 && k != code.NoKind && k < code.Pointer && w.P != nil {
		*w = m.PointerToInt(g, *w) // a pointer in memory is read as a number
	}
	m.LoadShadow(g, f, at, o.ShadowAt(off, n), n)
	if m.Watching && m.Tracing {
		m.Accessed(g, o, off, n, false, at)
	}
	return true
}

// LoadShadow sets the shadow of the n registers from Stack[at] on. A nil shadow makes
// them concrete.
func (m *Operations) LoadShadow(g *state.Goroutine, f *state.Frame, at int, shadow []expr.ID, n int) {
	if shadow == nil {
		if f.Symbolic {
			clear(g.Sym[at : at+n])
		}
		return
	}
	if !f.Symbolic {
		g.MakeSymbolic(f)
	}
	copy(g.Sym[at:at+n], shadow)
}

// StoreSlow is LoadSlow for a store of the registers from src on.
func (m *Operations) StoreSlow(g *state.Goroutine, f *state.Frame, o *heap.Object, off, src, n int, k code.Kind) bool {
	at := int(f.Base) + src
	if o.Kind == heap.ViewObject {
		return m.storeView(g, f, o, off, slices.Clone(g.Stack[at:at+n]), slices.Clone(g.Shadows(at, n)))
	}
	if !o.InBounds(off, n) {
		return m.outOfObject(g, o, off)
	}
	if o.Bytes != nil && k != code.Uint8 && k != code.NoKind {
		return m.unsupportedPunning(g, k)
	}
	if m.Watching && !m.Access(g, o, off, n, true) {
		return false
	}
	m.Heap.Store(o, off, g.Stack[at:at+n], g.Shadows(at, n))
	if m.Watching && m.Tracing {
		m.Accessed(g, o, off, n, true, at)
	}
	return true
}

// CopySlow carries out a copy of n cells between objects, which may overlap.
func (m *Operations) CopySlow(g *state.Goroutine, dst *heap.Object, dstOff int, src *heap.Object, srcOff, n int) bool {
	if n == 0 {
		return true
	}
	if dst.Kind == heap.ViewObject || src.Kind == heap.ViewObject {
		return m.copyView(g, dst, dstOff, src, srcOff, n)
	}
	if !dst.InBounds(dstOff, n) {
		return m.outOfObject(g, dst, dstOff)
	}
	if !src.InBounds(srcOff, n) {
		return m.outOfObject(g, src, srcOff)
	}
	if m.Watching && !m.AccessTwo(g, dst, dstOff, n, true, src, srcOff, n) {
		return false
	}
	m.Heap.Move(dst, dstOff, src, srcOff, n)
	if m.Watching && m.Tracing {
		m.AccessedTwo(g, dst, dstOff, src, srcOff, n)
	}
	return true
}

// outOfObject ends the run because a pointer beyond its object was used.
func (m *Operations) outOfObject(g *state.Goroutine, o *heap.Object, off int) bool {
	return m.Unsupported(g, fmt.Sprintf("memory access beyond an object of %d cells, at cell %d: pointer arithmetic of package unsafe", o.Size(), off))
}
