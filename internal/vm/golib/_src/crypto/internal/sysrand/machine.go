package sysrand

// maxSearched is the length of the longest key whose bytes are inputs of the run.
const maxSearched = 8

// random returns a random byte, which is an input of the run.
func random() byte

// unsearched returns a random number that is the same in every run.
func unsearched() uint64

// Read fills b with random bytes. Unlike GOROOT's, it orders nothing: its callers share no
// state.
func Read(b []byte) {
	if testingOnlyFailRead {
		fatal("crypto/rand: failed to read random data (see https://go.dev/issue/66821): testing simulated failure")
		panic("unreachable")
	}
	if len(b) <= maxSearched {
		for i := range b {
			b[i] = random()
		}
		return
	}
	for len(b) > 0 {
		n, x := min(len(b), 8), unsearched()
		for i := range n {
			b[i] = byte(x >> (8 * i))
		}
		b = b[n:]
	}
}
