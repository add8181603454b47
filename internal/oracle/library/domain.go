package library

import (
	"math"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
)

// A domain is a set of values of one kind, without duplicates.
type domain struct {
	kind   code.Kind
	values []uint64 // the first is that of a run without input
}

// condition returns an expression for whether x is in the domain.
func (d *domain) condition(a *expr.Arena, x expr.ID) expr.ID {
	width := a.Width(x)
	sorted := slices.Sorted(slices.Values(d.values))
	in := a.Bool(false)
	for i := 0; i < len(sorted); {
		n := i + 1
		for n < len(sorted) && sorted[n] == sorted[n-1]+1 {
			n++
		}
		in = a.Or(in, a.And(a.Ule(a.Const(sorted[i], width), x), a.Ule(x, a.Const(sorted[n-1], width))))
		i = n
	}
	return in
}

// bytesOf returns a domain of bytes.
func bytesOf(text string) domain {
	d := domain{kind: code.Uint8}
	for _, c := range []byte(text) {
		if !slices.Contains(d.values, uint64(c)) {
			d.values = append(d.values, uint64(c))
		}
	}
	return d
}

// allBytes are all values of a byte.
var allBytes = func() domain {
	var b strings.Builder
	for c := range 256 {
		b.WriteByte(byte(c))
	}
	return bytesOf(b.String())
}()

// The bytes of texts that are longer than one byte. They have invalid and incomplete encodings
// among them, and the parts of characters that change their length or their class when
// their case does: the Kelvin sign (e2 84 aa), the long s (c5 bf), the dotless i (c4 b1), É and é
// (c3 89, c3 a9), the next line (c2 85).
const (
	manyBytes = "\x00a0-kKsS+ .\n1zZAeix_/:%\\\"'<&=,;?#~\x7f\x80\x85\x89\xa9\xaa\xb1\xbf\xc2\xc3\xc4\xc5\xe2\x84\xef\xf0\xff"
	fewBytes  = "k0-K a\xe2\x84\xaa\xc3\xa9\xff"
)

// numbers returns a domain of numbers of a kind.
func numbers(kind code.Kind, values ...int64) domain {
	d := domain{kind: kind}
	for _, v := range values {
		u := uint64(v) & (1<<kind.Bits() - 1)
		if !slices.Contains(d.values, u) {
			d.values = append(d.values, u)
		}
	}
	return d
}

// edges are the numbers at which most functions of numbers have their cases.
var edges = []int64{
	0, 1, -1, 2, 3, 7, 8, 9, 10, 11, 35, 36, 37, 63, 64, 99, 100, 127, 128, 255, 256, 999, 1000,
	-2, -9, -10, -64, -99, -100, -127, -128, -129, 32767, 32768, 65535, 65536, math.MaxInt32, math.MinInt32,
	math.MaxUint32, 1<<53 + 1, math.MaxInt64, math.MinInt64,
}

// runes are characters at the edges of encodings and of classes.
var runes = []int64{
	0, 'a', '0', 'K', 'k', 'S', 's', 'i', 'I', ' ', '\n', '-', 0x7f, 0x80, 0x85, 0xa0, 0xb5, 0xdf, 0xe9, 0xff, 0x130, 0x131, 0x17f, 0x1c5, 0x37e,
	0x390, 0x3c2, 0x660, 0x7ff, 0x800, 0x1e9e, 0x2028, 0x2126, 0x212a, 0x3007, 0xd7ff, 0xd800, 0xdc00, 0xdfff, 0xe000,
	0xfeff, 0xfffd, 0xfffe, 0xffff, 0x10000, 0x10400, 0x1f600, 0x10ffff, 0x110000, -1, math.MaxInt32, math.MinInt32,
}

// wordDomains are the domains of the words of programs, by the name in a template.
var wordDomains = map[string]domain{
	"bool":   numbers(code.Bool, 0, 1),
	"byte":   allBytes,
	"rune":   numbers(code.Int32, runes...),
	"int":    numbers(code.Int64, edges...),
	"int8":   numbers(code.Int8, edges...),
	"int16":  numbers(code.Int16, edges...),
	"int32":  numbers(code.Int32, edges...),
	"int64":  numbers(code.Int64, edges...),
	"uint":   numbers(code.Uint64, edges...),
	"uint8":  numbers(code.Uint8, edges...),
	"uint16": numbers(code.Uint16, edges...),
	"uint32": numbers(code.Uint32, edges...),
	"uint64": numbers(code.Uint64, edges...),
	"small":  numbers(code.Int64, 0, 1, -1, 2, 3, 4, 5), // counts, lengths and offsets
	"base":   numbers(code.Int64, 10, 2, 16, 36, 0, 8, 7, 1, 37, -1),
	"bits":   numbers(code.Int64, 64, 8, 0, 32, 1, 65, -1),
	"second": numbers(code.Int64, 0, 1, -1, 59, 60, 86399, 86400, 951782400, 1709164800, 4102444799, -2208988800, 253402300800, -62135596801),
	"month":  numbers(code.Int64, 1, 2, 12, 0, 13, 3, -1),
	"day":    numbers(code.Int64, 1, 28, 29, 30, 31, 0, 32, 366),
	"year":   numbers(code.Int64, 2024, 2023, 1900, 2000, 1, 0, -1, 9999, 10000),
}
