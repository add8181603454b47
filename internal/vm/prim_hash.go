package vm

import "github.com/everyway-go/everyway/internal/vm/heap"

// hashPrimitives lists the hashes of package runtime that others take from it by
// go:linkname.
func hashPrimitives() []primitive {
	return []primitive{
		{name: "runtime.memhash", run: func(c *call) {
			p, h, n := c.window[0], hash(c.window[1].N), int(c.window[2].N)
			switch {
			case n == 0:
			case p.P == nil || p.P.Bytes == nil || !p.P.InBounds(int(p.N), n):
				c.m.Unsupported(c.g, "runtime.memhash of memory that is no array of bytes")
				return
			default:
				h.addText(c.m.pinnedBytes(c.g, p, n))
			}
			c.set(0, uint64(h))
		}},
		{name: "runtime.strhash", run: func(c *call) {
			l, h := c.cellAt(0), hash(c.window[1].N)
			c.m.ConcretizeCells(c.g, l.Object, l.Offset, 2)
			h.addText(c.m.pinnedBytes(c.g, l.Object.Word(l.Offset), int(l.Object.Word(l.Offset+1).N)))
			c.set(0, uint64(h))
		}},
		{name: "runtime.typehash", run: func(c *call) {
			t, l, h := c.window[0], c.cellAt(1), hash(c.window[2].N)
			if t.P == nil {
				t.P = c.m.exposed[t.N]
			}
			if t.P == nil || t.P.Desc == nil || l.Object == nil || !l.Object.InBounds(l.Offset, t.P.Desc.Words) {
				c.m.Unsupported(c.g, "runtime.typehash of what is no type and no value")
				return
			}
			words := make([]heap.Word, t.P.Desc.Words)
			c.m.ConcretizeCells(c.g, l.Object, l.Offset, len(words))
			for i := range words {
				words[i] = l.Object.Word(l.Offset + i)
				if text := words[i].P; text != nil && text.Bytes != nil {
					c.m.ConcretizeCells(c.g, text, 0, len(text.Bytes))
				}
			}
			if c.m.addValue(c.g, &h, t.P.Desc, words) {
				c.set(0, uint64(h))
			}
		}},
	}
}
