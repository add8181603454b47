package vm

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// The arithmetic of symbolic values. A value of an integer kind is a bit-vector
// of the kind's width, a bool has width 1, a pointer is its code (pointerCode)
// in 64 bits. Shadows are built in the width of the kind; what comes in another
// one (out of an interface, or through a pointer that package unsafe made) is
// fitted first.

// An operand is a word with its symbolic value, None when it is concrete.
type operand struct {
	heap.Word
	sym expr.ID
}

// fit returns x in the width of kind k.
func (m *Machine) fit(x expr.ID, k code.Kind) expr.ID {
	if x == expr.None {
		return x
	}
	width := heap.KindWidth(k)
	switch have := m.Arena.Width(x); {
	case width == 0:
		return expr.None
	case have > width:
		return m.Arena.Extract(x, 0, width)
	case have < width && k.Signed():
		return m.Arena.SExt(x, width)
	case have < width:
		return m.Arena.ZExt(x, width)
	}
	return x
}

// exprOf returns the value of kind k in x as an expression.
func (m *Machine) exprOf(x operand, k code.Kind) expr.ID {
	if x.sym != expr.None {
		return m.fit(x.sym, k)
	}
	return m.Arena.Const(x.Word.Number(k), max(heap.KindWidth(k), 1))
}

// operandsOf returns the operands of in, which makes one word of one or two; of those
// with one, and of conversions, the second is zero.
func operandsOf(in *code.Instr, r []heap.Word, sy []expr.ID) (x, y operand) {
	x = operand{r[in.B], sy[in.B]}
	switch in.Op {
	case code.AddI, code.AddKI, code.MulI, code.AndI, code.ShlI, code.ShrI:
		y.N = uint64(int64(in.C))
	case code.Neg, code.Com, code.Not, code.NegF, code.SqrtF, code.RoundF, code.Conv:
	default:
		y = operand{r[in.C], sy[in.C]}
	}
	return x, y
}

// result returns what in, which makes one word of x and y and does nothing else,
// gives, as an expression, and the kind of the word. Divisors are not zero, and counts
// of shifts not negative.
func (m *Machine) result(in *code.Instr, x, y operand) (expr.ID, code.Kind) {
	a, k := m.Arena, code.Kind(in.K)
	p := func() expr.ID { return m.exprOf(x, k) }
	q := func() expr.ID { return m.exprOf(y, k) }
	switch in.Op {
	case code.Add, code.AddK, code.AddI, code.AddKI:
		return m.binary(code.Add, k, p(), q()), k
	case code.Sub, code.SubK:
		return m.binary(code.Sub, k, p(), q()), k
	case code.Mul, code.MulK, code.MulI:
		return m.binary(code.Mul, k, p(), q()), k
	case code.And, code.AndI:
		return m.binary(code.And, k, p(), q()), k
	case code.Or, code.Xor, code.AndNot, code.Div, code.Rem:
		return m.binary(in.Op, k, p(), q()), k
	case code.MulHi:
		return a.UMulHi(p(), q()), k
	case code.Shl, code.Shr:
		return m.shift(in.Op == code.Shl, k, p(), m.exprOf(y, code.Kind(in.D))), k
	case code.ShlI, code.ShrI:
		return m.shift(in.Op == code.ShlI, k, p(), m.exprOf(y, code.Uint64)), k
	case code.Neg:
		return a.Neg(p()), k
	case code.Com:
		return a.Not(p()), k
	case code.Not:
		return a.Not(m.exprOf(x, code.Bool)), code.Bool
	case code.Conv:
		return m.convert(m.exprOf(x, code.Kind(in.C)), code.Kind(in.C), k), k
	case code.RoundF:
		return a.FRound(p(), expr.Rounding(in.C)), k
	case code.MinMax:
		return m.minMaxSym(in.D == 1, k, p(), q()), k
	case code.EqW, code.EqP:
		return m.compareSym(equal, k, p(), q()), code.Bool
	case code.NeW, code.NeP:
		return m.compareSym(notEqual, k, p(), q()), code.Bool
	case code.LtS, code.LtU:
		return m.compareSym(less, k, p(), q()), code.Bool
	case code.LeS, code.LeU:
		return m.compareSym(lessEqual, k, p(), q()), code.Bool
	}
	return m.resultFloat(in.Op, k, p(), q)
}

// minMaxSym returns the lesser, or the greater, of two numbers of kind k.
func (m *Machine) minMaxSym(wantMax bool, k code.Kind, x, y expr.ID) expr.ID {
	switch {
	case k.Float():
		return m.minMaxFloatSym(wantMax, x, y)
	case wantMax:
		return m.Arena.Ite(m.compareSym(greater, k, x, y), x, y)
	}
	return m.Arena.Ite(m.compareSym(less, k, x, y), x, y)
}

