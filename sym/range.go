package sym

import "fmt"

// An Integer is a type of integers.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Range returns the input of that name, a number from low to high. It panics if there is none.
//
// In a list of inputs, a value that is not in the range stands for one that is.
func Range[T Integer](name string, low, high T) T {
	if low > high {
		panic(fmt.Sprintf("sym: Range from %v to %v", low, high))
	}
	k := kindUint64
	if ^T(0) < 0 {
		k = kindInt64
	}
	return T(within(name, k, uint64(low), uint64(high)-uint64(low)))
}

// OneOf returns one of values, which the input of that name chooses. It panics if there are none.
func OneOf[T any](name string, values ...T) T { return values[Choice(name, len(values))] }
