package symbolic

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// A relation is a comparison.
type relation uint8

const (
	equal relation = iota
	notEqual
	less
	lessEqual
	greater
	greaterEqual
)

// A Comparison is the condition of a conditional jump on numbers: that a relation holds
// between two words of a kind. JmpIf and JmpIfNot compare a bool with 0.
type Comparison struct {
	rel  relation
	k    code.Kind
	x, y Operand
}

// ComparisonOf returns the condition of in, a conditional jump on numbers.
func ComparisonOf(in *code.Instr, r []heap.Word, sy []expr.ID) Comparison {
	t := Comparison{k: code.Kind(in.K), x: Operand{r[in.A], sy[in.A]}}
	switch in.Op {
	case code.JmpIf, code.JmpIfNot:
		t.k, t.rel = code.Bool, notEqual
		return t
	case code.JmpEq, code.JmpEqI:
		t.rel = equal
	case code.JmpNe, code.JmpNeI:
		t.rel = notEqual
	case code.JmpLtS, code.JmpLtU, code.JmpLtSI:
		t.rel = less
	case code.JmpLeS, code.JmpLeU, code.JmpLeSI:
		t.rel = lessEqual
	case code.JmpGtSI:
		t.rel = greater
	case code.JmpGeSI:
		t.rel = greaterEqual
	default:
		panic("symbolic: ComparisonOf: " + in.Op.String())
	}
	if in.Op >= code.JmpEqI {
		t.y.N = heap.Canonical(uint64(int64(in.C)), t.k)
	} else {
		t.y = Operand{r[in.B], sy[in.B]}
	}
	return t
}

// Symbolic reports whether the result may depend on inputs.
func (t *Comparison) Symbolic() bool { return t.x.Sym != expr.None || t.y.Sym != expr.None }

// Holds reports whether the condition is true for the words.
func (t *Comparison) Holds() bool { return compareWords(t.rel, t.k, t.x.Word, t.y.Word) }

// Expr returns the condition as an expression.
func (t *Comparison) Expr(a *expr.Arena) expr.ID {
	return compare(a, t.rel, t.k, t.x.Expr(a, t.k), t.y.Expr(a, t.k))
}

// compare returns the expression for the comparison of x and y by an opcode. Whether it
// is signed follows from kind k.
func compare(a *expr.Arena, rel relation, k code.Kind, x, y expr.ID) expr.ID {
	switch rel {
	case equal:
		return a.Eq(x, y)
	case notEqual:
		return a.Not(a.Eq(x, y))
	case less:
		if k.Signed() {
			return a.Slt(x, y)
		}
		return a.Ult(x, y)
	case lessEqual:
		if k.Signed() {
			return a.Sle(x, y)
		}
		return a.Ule(x, y)
	case greater:
		return compare(a, less, k, y, x)
	}
	return compare(a, lessEqual, k, y, x)
}

// compareWords reports whether the relation holds between two words of kind k.
func compareWords(rel relation, k code.Kind, x, y heap.Word) bool {
	switch rel {
	case equal:
		return x == y
	case notEqual:
		return x != y
	case less:
		if k.Signed() {
			return int64(x.N) < int64(y.N)
		}
		return x.N < y.N
	case lessEqual:
		return !compareWords(less, k, y, x)
	case greater:
		return compareWords(less, k, y, x)
	}
	return !compareWords(less, k, x, y)
}
