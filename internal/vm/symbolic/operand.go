package symbolic

import (
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// An Operand is a word with its symbolic value, None if it is concrete.
type Operand struct {
	heap.Word
	Sym expr.ID
}

// Expr returns the value of kind k in x as an expression.
func (x Operand) Expr(a *expr.Arena, k code.Kind) expr.ID {
	if x.Sym != expr.None {
		return Fit(a, x.Sym, k)
	}
	return a.Const(x.Word.Number(k), max(heap.KindWidth(k), 1))
}

// OperandsOf returns the operands of in, which computes one word from one or two others.
// For conversions and other instructions with one operand, the second one is zero.
func OperandsOf(in *code.Instr, r []heap.Word, sy []expr.ID) (x, y Operand) {
	x = Operand{r[in.B], sy[in.B]}
	switch in.Op {
	case code.AddI, code.AddKI, code.MulI, code.AndI, code.ShlI, code.ShrI:
		y.N = uint64(int64(in.C))
	case code.Neg, code.Com, code.Not, code.NegF, code.SqrtF, code.RoundF, code.Conv:
	default:
		y = Operand{r[in.C], sy[in.C]}
	}
	return x, y
}

// Same reports whether x and y are the same value.
func (x Operand) Same(y Operand) bool {
	return x.Sym == y.Sym && (x.Sym != expr.None || x.Word == y.Word)
}

// Operands is a sequence of registers or cells with their symbolic values, nil if all of
// them are concrete.
type Operands struct {
	Words []heap.Word
	Syms  []expr.ID
}

// At returns operand i.
func (o Operands) At(i int) Operand {
	if o.Syms == nil {
		return Operand{Word: o.Words[i]}
	}
	return Operand{o.Words[i], o.Syms[i]}
}

// Slice returns the operands with indices from up to, but not including, to.
func (o Operands) Slice(from, to int) Operands {
	o.Words = o.Words[from:to]
	if o.Syms != nil {
		o.Syms = o.Syms[from:to]
	}
	return o
}

// Clone returns a copy of o that shares no memory with it.
func (o Operands) Clone() Operands { return Operands{slices.Clone(o.Words), slices.Clone(o.Syms)} }

// Fit returns x, converted to the width of kind k.
func Fit(a *expr.Arena, x expr.ID, k code.Kind) expr.ID {
	if x == expr.None {
		return x
	}
	width := heap.KindWidth(k)
	switch have := a.Width(x); {
	case width == 0:
		return expr.None
	case have > width:
		return a.Extract(x, 0, width)
	case have < width && k.Signed():
		return a.SExt(x, width)
	case have < width:
		return a.ZExt(x, width)
	}
	return x
}

// UnlessConst returns x, or None if x is a constant.
func UnlessConst(a *expr.Arena, x expr.ID) expr.ID {
	if _, constant := a.ConstValue(x); constant {
		return expr.None
	}
	return x
}
