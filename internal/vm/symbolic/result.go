package symbolic

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// Result returns the result of in, which only computes one word from x and y, as an
// expression, and the kind of the word. Divisors must not be zero, and shift counts not
// negative.
func Result(a *expr.Arena, in *code.Instr, x, y Operand) (expr.ID, code.Kind) {
	k := code.Kind(in.K)
	p := func() expr.ID { return x.Expr(a, k) }
	q := func() expr.ID { return y.Expr(a, k) }
	switch in.Op {
	case code.Add, code.AddK, code.AddI, code.AddKI:
		return operate(a, code.Add, k, p(), q()), k
	case code.Sub, code.SubK:
		return operate(a, code.Sub, k, p(), q()), k
	case code.Mul, code.MulK, code.MulI:
		return operate(a, code.Mul, k, p(), q()), k
	case code.And, code.AndI:
		return operate(a, code.And, k, p(), q()), k
	case code.Or, code.Xor, code.AndNot, code.Div, code.Rem:
		return operate(a, in.Op, k, p(), q()), k
	case code.MulHi:
		return a.UMulHi(p(), q()), k
	case code.Shl, code.Shr:
		return shift(a, in.Op == code.Shl, k, p(), y.Expr(a, code.Kind(in.D))), k
	case code.ShlI, code.ShrI:
		return shift(a, in.Op == code.ShlI, k, p(), y.Expr(a, code.Uint64)), k
	case code.Neg:
		return a.Neg(p()), k
	case code.Com:
		return a.Not(p()), k
	case code.Not:
		return a.Not(x.Expr(a, code.Bool)), code.Bool
	case code.Conv:
		return convert(a, x.Expr(a, code.Kind(in.C)), code.Kind(in.C), k), k
	case code.RoundF:
		return a.FRound(p(), expr.Rounding(in.C)), k
	case code.MinMax:
		return minMaxExpr(a, in.D == 1, k, p(), q()), k
	case code.EqW, code.EqP:
		return compare(a, equal, k, p(), q()), code.Bool
	case code.NeW, code.NeP:
		return compare(a, notEqual, k, p(), q()), code.Bool
	case code.LtS, code.LtU:
		return compare(a, less, k, p(), q()), code.Bool
	case code.LeS, code.LeU:
		return compare(a, lessEqual, k, p(), q()), code.Bool
	}
	return resultFloat(a, in.Op, k, p(), q)
}

// minMaxExpr returns the minimum or maximum of two numbers of kind k.
func minMaxExpr(a *expr.Arena, wantMax bool, k code.Kind, x, y expr.ID) expr.ID {
	switch {
	case k.Float():
		return minMaxFloatExpr(a, wantMax, x, y)
	case wantMax:
		return a.Ite(compare(a, greater, k, x, y), x, y)
	}
	return a.Ite(compare(a, less, k, x, y), x, y)
}

// Arith carries out an integer operation that cannot panic, on concrete and symbolic
// values.
func Arith(a *expr.Arena, op code.Op, k code.Kind, x, y Operand) Operand {
	var v uint64
	switch op {
	case code.Add:
		v = x.N + y.N
	case code.And:
		v = x.N & y.N
	case code.Or:
		v = x.N | y.N
	}
	z := Operand{Word: heap.Word{N: heap.Canonical(v, k)}}
	if x.Sym != expr.None || y.Sym != expr.None {
		z.Sym = operate(a, op, k, x.Expr(a, k), y.Expr(a, k))
	}
	return z
}

// operate returns the symbolic value of an integer operation in kind k. The operation is
// given by the opcode of its plain form.
func operate(a *expr.Arena, op code.Op, k code.Kind, x, y expr.ID) expr.ID {
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
	panic("symbolic: operate: " + op.String())
}

// shift returns x << n or x >> n in kind k. The count n is unsigned and may have another
// width than x.
func shift(a *expr.Arena, left bool, k code.Kind, x, n expr.ID) expr.ID {
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
	// A count that does not fit in the width of x exceeds that width, so that the largest
	// count that does fit has the same effect: even for 8-bit values that is 255.
	low := a.Extract(n, 0, width)
	huge := a.Const(1<<width-1, width)
	return by(a.Ite(a.Ult(n, a.Const(uint64(width), have)), low, huge))
}

// convert returns the conversion of x from one kind to another.
func convert(a *expr.Arena, x expr.ID, from, to code.Kind) expr.ID {
	x = Fit(a, x, from)
	if from.Float() || to.Float() {
		return convertFloatExpr(a, from, to, x)
	}
	width := heap.KindWidth(to)
	switch have := a.Width(x); {
	case have > width:
		return a.Extract(x, 0, width)
	case have < width && from.Signed():
		return a.SExt(x, width)
	case have < width:
		return a.ZExt(x, width)
	}
	return x
}

// Rotation returns the symbolic value of x rotated left by n bits, None if it is
// concrete. It is composed as in package math/bits: x<<s|x>>(w-s), where s are the low
// bits of n.
func Rotation(a *expr.Arena, k code.Kind, x, n Operand) expr.ID {
	width := uint64(k.Bits())
	s := Arith(a, code.And, code.Uint64, n, Operand{Word: heap.Word{N: width - 1}})
	rest := Operand{Word: heap.Word{N: width - s.N}}
	if s.Sym != expr.None {
		s.Sym = UnlessConst(a, s.Sym)
		rest.Sym = UnlessConst(a, a.Sub(a.Const(width, 64), s.Expr(a, code.Uint64)))
	}
	part := func(left bool, n Operand) Operand {
		p := Operand{Word: heap.Word{N: x.N >> n.N}}
		if left {
			p.N = heap.Canonical(x.N<<n.N, k)
		}
		if x.Sym != expr.None || n.Sym != expr.None {
			p.Sym = UnlessConst(a, shift(a, left, k, x.Expr(a, k), n.Expr(a, code.Uint64)))
		}
		return p
	}
	high, low := part(true, s), part(false, rest)
	if high.Sym == expr.None && low.Sym == expr.None {
		return expr.None
	}
	return UnlessConst(a, a.Or(high.Expr(a, k), low.Expr(a, k)))
}

// SetResult computes the shadow of the result of in, which computes a word from one or
// two others.
func SetResult(a *expr.Arena, in *code.Instr, r []heap.Word, sy []expr.ID) {
	x, y := OperandsOf(in, r, sy)
	if x.Sym == expr.None && y.Sym == expr.None {
		sy[in.A] = expr.None
		return
	}
	z, _ := Result(a, in, x, y)
	sy[in.A] = UnlessConst(a, z)
}
