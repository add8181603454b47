package symbolic

import (
	"math/bits"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// Divide returns the quotient or the remainder of two integers of kind k. The divisor y
// must not be zero.
func Divide(rem bool, k code.Kind, x, y uint64) uint64 {
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

// Rotate returns x, of unsigned kind k, rotated left by n.
func Rotate(k code.Kind, x uint64, n int) uint64 {
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

// ConvertWord converts a number between integer and floating-point kinds.
func ConvertWord(from, to code.Kind, v uint64) uint64 {
	if from.Float() || to.Float() {
		return convertFloat(from, to, v)
	}
	return heap.Canonical(v, to)
}

// MinMax carries out a MinMax instruction.
func MinMax(r []heap.Word, in *code.Instr) {
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
