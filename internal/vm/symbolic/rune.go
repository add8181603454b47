package symbolic

import (
	"unicode/utf8"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// A runeForm is a form of the UTF-8 encoding of a character of several bytes: the ranges
// of its first and second bytes. The others are continuation bytes. All other sequences
// are invalid, and their first byte is decoded as RuneError.
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

// RuneAt returns the bytes of a string, from offset at on, that the encoding of a
// character there may have.
func RuneAt(s []heap.Word, at int) Text {
	left := int(s[1].N) - at
	if left <= 0 {
		return Text{}
	}
	base := heap.Word{P: s[0].P, N: s[0].N + uint64(at)}
	return TextOf([]heap.Word{base, {N: uint64(min(left, utf8.UTFMax))}})
}

// A Brancher adds to the path condition that cond is true or, if holds is false, that it
// is false, as it is in this run.
type Brancher func(cond expr.ID, holds bool)

// Rune returns the symbolic value of the first character of t, some of whose bytes are
// symbolic. It is None if the character is concrete. The size of the encoding, or that it
// is invalid, is added to the path condition.
func (t Text) Rune(a *expr.Arena, branch Brancher) expr.ID {
	c, size := utf8.DecodeRune(t.Bytes)
	if c == utf8.RuneError && size == 1 {
		size = 0
	}
	branch(a.Ult(t.ByteAt(a, 0), a.Const(utf8.RuneSelf, 8)), size == 1)
	if size == 1 {
		return UnlessConst(a, a.ZExt(t.ByteAt(a, 0), 32))
	}
	for n := 2; n <= len(t.Bytes); n++ {
		branch(t.validRune(a, n), size == n)
		if size != n {
			continue
		}
		// The first byte contains 7-n bits of the character, the others 6 each.
		value := a.Extract(t.ByteAt(a, 0), 0, uint8(7-n))
		for i := 1; i < n; i++ {
			value = a.Concat(value, a.Extract(t.ByteAt(a, i), 0, 6))
		}
		return UnlessConst(a, a.ZExt(value, 32))
	}
	return expr.None
}

// validRune returns whether the first n bytes of t, n > 1, are the encoding of a character.
func (t Text) validRune(a *expr.Arena, n int) expr.ID {
	within := func(i int, bounds [2]uint8) expr.ID {
		b := t.ByteAt(a, i)
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

// AppendRune returns t with the encoding of x appended, where x is an integer of kind k
// that is converted to a character. If x is symbolic, the form of the encoding is added
// to the path condition.
func (t Text) AppendRune(a *expr.Arena, x Operand, k code.Kind, branch Brancher) Text {
	n := len(t.Bytes)
	c := rune(utf8.RuneError)
	if x.N <= utf8.MaxRune {
		c = rune(x.N)
	}
	t.Bytes = utf8.AppendRune(t.Bytes, c)
	var syms []expr.ID
	if x.Sym != expr.None {
		syms = encodedRune(a, x, k, branch)
	}
	if syms == nil {
		if t.Syms != nil {
			t.Syms = append(t.Syms, make([]expr.ID, len(t.Bytes)-n)...)
		}
		return t
	}
	if t.Syms == nil {
		t.Syms = make([]expr.ID, n)
	}
	t.Syms = append(t.Syms, syms...)
	return t
}

// encodedRune returns the bytes of the encoding of a symbolic integer of kind k, nil if
// it is encoded as RuneError.
func encodedRune(a *expr.Arena, x Operand, k code.Kind, branch Brancher) []expr.ID {
	c := convert(a, x.Sym, k, code.Int64)
	below := func(end uint64) bool {
		holds := x.N < end
		branch(a.Ult(c, a.Const(end, 64)), holds)
		return holds
	}
	const surrogates, afterSurrogates = 0xd800, 0xe000
	var size uint8
	switch {
	case below(utf8.RuneSelf):
		return []expr.ID{UnlessConst(a, a.Extract(c, 0, 8))}
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
	// The first byte consists of size ones, a zero, and 7-size bits of the character. Each
	// of the others consists of the bits 10 and 6 bits of the character.
	bytes := make([]expr.ID, size)
	low := 6 * (size - 1)
	bytes[0] = UnlessConst(a, a.Concat(a.Const(1<<(size+1)-2, size+1), a.Extract(c, low, 7-size)))
	for i := uint8(1); i < size; i++ {
		low -= 6
		bytes[i] = UnlessConst(a, a.Concat(a.Const(2, 2), a.Extract(c, low, 6)))
	}
	return bytes
}