// arith carries out an integer operation that cannot panic on concrete and
// symbolic values.
func (m *Machine) arith(op code.Op, k code.Kind, x, y operand) operand {
	var v uint64
	switch op {
	case code.Add:
		v = x.N + y.N
	case code.And:
		v = x.N & y.N
	case code.Or:
		v = x.N | y.N
	}
	z := operand{Word: heap.Word{N: heap.Canonical(v, k)}}
	if x.sym != expr.None || y.sym != expr.None {
		z.sym = m.binary(op, k, m.exprOf(x, k), m.exprOf(y, k))
	}
	return z
}

// binary returns the symbolic value of an integer operation, given by the
// opcode of its plain form, in kind k.
func (m *Machine) binary(op code.Op, k code.Kind, x, y expr.ID) expr.ID {
	a := m.Arena
	switch op {
	case code.Add:
		return a.Add(x, y)
	case code.Sub:
		return a.Sub(x, y)
	case code.Mul:
		return a.Mul(x, y)
	case code.Div:
		if k.Signed() {
			return a.SDiv(x, y)
		}
		return a.UDiv(x, y)
	case code.Rem:
		if k.Signed() {
			return a.SRem(x, y)
		}
		return a.URem(x, y)
	case code.And:
		return a.And(x, y)
	case code.Or:
		return a.Or(x, y)
	case code.Xor:
		return a.Xor(x, y)
	case code.AndNot:
		return a.And(x, a.Not(y))
	}
	panic("vm: binary: " + op.String())
}

// shift returns x << n or x >> n in kind k. n, an unsigned value, may have
// another width than x.
func (m *Machine) shift(left bool, k code.Kind, x, n expr.ID) expr.ID {
	a := m.Arena
	width := a.Width(x)
	by := func(n expr.ID) expr.ID {
		switch {
		case left:
			return a.Shl(x, n)
		case k.Signed():
			return a.AShr(x, n)
		}
		return a.LShr(x, n)
	}
	have := a.Width(n)
	if have <= width {
		return by(a.ZExt(n, width))
	}
	// A count that does not fit in the width of x is more than that width: 255
	// bits are as good as any such count for 8-bit values, and more so for others.
	low := a.Extract(n, 0, width)
	huge := a.Const(1<<width-1, width)
	return by(a.Ite(a.Ult(n, a.Const(uint64(width), have)), low, huge))
}

// compareSym returns the comparison of x and y that an opcode of a comparison
// stands for. Whether it is signed follows from kind k.
func (m *Machine) compareSym(rel relation, k code.Kind, x, y expr.ID) expr.ID {
	a := m.Arena
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
		return m.compareSym(less, k, y, x)
	}
	return m.compareSym(lessEqual, k, y, x)
}

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

// A test is what a conditional jump of numbers asks: whether the relation holds between
// two words of kind k. JmpIf and JmpIfNot ask whether a bool is unlike 0.
type test struct {
	rel  relation
	k    code.Kind
	x, y operand
}

// testOf returns what in, a conditional jump of numbers, asks.
func testOf(in *code.Instr, r []heap.Word, sy []expr.ID) test {
	t := test{k: code.Kind(in.K), x: operand{r[in.A], sy[in.A]}}
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
		panic("vm: testOf: " + in.Op.String())
	}
	if in.Op >= code.JmpEqI {
		t.y.N = heap.Canonical(uint64(int64(in.C)), t.k)
	} else {
		t.y = operand{r[in.B], sy[in.B]}
	}
	return t
}

// symbolic reports whether the answer may depend on inputs.
func (t *test) symbolic() bool { return t.x.sym != expr.None || t.y.sym != expr.None }

// holds reports whether the words are so related.
func (t *test) holds() bool { return compareWords(t.rel, t.k, t.x.Word, t.y.Word) }

// condition returns what t asks as an expression.
func (m *Machine) condition(t *test) expr.ID {
	return m.compareSym(t.rel, t.k, m.exprOf(t.x, t.k), m.exprOf(t.y, t.k))
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

// convert returns the conversion of x from one kind to another.
func (m *Machine) convert(x expr.ID, from, to code.Kind) expr.ID {
	x = m.fit(x, from)
	if from.Float() || to.Float() {
		return m.convertFloatSym(from, to, x)
	}
	width := heap.KindWidth(to)
	switch have := m.Arena.Width(x); {
	case have > width:
		return m.Arena.Extract(x, 0, width)
	case have < width && from.Signed():
		return m.Arena.SExt(x, width)
	case have < width:
		return m.Arena.ZExt(x, width)
	}
	return x
}
