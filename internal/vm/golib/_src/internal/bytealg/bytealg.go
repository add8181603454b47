// Package bytealg searches and compares bytes. Where reads of the bytes need no
// event the machine does it in one instruction: natively when they are concrete,
// otherwise the result is an expression over all of them. In the other cases the
// loops here run, so that every byte looked at is an ordinary load, and its
// comparison an ordinary branch.
package bytealg

// MaxBruteForce and MaxLen send every search of package strings and bytes to
// Index and IndexString.
const MaxBruteForce = 1 << 30

var MaxLen int = 1 << 30

// PrimeRK is the base of the Rabin-Karp hash.
const PrimeRK = 16777619

// The native functions are false when the loops have to run.

func nativeIndexByte(s []byte, c byte) (r int, ok bool)
func nativeIndexByteString(s string, c byte) (r int, ok bool)
func nativeLastIndexByte(s []byte, c byte) (r int, ok bool)
func nativeLastIndexByteString(s string, c byte) (r int, ok bool)
func nativeCount(s []byte, c byte) (r int, ok bool)
func nativeCountString(s string, c byte) (r int, ok bool)
func nativeIndex(s, sep []byte) (r int, ok bool)
func nativeIndexString(s, sep string) (r int, ok bool)
func nativeLastIndexString(s, sep string) (r int, ok bool)
func nativeCompare(a, b []byte) (r int, ok bool)
func nativeCompareString(a, b string) (r int, ok bool)

// Equal reports whether a and b have the same bytes.
func Equal(a, b []byte) bool { return string(a) == string(b) }

// Compare is bytes.Compare.
func Compare(a, b []byte) int {
	if r, ok := nativeCompare(a, b); ok {
		return r
	}
	return compare(a, b)
}

// CompareString is strings.Compare.
func CompareString(a, b string) int {
	if r, ok := nativeCompareString(a, b); ok {
		return r
	}
	return compare(a, b)
}

func compare[T string | []byte](a, b T) int {
	for i := 0; i < min(len(a), len(b)); i++ {
		if a[i] != b[i] {
			if a[i] < b[i] {
				return -1
			}
			return +1
		}
	}
	switch {
	case len(a) < len(b):
		return -1
	case len(a) > len(b):
		return +1
	}
	return 0
}

// Count returns how many bytes of b are c.
func Count(b []byte, c byte) int {
	if n, ok := nativeCount(b, c); ok {
		return n
	}
	return count(b, c)
}

// CountString returns how many bytes of s are c.
func CountString(s string, c byte) int {
	if n, ok := nativeCountString(s, c); ok {
		return n
	}
	return count(s, c)
}

func count[T string | []byte](s T, c byte) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			n++
		}
	}
	return n
}

// IndexByte returns the index of the first c in b, or -1.
func IndexByte(b []byte, c byte) int {
	if i, ok := nativeIndexByte(b, c); ok {
		return i
	}
	return indexByte(b, c)
}

// IndexByteString returns the index of the first c in s, or -1.
func IndexByteString(s string, c byte) int {
	if i, ok := nativeIndexByteString(s, c); ok {
		return i
	}
	return indexByte(s, c)
}

func indexByte[T string | []byte](s T, c byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// LastIndexByte returns the index of the last c in s, or -1.
func LastIndexByte(s []byte, c byte) int {
	if i, ok := nativeLastIndexByte(s, c); ok {
		return i
	}
	return lastIndexByte(s, c)
}

// LastIndexByteString returns the index of the last c in s, or -1.
func LastIndexByteString(s string, c byte) int {
	if i, ok := nativeLastIndexByteString(s, c); ok {
		return i
	}
	return lastIndexByte(s, c)
}

func lastIndexByte[T string | []byte](s T, c byte) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// Index returns the index of the first sep in s, or -1.
func Index(s, sep []byte) int {
	if i, ok := nativeIndex(s, sep); ok {
		return i
	}
	return index(s, sep)
}

// IndexString returns the index of the first sep in s, or -1.
func IndexString(s, sep string) int {
	if i, ok := nativeIndexString(s, sep); ok {
		return i
	}
	return index(s, sep)
}

func index[T string | []byte](s, sep T) int {
	n := len(sep)
	for i := 0; i+n <= len(s); i++ {
		if string(s[i:i+n]) == string(sep) {
			return i
		}
	}
	return -1
}

// IndexRabinKarp is Index: a hash of symbolic bytes would be no help.
func IndexRabinKarp[T string | []byte](s, sep T) int {
	return index(s, sep)
}

// LastIndexRabinKarp returns the index of the last sep in s, or -1.
func LastIndexRabinKarp[T string | []byte](s, sep T) int {
	text, part := string(s), string(sep)
	if i, ok := nativeLastIndexString(text, part); ok {
		return i
	}
	n := len(part)
	for i := len(text) - n; i >= 0; i-- {
		if text[i:i+n] == part {
			return i
		}
	}
	return -1
}

// Cutover is the number of failures of IndexByte after which a search turns to
// Index.
func Cutover(n int) int { return (n + 16) / 8 }

// HashStr returns the Rabin-Karp hash of sep and the power of PrimeRK that
// takes a leading byte out of it.
func HashStr[T string | []byte](sep T) (uint32, uint32) {
	hash := uint32(0)
	for i := 0; i < len(sep); i++ {
		hash = hash*PrimeRK + uint32(sep[i])
	}
	return hash, power(len(sep))
}

// HashStrRev is HashStr of sep reversed.
func HashStrRev[T string | []byte](sep T) (uint32, uint32) {
	hash := uint32(0)
	for i := len(sep) - 1; i >= 0; i-- {
		hash = hash*PrimeRK + uint32(sep[i])
	}
	return hash, power(len(sep))
}

// power returns PrimeRK to the n modulo 2³².
func power(n int) uint32 {
	pow, square := uint32(1), uint32(PrimeRK)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			pow *= square
		}
		square *= square
	}
	return pow
}

// MakeNoZero makes a slice of n bytes, which may hold anything; here, zero.
func MakeNoZero(n int) []byte { return make([]byte, n) }
