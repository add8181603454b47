package kernel

import (
	"go/types"

	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/value"
)

// hashPrimitives returns the hash functions of package runtime that other packages use by
// go:linkname.
func hashPrimitives() []exec.Primitive {
	return []exec.Primitive{
		{Name: "runtime.memhash", Run: func(c *exec.Call) {
			p, h, n := c.Window[0], value.Hash(c.Window[1].N), int(c.Window[2].N)
			switch {
			case n == 0:
			case p.P == nil || p.P.Bytes == nil || !p.P.InBounds(int(p.N), n):
				c.Machine.Unsupported(c.Goroutine, "runtime.memhash of memory that is no array of bytes")
				return
			default:
				h.AddText(c.Machine.ConcreteBytes(c.Goroutine, p, n))
			}
			c.Set(0, uint64(h))
		}},
		{Name: "runtime.strhash", Run: func(c *exec.Call) {
			l, h := c.CellAt(0), value.Hash(c.Window[1].N)
			c.Machine.ConcretizeCells(c.Goroutine, l.Object, l.Offset, 2)
			touchCells(c, heap.Word{P: l.Object, N: uint64(l.Offset)}, 2, false)
			h.AddText(c.Machine.ConcreteBytes(c.Goroutine, l.Object.Word(l.Offset), int(l.Object.Word(l.Offset+1).N)))
			c.Set(0, uint64(h))
		}},
		{Name: "runtime.typehash", Run: func(c *exec.Call) {
			t, l, h := c.Window[0], c.CellAt(1), value.Hash(c.Window[2].N)
			if t.P == nil {
				t.P = c.Machine.Exposed[t.N]
			}
			if t.P == nil || t.P.Desc == nil || l.Object == nil || !l.Object.InBounds(l.Offset, t.P.Desc.Words) {
				c.Machine.Unsupported(c.Goroutine, "runtime.typehash of what is no type and no value")
				return
			}
			words := make([]heap.Word, t.P.Desc.Words)
			c.Machine.ConcretizeCells(c.Goroutine, l.Object, l.Offset, len(words))
			touchCells(c, heap.Word{P: l.Object, N: uint64(l.Offset)}, len(words), false)
			for i := range words {
				words[i] = l.Object.Word(l.Offset + i)
				if text := words[i].P; text != nil && text.Bytes != nil {
					c.Machine.ConcretizeCells(c.Goroutine, text, 0, len(text.Bytes))
				}
			}
			if hasPointer(t.P.Desc.Go) || types.IsInterface(t.P.Desc.Go) && words[0].P != nil && hasPointer(words[0].P.Desc.Go) {
				c.Machine.Trace.NamesMatter = true
			}
			if c.Machine.AddValue(c.Goroutine, &h, t.P.Desc, words) {
				c.Set(0, uint64(h))
			}
		}},
	}
}

// hasPointer reports whether the hash of a value of type t may depend on the names of objects that it
// points to.
func hasPointer(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	case *types.Array:
		return hasPointer(t.Elem()) || types.IsInterface(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if hasPointer(f.Type()) || types.IsInterface(f.Type()) {
				return true
			}
		}
		return false
	}
	return !types.IsInterface(t)
}
