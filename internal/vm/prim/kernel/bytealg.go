package kernel

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// bytealgPrimitives returns the kernels of package internal/bytealg. The arguments of
// each are a string (two words) or a []byte (three words), followed by a byte or by
// another string or []byte. The results are a number and whether it is valid. If it is
// not, the loop in the model has to run.
func bytealgPrimitives() []exec.Primitive {
	var list []exec.Primitive
	for i := range symbolic.Kernels {
		k := &symbolic.Kernels[i]
		for _, width := range k.Widths {
			name := "internal/bytealg.native" + k.Name
			if width == 2 {
				name += "String"
			}
			list = append(list, exec.Primitive{Name: name, Shadows: true, Run: func(c *exec.Call) { searchText(c, k, width) }})
		}
	}
	return list
}

// searchText runs a kernel.
func searchText(c *exec.Call, k *symbolic.Kernel, width int) {
	a, ok := settledText(c, 0, width)
	var b symbolic.Text
	if k.OfByte {
		b = byteText(c, width)
	} else if ok {
		b, ok = settledText(c, width, width)
	}
	value := expr.None
	if ok && (a.Syms != nil || b.Syms != nil) {
		if value, ok = k.Summary(c.Machine.Arena, a, b); ok {
			value = symbolic.UnlessConst(c.Machine.Arena, value)
		}
	}
	if ok {
		c.Set(0, uint64(int64(k.Native(a.Bytes, b.Bytes))))
	}
	c.SetBool(1, ok)
	c.SetShadow(0, value)
	c.SetShadow(1, expr.None)
}

// byteText returns argument word i, a byte, as a text of length one.
func byteText(c *exec.Call, i int) symbolic.Text {
	t := symbolic.Text{Bytes: []byte{byte(c.Window[i].N)}}
	if x := c.Shadow(i); x != expr.None {
		t.Syms = []expr.ID{symbolic.Fit(c.Machine.Arena, x, code.Uint8)}
	}
	return t
}

// settledText returns the bytes of the string (width 2) or []byte (width 3) in the argument words
// from i on. The result ok is false if the argument words are symbolic, or if reading the bytes has
// to be visible. Otherwise the read is recorded for race detection, and as an event if the plan
// asks for that.
func settledText(c *exec.Call, i, width int) (t symbolic.Text, ok bool) {
	base, n := c.Window[i], int(c.Window[i+1].N)
	for k := range width {
		if c.Shadow(i+k) != expr.None {
			return symbolic.Text{}, false
		}
	}
	if n > 0 && width == 3 && c.Machine.Watching {
		s := c.Machine.ShadowOf(base.P)
		if s.Visible || c.Machine.VisibleHere(c.Goroutine) {
			return symbolic.Text{}, false
		}
		c.Machine.Touch(c.Goroutine, base.P, int(base.N), n, false)
		c.Machine.ReadPlain(c.Goroutine, base.P, int(base.N), n)
	}
	return symbolic.TextOf(c.Window[i:]), true
}

// settledBytes is settledText for bytes that must be concrete.
func settledBytes(c *exec.Call, i, width int) ([]byte, bool) {
	if n := int(c.Window[i+1].N); n > 0 && c.Window[i].P.ShadowAt(int(c.Window[i].N), n) != nil {
		return nil, false
	}
	t, ok := settledText(c, i, width)
	return t.Bytes, ok
}
