// Package regions has branches that are regions, and some that are not.
package regions

func absolute(n int) int {
	if n < 0 {
		n = -n
	}
	return n
}

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// A call of a function that only computes is part of a region.
func next(c byte, odd bool) (v int, ok bool) {
	if odd {
		v = hexDigit(c)
	}
	return 2 * v, v >= 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func count(b []byte) (n int) {
	for _, c := range b {
		if isDigit(c) {
			n++
		}
	}
	return n
}

// Only what is in the loop is a region.
func trailing(n uint32) (k int) {
	for n&1 == 0 {
		if n >>= 1; k < 9 {
			k++
		}
	}
	return k
}

// The whole of it: what divides by zero is for the interpreter to see.
func quotient(n, d uint8) uint8 {
	if n > d {
		return n / d
	}
	return n >> (d & 7)
}

// No regions: they write to memory, may fail, have other effects, or call what does,
// or themselves.

func store(p *int, v int) {
	if v > 0 {
		*p = v
	}
}

func load(b []byte, i int) (c byte) {
	if i > 0 {
		c = b[i]
	}
	return c
}

func send(c chan int, v int) {
	if v > 0 {
		c <- v
	}
}

func must(v int) int {
	if v < 0 {
		panic("negative")
	}
	return v
}

func calls(v int) int {
	if v < 10 {
		v = must(v)
	}
	return v
}

func even(n uint) bool {
	if n == 0 {
		return true
	}
	return odd(n - 1)
}

func odd(n uint) bool {
	if n == 0 {
		return false
	}
	return even(n - 1)
}

// Regions with two ends: tests that decide together.

func digits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

func field(p *int, a, b int, all bool) {
	if all || a <= b && b < 10 {
		*p = a
	} else {
		*p = b
	}
}

func kind(p *int, c byte) {
	switch c {
	case ' ', '\t':
		*p = 1
	case '+', '-':
		*p = 2
	}
}
