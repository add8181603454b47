package vm

import (
	"unicode/utf8"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
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
// symbolic bytes: the form of the encoding at a byte index becomes part of the
// path condition. The result is the shadow of the rune, None when it is concrete.
func (m *Machine) nextRune(g *goroutine, s []Word, at int) expr.ID {
	left := int(s[1].N) - at
	if left <= 0 {
		return expr.None
	}
	o, start := s[0].P, int(s[0].N)+at
	if o.shadowAt(start, min(left, utf8.UTFMax)) == nil {
		return expr.None
	}
	if m.byteWithin(g, s, at, 0, utf8.RuneSelf-1) {
		return m.unlessConst(m.Arena.ZExt(m.byteSym(s, at), 32))
	}
	for i := range runeForms {
		form := &runeForms[i]
		if !m.byteWithin(g, s, at, form.first[0], form.first[1]) {
			continue
		}
		if left < form.size || !m.byteWithin(g, s, at+1, form.second[0], form.second[1]) {
			return expr.None
		}
		for k := 2; k < form.size; k++ {
			if !m.byteWithin(g, s, at+k, 0x80, 0xbf) {
				return expr.None
			}
		}
		// The first byte has 7-size bits of the character, the others 6 each.
		value := m.Arena.Extract(m.byteSym(s, at), 0, uint8(7-form.size))
		for k := 1; k < form.size; k++ {
			value = m.Arena.Concat(value, m.Arena.Extract(m.byteSym(s, at+k), 0, 6))
		}
		return m.unlessConst(m.Arena.ZExt(value, 32))
	}
	return expr.None
}

// byteWithin branches on whether byte i of a string is from lo to hi.
func (m *Machine) byteWithin(g *goroutine, s []Word, i int, lo, hi uint8) bool {
	a := m.Arena
	b := m.byteSym(s, i)
	v := uint8(cellWord(s[0].P, int(s[0].N)+i).N)
	within := lo <= v && v <= hi
	m.branch(g, a.And(a.Ule(a.Const(uint64(lo), 8), b), a.Ule(b, a.Const(uint64(hi), 8))), within)
	return within
}

// byteSym returns byte i of a string as an expression.
func (m *Machine) byteSym(s []Word, i int) expr.ID {
	o, at := s[0].P, int(s[0].N)+i
	x := operand{Word: cellWord(o, at)}
	if o.Sym != nil {
		x.sym = o.Sym[at]
	}
	return m.exprOf(x, code.Uint8)
}
