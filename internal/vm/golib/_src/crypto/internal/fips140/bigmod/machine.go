package bigmod

import "math/bits"

// nativeAddMulVVWW sets z to x + y*m + a, of which c is what is above, as the kernel of package math/big. It is done natively where all words
// are concrete and belong to one goroutine; otherwise nothing is done.
func nativeAddMulVVWW(z, x, y []uint, m, a uint) (c uint, done bool)

func addMulVVW(z, x []uint, y uint) (carry uint) {
	x = x[:len(z)]
	if c, done := nativeAddMulVVWW(z, z, x, y, 0); done {
		return c
	}
	for i := range z {
		hi, lo := bits.Mul(x[i], y)
		lo, c := bits.Add(lo, z[i], 0)
		lo, d := bits.Add(lo, carry, 0)
		z[i], carry = lo, hi+c+d
	}
	return carry
}
