package vm

import (
	"unicode/utf8"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// A runeForm is a form of the UTF-8 encoding of a character of several bytes:
// between what its first and its second byte lie; the others are continuation
// bytes. All other sequences are invalid: their first byte stands for RuneError.
type runeForm struct {
	first, second [2]uint8
	size          int
}

var runeForms = [...]runeForm{
	{[2]uint8{0xc2, 0xdf}, [2]uint8{0x80, 0xbf}, 2},
	{[2]uint8{0xe0, 0xe0}, [2]uint8{0xa0, 0xbf}, 3},
	{[2]uint8{0xe1, 0xec}, [2]uint8{0x80, 0xbf}, 3},
	{[2]uint8{0xed, 0xed}, [2]uint8{0x80, 0x9f}, 3},
	{[2]uint8{0xee, 0xef}, [2]uint8{0x80, 0xbf}, 3},
	{[2]uint8{0xf0, 0xf0}, [2]uint8{0x90, 0xbf}, 4},
	{[2]uint8{0xf1, 0xf3}, [2]uint8{0x80, 0xbf}, 4},
	{[2]uint8{0xf4, 0xf4}, [2]uint8{0x80, 0x8f}, 4},
}

// nextRune does the symbolic side of a StrNext instruction over a string with
// symbolic bytes: the size of the encoding at a byte index, or that there is none, becomes part of the
// path condition. The result is the shadow of the rune, None when it is concrete.
func (m *Machine) nextRune(g *state.Goroutine, s []heap.Word, at int) expr.ID {
	left := int(s[1].N) - at
	if left <= 0 {
		return expr.None
	}
	base := heap.Word{P: s[0].P, N: s[0].N + uint64(at)}
	t := textOf([]heap.Word{base, {N: uint64(min(left, utf8.UTFMax))}})
	if t.syms == nil {
		return expr.None
	}
	c, size := utf8.DecodeRune(t.bytes)
	if c == utf8.RuneError && size == 1 {
		size = 0
	}
	a := m.Arena
	ascii := a.Ult(m.byteOf(t, 0), a.Const(utf8.RuneSelf, 8))
	m.Branch(g, ascii, size == 1)
	if size == 1 {
		return m.unlessConst(a.ZExt(m.byteOf(t, 0), 32))
	}
	for n := 2; n <= len(t.bytes); n++ {
		m.Branch(g, m.validRune(t, n), size == n)
		if size != n {
			continue
		}
		// The first byte has 7-n bits of the character, the others 6 each.
		value := a.Extract(m.byteOf(t, 0), 0, uint8(7-n))
		for i := 1; i < n; i++ {
			value = a.Concat(value, a.Extract(m.byteOf(t, i), 0, 6))
		}
		return m.unlessConst(a.ZExt(value, 32))
	}
	return expr.None
}

// validRune returns whether the first n bytes of t, n > 1, are the encoding of a character.
func (m *Machine) validRune(t text, n int) expr.ID {
	a := m.Arena
	within := func(i int, bounds [2]uint8) expr.ID {
		b := m.byteOf(t, i)
		return a.And(a.Ule(a.Const(uint64(bounds[0]), 8), b), a.Ule(b, a.Const(uint64(bounds[1]), 8)))
	}
	valid := a.Bool(false)
	for _, form := range runeForms {
		if form.size == n {
			valid = a.Or(valid, a.And(within(0, form.first), within(1, form.second)))
		}
	}
	for i := 2; i < n; i++ {
		valid = a.And(valid, within(i, [2]uint8{0x80, 0xbf}))
	}
	return valid
}

// appendRune appends the encoding of an integer of kind k, taken as a character. Of a symbolic one
// the form of its encoding becomes part of the path condition.
func (m *Machine) appendRune(g *state.Goroutine, t text, x operand, k code.Kind) text {
	n := len(t.bytes)
	c := rune(utf8.RuneError)
	if x.N <= utf8.MaxRune {
		c = rune(x.N)
	}
	t.bytes = utf8.AppendRune(t.bytes, c)
	var syms []expr.ID
	if x.sym != expr.None {
		syms = m.encodedRune(g, x, k)
	}
	if syms == nil {
		if t.syms != nil {
			t.syms = append(t.syms, make([]expr.ID, len(t.bytes)-n)...)
		}
		return t
	}
	if t.syms == nil {
		t.syms = make([]expr.ID, n)
	}
	t.syms = append(t.syms, syms...)
	return t
}

// encodedRune returns the bytes of the encoding of a symbolic integer of kind k, nil when it is
// that of RuneError.
func (m *Machine) encodedRune(g *state.Goroutine, x operand, k code.Kind) []expr.ID {
	a := m.Arena
	c := m.convert(x.sym, k, code.Int64)
	below := func(end uint64) bool {
		holds := x.N < end
		m.Branch(g, a.Ult(c, a.Const(end, 64)), holds)
		return holds
	}
	const surrogates, afterSurrogates = 0xd800, 0xe000
	var size uint8
	switch {
	case below(utf8.RuneSelf):
		return []expr.ID{m.unlessConst(a.Extract(c, 0, 8))}
	case below(1 << 11):
		size = 2
	case below(surrogates):
		size = 3
	case below(afterSurrogates):
		return nil
	case below(1 << 16):
		size = 3
	case below(utf8.MaxRune + 1):
		size = 4
	default:
		return nil
	}
	// The first byte is size ones, a zero, and 7-size bits of the character. The others
	// are 10 and 6 bits each.
	bytes := make([]expr.ID, size)
	low := 6 * (size - 1)
	bytes[0] = m.unlessConst(a.Concat(a.Const(1<<(size+1)-2, size+1), a.Extract(c, low, 7-size)))
	for i := uint8(1); i < size; i++ {
		low -= 6
		bytes[i] = m.unlessConst(a.Concat(a.Const(2, 2), a.Extract(c, low, 6)))
	}
	return bytes
}
