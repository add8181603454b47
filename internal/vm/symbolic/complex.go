package symbolic

import (
	"math"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// ComplexOf returns the complex128 in two words.
func ComplexOf(w []heap.Word) complex128 {
	return complex(math.Float64frombits(w[0].N), math.Float64frombits(w[1].N))
}

// Complex64Of returns the complex64 in two words.
func Complex64Of(w []heap.Word) complex64 { return complex(Float32Of(w[0]), Float32Of(w[1])) }

func setComplex(w []heap.Word, c complex128) {
	w[0], w[1] = heap.Word{N: expr.Float64Bits(real(c))}, heap.Word{N: expr.Float64Bits(imag(c))}
}

func setComplex64(w []heap.Word, c complex64) {
	w[0], w[1] = float32Word(real(c)), float32Word(imag(c))
}

// ComplexArith carries out an arithmetic instruction on complex numbers.
func ComplexArith(op code.Op, k code.Kind, r []heap.Word, in *code.Instr) {
	z := r[in.A : in.A+2]
	if op == code.NegC {
		sign := SignBit(partKind(k))
		z[0], z[1] = heap.Word{N: r[in.B].N ^ sign}, heap.Word{N: r[in.B+1].N ^ sign}
		return
	}
	if k == code.Complex64 {
		x := Complex64Of(r[in.B : in.B+2])
		y := Complex64Of(r[in.C : in.C+2])
		switch op {
		case code.AddC:
			setComplex64(z, x+y)
		case code.SubC:
			setComplex64(z, x-y)
		case code.MulC:
			setComplex64(z, x*y)
		case code.DivC:
			setComplex64(z, x/y)
		}
		return
	}
	x := ComplexOf(r[in.B : in.B+2])
	y := ComplexOf(r[in.C : in.C+2])
	switch op {
	case code.AddC:
		setComplex(z, x+y)
	case code.SubC:
		setComplex(z, x-y)
	case code.MulC:
		setComplex(z, x*y)
	case code.DivC:
		setComplex(z, x/y)
	}
}

// EqualComplex compares complex numbers of kind k, of two words each.
func EqualComplex(k code.Kind, x, y []heap.Word) bool {
	if k == code.Complex64 {
		return Complex64Of(x) == Complex64Of(y)
	}
	return ComplexOf(x) == ComplexOf(y)
}

// ConvertComplex sets to to the complex number x of kind from, converted to the other
// kind or left in the same one.
func ConvertComplex(from code.Kind, to code.Kind, x, z []heap.Word) {
	from, to = partKind(from), partKind(to)
	z[0], z[1] = heap.Word{N: convertFloat(from, to, x[0].N)}, heap.Word{N: convertFloat(from, to, x[1].N)}
}

// partKind returns the kind of the parts of complex numbers of kind k.
func partKind(k code.Kind) code.Kind {
	if k == code.Complex64 {
		return code.Float32
	}
	return code.Float64
}

// SetComplex computes the shadows of an instruction on complex numbers that treats their
// parts separately.
func SetComplex(a *expr.Arena, in *code.Instr, r []heap.Word, sy []expr.ID) {
	to := partKind(code.Kind(in.K))
	from := to
	if in.Op == code.ConvC {
		from = partKind(code.Kind(in.C))
	}
	part := func(at int32) expr.ID { return Operand{r[at], sy[at]}.Expr(a, from) }
	if in.Op == code.EqC {
		sy[in.A] = UnlessConst(a, a.And(a.FEq(part(in.B), part(in.C)), a.FEq(part(in.B+1), part(in.C+1))))
		return
	}
	var z [2]expr.ID
	for i := range int32(2) {
		x := part(in.B + i)
		switch in.Op {
		case code.AddC:
			z[i] = a.FAdd(x, part(in.C+i))
		case code.SubC:
			z[i] = a.FSub(x, part(in.C+i))
		case code.NegC:
			z[i] = a.FNeg(x)
		case code.ConvC:
			z[i] = convertFloatExpr(a, from, to, x)
		default:
			panic("symbolic: SetComplex: " + in.Op.String())
		}
	}
	sy[in.A], sy[in.A+1] = UnlessConst(a, z[0]), UnlessConst(a, z[1])
}
