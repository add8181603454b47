package golden

import (
	"math"
	"math/bits"
)

func rotate(x uint32, y uint64, n int) (uint32, uint64) {
	return bits.RotateLeft32(x, 7), bits.RotateLeft64(y, n)
}

func root(x float64) (float64, float64, uint64) {
	return math.Sqrt(x*x + 1), math.Floor(x), math.Float64bits(x)
}
