package printing

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// Indented returns s with a tab after every newline, as panics are printed.
func Indented(s string) string { return strings.ReplaceAll(s, "\n", "\n\t") }

// Panic returns the text with which an unrecovered panic with the interface value (typ,
// data) is printed, if the type has no method Error or String. Pointers are printed as their
// addresses.
func Panic(typ, data heap.Word, address func(heap.Word) uint64) string {
	if typ.P == nil {
		return "nil"
	}
	t := typ.P.Desc
	text, ok := plainText(t, data)
	if !ok {
		return fmt.Sprintf("(%s) %#x", code.TypeString(t.Go), address(data))
	}
	switch {
	case t.Shape == code.ShapeString:
		text = Indented(text)
		if t.Named {
			return code.TypeString(t.Go) + `("` + text + `")`
		}
	case t.Named && t.Shape == code.ShapeComplex:
		return code.TypeString(t.Go) + text
	case t.Named:
		return code.TypeString(t.Go) + "(" + text + ")"
	}
	return text
}

// plainText returns what print prints for the value of type t in the data word of an
// interface. The result is false for types that it does not format.
func plainText(t *code.Type, data heap.Word) (string, bool) {
	switch t.Shape {
	case code.Scalar:
		return scalarText(t.Kinds[0], data.N), true
	case code.ShapeString:
		w := heap.Unbox(nil, t, data)
		return heap.StringAt(w[0], int(w[1].N)), true
	case code.ShapeComplex:
		w := heap.Unbox(nil, t, data)
		if t.Kinds[0] == code.Float32 {
			return strconv.FormatComplex(complex128(symbolic.Complex64Of(w)), 'g', -1, 64), true
		}
		return strconv.FormatComplex(symbolic.ComplexOf(w), 'g', -1, 128), true
	}
	return "", false
}

// scalarText returns what print prints for a scalar of kind k.
func scalarText(k code.Kind, v uint64) string {
	switch k {
	case code.Bool:
		return strconv.FormatBool(v != 0)
	case code.Int8, code.Int16, code.Int32, code.Int64:
		return strconv.FormatInt(int64(v), 10)
	case code.Float32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v))), 'g', -1, 32)
	case code.Float64:
		return strconv.FormatFloat(math.Float64frombits(v), 'g', -1, 64)
	}
	return strconv.FormatUint(v, 10)
}

// Print returns what print or, with a newline, println prints. The arguments are interface
// values, two words each. Pointers are printed as their addresses.
func Print(args []heap.Word, newline bool, address func(heap.Word) uint64) string {
	var b strings.Builder
	for i := 0; i+1 < len(args); i += 2 {
		if newline && i > 0 {
			b.WriteByte(' ')
		}
		typ, data := args[i], args[i+1]
		if typ.P == nil {
			b.WriteString("(0x0,0x0)") // a nil interface value; the predeclared nil is passed as a string
			continue
		}
		t := typ.P.Desc
		text, ok := plainText(t, data)
		if !ok {
			words := heap.Unbox(nil, t, data)
			switch {
			case t.Shape == code.ShapeSlice:
				text = fmt.Sprintf("[%d/%d]%#x", words[1].N, words[2].N, address(words[0]))
			case t.Shape == code.ShapeInterface && len(words) == 2:
				text = fmt.Sprintf("(%#x,%#x)", address(words[0]), address(words[1]))
			case len(words) == 1 && words[0].P == nil:
				text = "0x" + strconv.FormatUint(words[0].N, 16)
			case len(words) == 1:
				text = fmt.Sprintf("%#x", address(words[0]))
			}
		}
		b.WriteString(text)
	}
	if newline {
		b.WriteByte('\n')
	}
	return b.String()
}
