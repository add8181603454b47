package bits

// mulHigh returns the high word of x * y. It is an instruction of the machine.
func mulHigh(x, y uint64) uint64

// Mul64 returns the 128-bit product of x and y: (hi, lo) = x * y.
func Mul64(x, y uint64) (hi, lo uint64) { return mulHigh(x, y), x * y }
