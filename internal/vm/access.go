package vm

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// box returns the two words of an interface that holds the value words of type
// t, which is no interface type.
func (m *Machine) box(g *goroutine, t *code.Type, words []heap.Word) (typ, data heap.Word) {
	typ = m.typeWord(t)
	switch t.Words {
	case 0:
	case 1:
		data = words[0]
	default:
		if o := m.newObject(g, t, heap.Variable); o != nil {
			o.Fill(0, words, nil)
			data.P = o
		}
	}
	return typ, data
}

// unbox appends the words of the value of type t in an interface's data word.
func unbox(dst []heap.Word, t *code.Type, data heap.Word) []heap.Word {
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

// loadSlow carries out a load of n cells into the registers from dst on where
// more is needed than the cells' words: they are bytes, another goroutine may be
// looking, or something is symbolic. The kind is that of a single cell, NoKind
// of several.
func (m *Machine) loadSlow(g *goroutine, f *frame, dst int, o *heap.Object, off, n int, k code.Kind) bool {
	if !o.InBounds(off, n) {
		return m.wild(g, o, off)
	}
	if o.Bytes != nil && k != code.Uint8 && k != code.NoKind {
		return m.punned(g, k)
	}
	if m.multi && !m.access(g, o, off, n, false) {
		return false
	}
	at := int(f.base) + dst
	o.Load(g.stack[at:at+n], off)
	if w := &g.stack[at]; n == 1 && k != code.NoKind && k < code.Pointer && w.P != nil {
		*w = m.pointerToInt(*w) // memory of a pointer, read as a number
	}
	m.loadShadow(g, f, at, o.ShadowAt(off, n), n)
	if m.multi && m.tracing {
		m.accessed(g, o, off, n, false, at)
	}
	return true
}

// loadShadow makes shadow, nil for none, that of the n registers from stack[at] on.
func (m *Machine) loadShadow(g *goroutine, f *frame, at int, shadow []expr.ID, n int) {
	if shadow == nil {
		if f.symbolic {
			clear(g.sym[at : at+n])
		}
		return
	}
	if !f.symbolic {
		g.makeSymbolic(f)
	}
	copy(g.sym[at:at+n], shadow)
}

// storeSlow is loadSlow for a store of the registers from src on.
func (m *Machine) storeSlow(g *goroutine, f *frame, o *heap.Object, off, src, n int, k code.Kind) bool {
	if !o.InBounds(off, n) {
		return m.wild(g, o, off)
	}
	if o.Bytes != nil && k != code.Uint8 && k != code.NoKind {
		return m.punned(g, k)
	}
	if m.multi && !m.access(g, o, off, n, true) {
		return false
	}
	at := int(f.base) + src
	m.heap.Store(o, off, g.stack[at:at+n], g.shadows(at, n))
	if m.multi && m.tracing {
		m.accessed(g, o, off, n, true, at)
	}
	return true
}

// copySlow carries out a copy of n cells between objects, which may overlap.
func (m *Machine) copySlow(g *goroutine, dst *heap.Object, dstOff int, src *heap.Object, srcOff, n int) bool {
	if n == 0 {
		return true
	}
	if !dst.InBounds(dstOff, n) {
		return m.wild(g, dst, dstOff)
	}
	if !src.InBounds(srcOff, n) {
		return m.wild(g, src, srcOff)
	}
	if m.multi && !m.accessTwo(g, dst, dstOff, n, true, src, srcOff, n) {
		return false
	}
	m.heap.Move(dst, dstOff, src, srcOff, n)
	if m.multi && m.tracing {
		m.accessedTwo(g, dst, dstOff, src, srcOff, n)
	}
	return true
}

// wild ends the run at the use of a pointer beyond its object.
func (m *Machine) wild(g *goroutine, o *heap.Object, off int) bool {
	return m.unsupported(g, fmt.Sprintf("memory access beyond an object of %d cells, at cell %d: pointer arithmetic of package unsafe", o.Size(), off))
}
