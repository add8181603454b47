package value

import (
	"go/types"
	"unicode/utf8"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/layout"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// A string is two words: a pointer to its first byte, and its length. The bytes are in an
// object of bytes or, if the string was made with package unsafe, in an array.

// NewString returns the base of a new string.
func (m *Operations) NewString(g *state.Goroutine, s string) heap.Word {
	if s == "" {
		return heap.Word{}
	}
	o := m.NewArray(g, m.ByteType(), len(s))
	if o == nil {
		return heap.Word{}
	}
	copy(o.Bytes, s)
	return heap.Word{P: o}
}

// ConcreteBytes returns the n bytes that base points to, as heap.BytesAt does, and makes
// symbolic ones concrete.
func (m *Operations) ConcreteBytes(g *state.Goroutine, base heap.Word, n int) []byte {
	if n == 0 {
		return nil
	}
	b := heap.BytesAt(base, n)
	off := int(base.N)
	if shadow := base.P.ShadowAt(off, n); shadow != nil {
		for i, x := range shadow {
			if x != expr.None {
				m.Concretize(g, x, uint64(b[i]))
			}
		}
	}
	return b
}

// setText stores a new string of the bytes of t in the registers from dst on.
func (m *Operations) setText(g *state.Goroutine, r []heap.Word, dst int32, t symbolic.Text) bool {
	base := heap.Word{}
	if len(t.Bytes) > 0 {
		o := m.NewArray(g, m.ByteType(), len(t.Bytes))
		if o == nil {
			return false
		}
		copy(o.Bytes, t.Bytes)
		if t.Syms != nil {
			o.SetShadows(0, len(t.Syms), t.Syms)
		}
		base.P = o
	}
	r[dst], r[dst+1] = base, heap.Word{N: uint64(len(t.Bytes))}
	return true
}

// Concat carries out a Concat instruction.
func (m *Operations) Concat(g *state.Goroutine, r []heap.Word, in *code.Instr) bool {
	a, b := r[in.B:in.B+2], r[in.C:in.C+2]
	n, k := int(a[1].N), int(b[1].N)
	switch {
	case k == 0:
		r[in.A], r[in.A+1] = a[0], a[1]
		return true
	case n == 0:
		r[in.A], r[in.A+1] = b[0], b[1]
		return true
	}
	o := m.NewArray(g, m.ByteType(), n+k)
	if o == nil {
		return false
	}
	heap.MoveNew(o, 0, a[0].P, int(a[0].N), n)
	heap.MoveNew(o, n, b[0].P, int(b[0].N), k)
	r[in.A], r[in.A+1] = heap.Word{P: o}, heap.Word{N: uint64(n + k)}
	return true
}

// CopyText makes a new array of the n bytes that base points to. The result is described
// by words registers from dst on: 2 for a string, 3 for a slice.
func (m *Operations) CopyText(g *state.Goroutine, f *state.Frame, dst int32, base heap.Word, n int, words int) bool {
	if m.Memory.HasViews() {
		var ok bool
		if base, ok = m.withoutView(g, base, m.ByteType(), int64(n)); !ok {
			return false
		}
	}
	if n > 0 && m.Watching && words == 2 && !m.AccessTwo(g, nil, 0, 0, false, base.P, int(base.N), n) {
		return false
	}
	result := heap.Word{}
	capacity := n
	if n > 0 || words == 3 {
		if words == 3 {
			capacity = int(layout.RoundUpSize(int64(n)))
		}
		o := m.NewArray(g, m.ByteType(), capacity)
		if o == nil {
			return false
		}
		heap.MoveNew(o, 0, base.P, int(base.N), n)
		result.P = o
	}
	if n > 0 && m.Watching && words == 2 && m.Tracing {
		m.accessedCopy(g, result.P, base, n)
	}
	r := g.Stack[int(f.Base+dst):]
	r[0], r[1] = result, heap.Word{N: uint64(n)}
	if words == 3 {
		r[2] = heap.Word{N: uint64(capacity)}
	}
	return true
}

// accessedCopy records the read of n cells at base that were copied to the start of o, a
// new object.
func (m *Operations) accessedCopy(g *state.Goroutine, o *heap.Object, base heap.Word, n int) {
	if base.P != nil && o != nil {
		m.AccessedTwo(g, o, 0, base.P, int(base.N), n)
	}
}

// StrRunes carries out a StrRunes instruction.
func (m *Operations) StrRunes(g *state.Goroutine, r []heap.Word, in *code.Instr) bool {
	s := r[in.B : in.B+2]
	var runes []rune
	var syms []expr.ID
	for rest := heap.BytesAt(s[0], int(s[1].N)); len(rest) > 0; {
		syms = append(syms, m.nextRune(g, s, int(s[1].N)-len(rest)))
		c, size := utf8.DecodeRune(rest)
		runes, rest = append(runes, c), rest[size:]
	}
	elem := m.Program.Type(types.Typ[types.Int32])
	capacity := int(layout.RoundUpSize(4*int64(len(runes))) / 4)
	o := m.NewArray(g, elem, capacity)
	if o == nil {
		return false
	}
	for i, c := range runes {
		o.Cells[i].N = uint64(int64(c))
	}
	if state.AnySymbolic(syms) {
		o.SetShadows(0, len(syms), syms)
	}
	r[in.A], r[in.A+1], r[in.A+2] = heap.Word{P: o}, heap.Word{N: uint64(len(runes))}, heap.Word{N: uint64(capacity)}
	return true
}

// RunesStr carries out a RunesStr instruction.
func (m *Operations) RunesStr(g *state.Goroutine, f *state.Frame, r []heap.Word, in *code.Instr) bool {
	base, n := r[in.B], int(r[in.B+1].N)
	if n > 0 && m.Watching {
		if !m.Access(g, base.P, int(base.N), n, false) {
			return false
		}
		if m.Tracing {
			m.GiveUp(g, "conversion of shared runes to a string made concrete")
			m.ReadPlain(g, base.P, int(base.N), n)
		}
	}
	branch := m.brancher(g)
	var t symbolic.Text
	for i := range n {
		at := int(base.N) + i
		x := symbolic.Operand{Word: base.P.Cells[at]}
		if base.P.Sym != nil {
			x.Sym = base.P.Sym[at]
		}
		t = t.AppendRune(m.Arena, x, code.Int32, branch)
	}
	return m.setText(g, r, in.A, t)
}

// IntStr carries out an IntStr instruction.
func (m *Operations) IntStr(g *state.Goroutine, f *state.Frame, r []heap.Word, in *code.Instr) bool {
	x := symbolic.Operand{Word: r[in.B]}
	if f.Symbolic {
		sy := g.Sym[f.Base:]
		x.Sym = sy[in.B]
		clear(sy[in.A : in.A+2])
	}
	return m.setText(g, r, in.A, symbolic.Text{}.AppendRune(m.Arena, x, code.Kind(in.K), m.brancher(g)))
}

// nextRune computes the symbolic value of the rune at offset at of a string. It returns
// None if the rune is concrete.
func (m *Operations) nextRune(g *state.Goroutine, s []heap.Word, at int) expr.ID {
	t := symbolic.RuneAt(s, at)
	if t.Syms == nil {
		return expr.None
	}
	return t.Rune(m.Arena, m.brancher(g))
}

// brancher returns a function that adds conditions of g to the path condition.
func (m *Operations) brancher(g *state.Goroutine) symbolic.Brancher {
	return func(cond expr.ID, holds bool) { m.Branch(g, cond, holds) }
}

// StrNext carries out a StrNext instruction.
func (m *Operations) StrNext(g *state.Goroutine, f *state.Frame, r []heap.Word, in *code.Instr) {
	n := int(r[in.B+1].N)
	at := int(r[in.C].N)
	if at >= n {
		r[in.A], r[in.A+1], r[in.A+2] = heap.Word{}, heap.Word{}, heap.Word{}
		return
	}
	sym := m.nextRune(g, r[in.B:in.B+2], at)
	b := heap.BytesAt(heap.Word{P: r[in.B].P, N: r[in.B].N + uint64(at)}, min(n-at, utf8.UTFMax))
	c, size := utf8.DecodeRune(b)
	r[in.A], r[in.A+1] = heap.Word{N: 1}, heap.Word{N: uint64(at)}
	r[in.C] = heap.Word{N: uint64(at + size)}
	m.SetRegister(g, int(f.Base+in.A)+2, heap.Word{N: uint64(int64(c))}, sym)
}
