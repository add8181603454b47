package vm

import (
	"bytes"

	"github.com/everyway-go/everyway/internal/expr"
)

// unanswered is the result of a bytealg primitive that leaves the work to the
// model's loop: bytes or arguments are symbolic, or reads of the bytes are events.
const unanswered = -2

// bytealgPrimitives lists the searches of package internal/bytealg that are done
// natively. The arguments of each are a string (two words) or []byte (three),
// and then a byte, or another string or []byte.
func bytealgPrimitives() []primitive {
	var list []primitive
	add := func(name string, width int, search func(b []byte, c byte) int) {
		list = append(list, primitive{name: "internal/bytealg." + name, shadows: true, run: func(c *call) {
			r := unanswered
			if b, ok := c.settledBytes(0, width); ok && c.shadow(width) == expr.None {
				r = search(b, byte(c.window[width].N))
			}
			c.answer(r)
		}})
	}
	add("nativeIndexByte", 3, bytes.IndexByte)
	add("nativeIndexByteString", 2, bytes.IndexByte)
	add("nativeLastIndexByte", 3, bytes.LastIndexByte)
	add("nativeLastIndexByteString", 2, bytes.LastIndexByte)
	add("nativeCount", 3, countByte)
	add("nativeCountString", 2, countByte)

	add2 := func(name string, width int, f func(a, b []byte) int) {
		list = append(list, primitive{name: "internal/bytealg." + name, shadows: true, run: func(c *call) {
			r := unanswered
			if a, ok := c.settledBytes(0, width); ok {
				if b, ok := c.settledBytes(width, width); ok {
					r = f(a, b)
				}
			}
			c.answer(r)
		}})
	}
	add2("nativeIndex", 3, bytes.Index)
	add2("nativeIndexString", 2, bytes.Index)
	add2("nativeCompare", 3, bytes.Compare)
	add2("nativeCompareString", 2, bytes.Compare)
	return list
}

func countByte(b []byte, c byte) int { return bytes.Count(b, []byte{c}) }

// answer makes r the only result, a concrete one.
func (c *call) answer(r int) {
	c.set(0, uint64(int64(r)))
	c.setShadow(0, expr.None)
}

// settledBytes returns the bytes of the string (width 2) or []byte (width 3) in
// the argument words from i on, if they are concrete and reading them needs no
// event and no turn. It counts as a read.
func (c *call) settledBytes(i, width int) ([]byte, bool) {
	base, n := c.window[i], int(c.window[i+1].N)
	for k := range width {
		if c.shadow(i+k) != expr.None {
			return nil, false
		}
	}
	if n == 0 {
		return nil, true
	}
	o, off := base.P, int(base.N)
	if o.shadowAt(off, n) != nil {
		return nil, false
	}
	if width == 3 && c.m.multi {
		s := c.m.shadowOf(o)
		if c.m.tracing || s.visible || c.m.visibleHere(c.g) {
			return nil, false
		}
		c.m.touch(c.g, s, off, n, false)
	}
	return bytesAt(base, n), true
}
