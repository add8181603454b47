package vm

// hashPrimitives lists the hashes of package runtime that others take from it by
// go:linkname.
func hashPrimitives() []primitive {
	return []primitive{
		{name: "runtime.memhash", run: func(c *call) {
			p, h, n := c.window[0], hash(c.window[1].N), int(c.window[2].N)
			switch {
			case n == 0:
			case p.P == nil || p.P.Bytes == nil || !p.P.inBounds(int(p.N), n):
				c.m.unsupported(c.g, "runtime.memhash of memory that is no array of bytes")
				return
			default:
				h.addText(c.m.pinnedBytes(c.g, p, n))
			}
			c.set(0, uint64(h))
		}},
		{name: "runtime.strhash", run: func(c *call) {
			l, h := c.cellAt(0), hash(c.window[1].N)
			c.m.pinCells(c.g, l.o, l.off, 2)
			h.addText(c.m.pinnedBytes(c.g, cellWord(l.o, l.off), int(cellWord(l.o, l.off+1).N)))
			c.set(0, uint64(h))
		}},
		{name: "runtime.typehash", run: func(c *call) {
			t, l, h := c.window[0], c.cellAt(1), hash(c.window[2].N)
			if t.P == nil {
				t.P = c.m.exposed[t.N]
			}
			if t.P == nil || t.P.desc == nil || l.o == nil || !l.o.inBounds(l.off, t.P.desc.Words) {
				c.m.unsupported(c.g, "runtime.typehash of what is no type and no value")
				return
			}
			words := make([]Word, t.P.desc.Words)
			c.m.pinCells(c.g, l.o, l.off, len(words))
			for i := range words {
				words[i] = cellWord(l.o, l.off+i)
				if text := words[i].P; text != nil && text.Bytes != nil {
					c.m.pinCells(c.g, text, 0, len(text.Bytes))
				}
			}
			if c.m.addValue(c.g, &h, t.P.desc, words) {
				c.set(0, uint64(h))
			}
		}},
	}
}
