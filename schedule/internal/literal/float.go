// Package literal writes values as expressions of Go.
package literal

import (
	"fmt"
	"math"
	"strconv"
)

// Float returns f as a Go expression of its value. What no literal stands
// for is a call of package math; usual says of a NaN that it is that of math.NaN.
func Float(f float64, bits int, usual bool, value uint64) string {
	var call string
	switch {
	case f != f && !usual:
		return fmt.Sprintf("math.Float%dfrombits(%#x)", bits, value)
	case f != f:
		call = "math.NaN()"
	case math.IsInf(f, 0):
		call = fmt.Sprintf("math.Inf(%d)", int(math.Copysign(1, f)))
	case f == 0 && math.Signbit(f):
		call = "math.Copysign(0, -1)"
	default:
		return strconv.FormatFloat(f, 'g', -1, bits)
	}
	if bits == 32 {
		return "float32(" + call + ")"
	}
	return call
}
