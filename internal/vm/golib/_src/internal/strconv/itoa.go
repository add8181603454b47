package strconv

// Integers are formatted without tables: a digit of a symbolic number is then
// an expression, and only the count of digits is a branch.

// small returns the string for an i with 0 <= i < nSmalls.
func small(i int) string {
	if i < 10 {
		return string([]byte{'0' + byte(i)})
	}
	return string([]byte{'0' + byte(i/10), '0' + byte(i%10)})
}

// fixed returns u, of which this run has only one value from now on if it is a random number
// that has many.
func fixed(u uint64) uint64

// formatBase10 writes u in decimal to the tail of a and returns where it begins.
func formatBase10(a []byte, u uint64) int {
	const maxDigits = 20
	u = fixed(u)
	n := 1
	for power := uint64(10); n < maxDigits && u >= power; power *= 10 {
		n++
	}
	begin := len(a) - n
	for i := len(a) - 1; i >= begin; i-- {
		a[i] = '0' + byte(u%10)
		u /= 10
	}
	return begin
}

// formatBits writes u in base to dst when append_ is set, and to s otherwise.
// When neg is set, u is a negative int64.
func formatBits(dst []byte, u uint64, base int, neg, append_ bool) (d []byte, s string) {
	if base < 2 || base == 10 || base > len(digits) {
		panic("strconv: illegal AppendInt/FormatInt base")
	}
	var a [64 + 1]byte
	i := len(a)
	if neg {
		u = -u
	}
	b := uint64(base)
	u = fixed(u)
	for u >= b {
		i--
		a[i] = digit(u % b)
		u /= b
	}
	i--
	a[i] = digit(u)
	if neg {
		i--
		a[i] = '-'
	}
	if append_ {
		return append(dst, a[i:]...), ""
	}
	return nil, string(a[i:])
}

// digit returns the digit of value v: 0 to 9, then a to z.
func digit(v uint64) byte {
	const letters = 'a' - '0' - 10
	// The shift is all ones from 10 on.
	return '0' + byte(v) + byte((9-int64(v))>>63&letters)
}
