package sysrand

// maxSearched is the length of the longest key whose bytes are inputs of the run.
const maxSearched = 32

// random64 and random8 return random numbers, which are inputs of the run.
func random64() uint64
func random8() byte

// unsearched returns a random number that is the same in every run.
func unsearched() uint64

// Read fills b with random bytes. Unlike GOROOT's, it orders nothing: its callers share no
// state.
func Read(b []byte) {
	if testingOnlyFailRead {
		fatal("crypto/rand: failed to read random data (see https://go.dev/issue/66821): testing simulated failure")
		panic("unreachable")
	}
	long := len(b) > maxSearched
	for len(b) > 0 {
		var x uint64
		switch {
		case long:
			x = unsearched()
		case len(b) < 8:
			b[0], b = random8(), b[1:]
			continue
		default:
			x = random64()
		}
		n := min(len(b), 8)
		for i := range b[:n] {
			b[i] = byte(x >> (8 * i))
		}
		b = b[n:]
	}
}
