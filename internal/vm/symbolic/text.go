package symbolic

import (
	"bytes"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// A Text is a sequence of bytes with their symbolic values, nil if all of them are
// concrete.
type Text struct {
	Bytes []byte
	Syms  []expr.ID
}

// TextOf returns the bytes of the string or []byte in the words w.
func TextOf(w []heap.Word) Text {
	n := int(w[1].N)
	if n == 0 {
		return Text{}
	}
	return Text{heap.BytesAt(w[0], n), w[0].P.ShadowAt(int(w[0].N), n)}
}

// ByteAt returns byte i of t as an expression.
func (t Text) ByteAt(a *expr.Arena, i int) expr.ID {
	x := Operand{Word: heap.Word{N: uint64(t.Bytes[i])}}
	if t.Syms != nil {
		x.Sym = t.Syms[i]
	}
	return x.Expr(a, code.Uint8)
}

// Match returns an expression for whether sub is at offset i of t.
func (t Text) Match(a *expr.Arena, sub Text, i int) expr.ID {
	all := a.Bool(true)
	for k := range sub.Bytes {
		all = a.And(all, a.Eq(t.ByteAt(a, i+k), sub.ByteAt(a, k)))
		if Never(a, all) {
			break
		}
	}
	return all
}

// Less returns an expression for whether t is less than u or, if orEqual is set, equal to
// it.
func (t Text) Less(a *expr.Arena, u Text, orEqual bool) expr.ID {
	// Go from the last byte that both have to the first, since the first difference decides.
	rest := a.Bool(len(t.Bytes) < len(u.Bytes) || orEqual && len(t.Bytes) == len(u.Bytes))
	for i := min(len(t.Bytes), len(u.Bytes)) - 1; i >= 0; i-- {
		x, y := t.ByteAt(a, i), u.ByteAt(a, i)
		rest = a.Ite(a.Eq(x, y), rest, a.Ult(x, y))
	}
	return rest
}

// SameText reports whether two strings, of two words each, are equal.
func SameText(a, b []heap.Word) bool {
	n := a[1].N
	if n != b[1].N {
		return false
	}
	if a[0] == b[0] || n == 0 {
		return true
	}
	return bytes.Equal(heap.BytesAt(a[0], int(n)), heap.BytesAt(b[0], int(n)))
}

// compareText compares two strings, of two words each.
func compareText(a, b []heap.Word) int {
	return bytes.Compare(heap.BytesAt(a[0], int(a[1].N)), heap.BytesAt(b[0], int(b[1].N)))
}

// CompareStrings carries out a comparison of two strings, of two words each.
func CompareStrings(op code.Op, a, b []heap.Word) bool {
	switch op {
	case code.EqStr:
		return SameText(a, b)
	case code.NeStr:
		return !SameText(a, b)
	case code.LtStr:
		return compareText(a, b) < 0
	}
	return compareText(a, b) <= 0
}

// IsText reports whether a string of two words has symbolic bytes.
func IsText(w []heap.Word) bool {
	return w[1].N > 0 && w[0].P.ShadowAt(int(w[0].N), int(w[1].N)) != nil
}

// HasText reports whether a value of type t, whose registers are concrete, has
// symbolic parts behind pointers that a comparison follows.
func HasText(t *code.Type, words []heap.Word) bool {
	switch t.Shape {
	case code.ShapeString:
		return IsText(words)
	case code.ShapeInterface:
		if words[0].P == nil {
			return false
		}
		dyn := words[0].P.Desc
		if dyn.Words <= 1 {
			return false
		}
		if words[1].P.ShadowAt(int(words[1].N), dyn.Words) != nil {
			return true
		}
		return HasText(dyn, heap.Unbox(nil, dyn, words[1]))
	case code.ShapeArray:
		w := t.Elem.Words
		if t.Elem.Shape == code.Scalar {
			return false
		}
		for i := range int(t.Len) {
			if HasText(t.Elem, words[i*w:(i+1)*w]) {
				return true
			}
		}
	case code.ShapeStruct:
		for i := range t.Fields {
			f := &t.Fields[i]
			if HasText(f.Type, words[f.Offset:f.Offset+f.Type.Words]) {
				return true
			}
		}
	}
	return false
}
