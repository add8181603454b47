package vm

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// bytealgPrimitives lists the kernels as primitives. The arguments of each are a string
// (two words) or []byte (three), and then a byte, or another string or []byte. The results
// are a number and whether it is the answer: otherwise the model's loop has to run.
func bytealgPrimitives() []primitive {
	var list []primitive
	for i := range symbolic.Kernels {
		k := &symbolic.Kernels[i]
		for _, width := range k.Widths {
			name := "internal/bytealg.native" + k.Name
			if width == 2 {
				name += "String"
			}
			list = append(list, primitive{name: name, shadows: true, run: func(c *call) { searchText(c, k, width) }})
		}
	}
	return list
}

// searchText carries out a kernel.
func searchText(c *call, k *symbolic.Kernel, width int) {
	a, ok := settledText(c, 0, width)
	var b symbolic.Text
	if k.OfByte {
		b = byteText(c, width)
	} else if ok {
		b, ok = settledText(c, width, width)
	}
	value := expr.None
	if ok && (a.Syms != nil || b.Syms != nil) {
		if value, ok = k.Summary(c.m.Arena, a, b); ok {
			value = symbolic.UnlessConst(c.m.Arena, value)
		}
	}
	if ok {
		c.set(0, uint64(int64(k.Native(a.Bytes, b.Bytes))))
	}
	c.setBool(1, ok)
	c.setShadow(0, value)
	c.setShadow(1, expr.None)
}

// byteText returns argument word i, a byte, as a text.
func byteText(c *call, i int) symbolic.Text {
	t := symbolic.Text{Bytes: []byte{byte(c.window[i].N)}}
	if x := c.shadow(i); x != expr.None {
		t.Syms = []expr.ID{symbolic.Fit(c.m.Arena, x, code.Uint8)}
	}
	return t
}

// settledText returns the bytes of the string (width 2) or []byte (width 3) in
// the argument words from i on, if those are concrete and reading the bytes needs no
// event and no turn. It counts as a read.
func settledText(c *call, i, width int) (t symbolic.Text, ok bool) {
	base, n := c.window[i], int(c.window[i+1].N)
	for k := range width {
		if c.shadow(i+k) != expr.None {
			return symbolic.Text{}, false
		}
	}
	if n > 0 && width == 3 && c.m.Multi {
		s := c.m.ShadowOf(base.P)
		if c.m.Tracing || s.Visible || c.m.VisibleHere(c.g) {
			return symbolic.Text{}, false
		}
		c.m.Touch(c.g, s, int(base.N), n, false)
	}
	return symbolic.TextOf(c.window[i:]), true
}

// settledBytes is settledText for bytes that have to be concrete.
func settledBytes(c *call, i, width int) ([]byte, bool) {
	if n := int(c.window[i+1].N); n > 0 && c.window[i].P.ShadowAt(int(c.window[i].N), n) != nil {
		return nil, false
	}
	t, ok := settledText(c, i, width)
	return t.Bytes, ok
}
