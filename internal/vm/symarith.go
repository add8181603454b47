package vm

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
)

// The arithmetic of symbolic values. A value of an integer kind is a bit-vector
// of the kind's width, a bool has width 1, a pointer is its code (pointerCode)
// in 64 bits. Shadows are built in the width of the kind; what comes in another
// one (out of an interface, or through a pointer that package unsafe made) is
// fitted first.

// An operand is a word with its symbolic value, None when it is concrete.
type operand struct {
	Word
	sym expr.ID
}

// canonical returns the integer v as words of kind k hold it.
func canonical(v uint64, k code.Kind) uint64 {
	switch k {
	case code.Bool:
		return v & 1
	case code.Int8:
		return uint64(int64(int8(v)))
	case code.Int16:
		return uint64(int64(int16(v)))
	case code.Int32:
		return uint64(int64(int32(v)))
	case code.Uint8:
		return uint64(uint8(v))
	case code.Uint16:
		return uint64(uint16(v))
	case code.Uint32, code.Float32:
		return uint64(uint32(v))
	}
	return v
}

// canonicalWord is canonical for words, which may be pointers.
func canonicalWord(w Word, k code.Kind) Word {
	if w.P == nil {
		w.N = canonical(w.N, k)
	}
	return w
}

// fit returns x in the width of kind k.
func (m *Machine) fit(x expr.ID, k code.Kind) expr.ID {
	if x == expr.None {
		return x
	}
	width := kindWidth(k)
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
	return m.Arena.Const(m.number(x.Word, k), max(kindWidth(k), 1))
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
	z := operand{Word: Word{N: canonical(v, k)}}
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

// compareWords reports whether the relation holds between two words of kind k.
func compareWords(rel relation, k code.Kind, x, y Word) bool {
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
	width := kindWidth(to)
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
