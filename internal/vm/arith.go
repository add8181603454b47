package vm

import (
	"math"
	"math/bits"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// divide returns the quotient, or the remainder, of two integers of kind k. y is
// not zero.
func divide(rem bool, k code.Kind, x, y uint64) uint64 {
	var v uint64
	switch {
	case k.Signed() && rem:
		v = uint64(int64(x) % int64(y))
	case k.Signed():
		v = uint64(int64(x) / int64(y))
	case rem:
		v = x % y
	default:
		v = x / y
	}
	return heap.Canonical(v, k)
}

// rotate returns x, of unsigned kind k, rotated left by n.
func rotate(k code.Kind, x uint64, n int) uint64 {
	switch k {
	case code.Uint8:
		return uint64(bits.RotateLeft8(uint8(x), n))
	case code.Uint16:
		return uint64(bits.RotateLeft16(uint16(x), n))
	case code.Uint32:
		return uint64(bits.RotateLeft32(uint32(x), n))
	}
	return bits.RotateLeft64(x, n)
}

// complexOf returns the complex128 in two words.
func complexOf(w []heap.Word) complex128 {
	return complex(math.Float64frombits(w[0].N), math.Float64frombits(w[1].N))
}

// complex64Of returns the complex64 in two words.
func complex64Of(w []heap.Word) complex64 { return complex(float32Of(w[0]), float32Of(w[1])) }

func setComplex(w []heap.Word, c complex128) {
	w[0], w[1] = heap.Word{N: expr.Float64Bits(real(c))}, heap.Word{N: expr.Float64Bits(imag(c))}
}

func setComplex64(w []heap.Word, c complex64) {
	w[0], w[1] = float32Word(real(c)), float32Word(imag(c))
}

// complexArith carries out an arithmetic instruction on complex numbers.
func complexArith(op code.Op, k code.Kind, r []heap.Word, in *code.Instr) {
	z := r[in.A : in.A+2]
	if op == code.NegC {
		sign := signBit(partKind(k))
		z[0], z[1] = heap.Word{N: r[in.B].N ^ sign}, heap.Word{N: r[in.B+1].N ^ sign}
		return
	}
	if k == code.Complex64 {
		x := complex64Of(r[in.B : in.B+2])
		y := complex64Of(r[in.C : in.C+2])
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
	x := complexOf(r[in.B : in.B+2])
	y := complexOf(r[in.C : in.C+2])
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

// equalComplex compares complex numbers of kind k, of two words each.
func equalComplex(k code.Kind, x, y []heap.Word) bool {
	if k == code.Complex64 {
		return complex64Of(x) == complex64Of(y)
	}
	return complexOf(x) == complexOf(y)
}

// convertComplex sets to to the complex number x of kind from in the other kind,
// or in the same.
func convertComplex(from code.Kind, to code.Kind, x, z []heap.Word) {
	from, to = partKind(from), partKind(to)
	z[0], z[1] = heap.Word{N: convertFloat(from, to, x[0].N)}, heap.Word{N: convertFloat(from, to, x[1].N)}
}

// convertWord converts a number between integer and floating-point kinds.
func convertWord(from, to code.Kind, v uint64) uint64 {
	if from.Float() || to.Float() {
		return convertFloat(from, to, v)
	}
	return heap.Canonical(v, to)
}

// minMax carries out a MinMax instruction.
func (m *Machine) minMax(r []heap.Word, in *code.Instr) {
	k, wantMax := code.Kind(in.K), in.D == 1
	if k == code.String {
		x, y := r[in.B:in.B+2], r[in.C:in.C+2]
		if c := compareText(x, y); wantMax && c < 0 || !wantMax && c > 0 {
			x = y
		}
		r[in.A], r[in.A+1] = x[0], x[1]
		return
	}
	x, y := r[in.B], r[in.C]
	var second bool // y is the result
	switch {
	case k.Float():
		r[in.A] = minMaxFloat(k, wantMax, x, y)
		return
	case k.Signed():
		second = int64(y.N) < int64(x.N) != wantMax
	default:
		second = y.N < x.N != wantMax
	}
	if second {
		x = y
	}
	r[in.A] = heap.Word{N: x.N}
}
