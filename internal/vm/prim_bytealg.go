package vm

import (
	"bytes"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
)

// A kernel is a search or comparison of package internal/bytealg.
type kernel struct {
	name   string
	ofByte bool // b is one byte
	native func(a, b []byte) int
	// summary is native for symbolic bytes. It is false when the result would be too large.
	summary func(m *Machine, a, b text) (expr.ID, bool)
	widths  []int // of the primitives: 3 for []byte, 2 for strings
}

var kernels = []kernel{
	{"IndexByte", true, bytes.Index, (*Machine).indexText, []int{3, 2}},
	{"LastIndexByte", true, bytes.LastIndex, (*Machine).lastIndexText, []int{3, 2}},
	{"Count", true, bytes.Count, (*Machine).countByte, []int{3, 2}},
	{"Index", false, bytes.Index, (*Machine).indexText, []int{3, 2}},
	{"LastIndex", false, bytes.LastIndex, (*Machine).lastIndexText, []int{2}},
	{"Compare", false, bytes.Compare, (*Machine).compareOrder, []int{3, 2}},
}

// bytealgPrimitives lists the kernels as primitives. The arguments of each are a string
// (two words) or []byte (three), and then a byte, or another string or []byte. The results
// are a number and whether it is the answer: otherwise the model's loop has to run.
func bytealgPrimitives() []primitive {
	var list []primitive
	for i := range kernels {
		k := &kernels[i]
		for _, width := range k.widths {
			name := "internal/bytealg.native" + k.name
			if width == 2 {
				name += "String"
			}
			list = append(list, primitive{name: name, shadows: true, run: func(c *call) { c.search(k, width) }})
		}
	}
	return list
}

// search carries out a kernel.
func (c *call) search(k *kernel, width int) {
	a, ok := c.settledText(0, width)
	var b text
	if k.ofByte {
		b = c.byteText(width)
	} else if ok {
		b, ok = c.settledText(width, width)
	}
	value := expr.None
	if ok && (a.syms != nil || b.syms != nil) {
		if value, ok = k.summary(c.m, a, b); ok {
			value = c.m.unlessConst(value)
		}
	}
	if ok {
		c.set(0, uint64(int64(k.native(a.bytes, b.bytes))))
	}
	c.setBool(1, ok)
	c.setShadow(0, value)
	c.setShadow(1, expr.None)
}

// byteText returns argument word i, a byte, as a text.
func (c *call) byteText(i int) text {
	t := text{bytes: []byte{byte(c.window[i].N)}}
	if x := c.shadow(i); x != expr.None {
		t.syms = []expr.ID{c.m.fit(x, code.Uint8)}
	}
	return t
}

// settledText returns the bytes of the string (width 2) or []byte (width 3) in
// the argument words from i on, if those are concrete and reading the bytes needs no
// event and no turn. It counts as a read.
func (c *call) settledText(i, width int) (t text, ok bool) {
	base, n := c.window[i], int(c.window[i+1].N)
	for k := range width {
		if c.shadow(i+k) != expr.None {
			return text{}, false
		}
	}
	if n > 0 && width == 3 && c.m.Multi {
		s := c.m.ShadowOf(base.P)
		if c.m.Tracing || s.Visible || c.m.VisibleHere(c.g) {
			return text{}, false
		}
		c.m.Touch(c.g, s, int(base.N), n, false)
	}
	return textOf(c.window[i:]), true
}

// settledBytes is settledText for bytes that have to be concrete.
func (c *call) settledBytes(i, width int) ([]byte, bool) {
	if n := int(c.window[i+1].N); n > 0 && c.window[i].P.ShadowAt(int(c.window[i].N), n) != nil {
		return nil, false
	}
	t, ok := c.settledText(i, width)
	return t.bytes, ok
}
