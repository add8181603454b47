package sym

import (
	"fmt"
	"math"
)

// Bool returns the input of that name.
func Bool(name string) bool { return word(name, kindBool) != 0 }

// Int returns the input of that name.
func Int(name string) int { return int(word(name, kindInt64)) }

// Int8 returns the input of that name.
func Int8(name string) int8 { return int8(word(name, kindInt8)) }

// Int16 returns the input of that name.
func Int16(name string) int16 { return int16(word(name, kindInt16)) }

// Int32 returns the input of that name.
func Int32(name string) int32 { return int32(word(name, kindInt32)) }

// Int64 returns the input of that name.
func Int64(name string) int64 { return int64(word(name, kindInt64)) }

// Uint returns the input of that name.
func Uint(name string) uint { return uint(word(name, kindUint64)) }

// Uint8 returns the input of that name.
func Uint8(name string) uint8 { return uint8(word(name, kindUint8)) }

// Uint16 returns the input of that name.
func Uint16(name string) uint16 { return uint16(word(name, kindUint16)) }

// Uint32 returns the input of that name.
func Uint32(name string) uint32 { return uint32(word(name, kindUint32)) }

// Uint64 returns the input of that name.
func Uint64(name string) uint64 { return word(name, kindUint64) }

// Float32 returns the input of that name, which is given by the bits of the number,
// as [math.Float32bits] has them.
func Float32(name string) float32 { return math.Float32frombits(uint32(word(name, kindFloat32))) }

// Float64 returns the input of that name, which is given by the bits of the number,
// as [math.Float64bits] has them.
func Float64(name string) float64 { return math.Float64frombits(word(name, kindFloat64)) }

// Bytes returns the input of that name, of any length up to the bound of the
// search.
func Bytes(name string) []byte {
	b := make([]byte, length("len("+name+")"))
	for i := range b {
		b[i] = byte(word(fmt.Sprintf("%s[%d]", name, i), kindUint8))
	}
	return b
}

// String returns the input of that name, of any length up to the bound of the
// search.
func String(name string) string { return string(Bytes(name)) }

// Choice returns the input of that name, a number from 0 to n-1. It panics
// unless n is positive.
func Choice(name string, n int) int {
	if n <= 0 {
		panic(fmt.Sprintf("sym: Choice of %d", n))
	}
	return int(within(name, kindUint64, 0, uint64(n-1)))
}

// A Skipper is a testing.T, B or F.
type Skipper interface {
	Helper()
	Skip(args ...any)
}

// Assume skips the test unless cond holds: the inputs are not of the kind that the test is about.
// If cond is what a predicate returns, it must not change what it looks at; a search says so if it
// does.
func Assume(t Skipper, cond bool) {
	t.Helper()
	assumed()
	if !cond {
		t.Skip("sym: the assumption does not hold for this input")
	}
}
