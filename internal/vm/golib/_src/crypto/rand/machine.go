package rand

import (
	"crypto/internal/fips140/drbg"
	"crypto/internal/rand"
	"io"
	"math/big"
)

// below returns a random number that is less than n, which is not 0: any of them.
func below(n uint64) uint64

// Int returns a random number that is less than max. GOROOT's reads numbers until one is.
// A small one is drawn at once instead, and a large one need not be an input: it is a key.
func Int(r io.Reader, max *big.Int) (n *big.Int, err error) {
	if max.Sign() <= 0 {
		panic("crypto/rand: argument to Int is <= 0")
	}
	if rand.IsDefaultReader(r) && !drbg.Testing() && max.IsUint64() {
		return new(big.Int).SetUint64(below(max.Uint64())), nil
	}
	n = new(big.Int).Sub(max, big.NewInt(1))
	bits := n.BitLen()
	if bits == 0 {
		return n, nil
	}
	text := make([]byte, (bits+7)/8)
	for {
		if _, err = io.ReadFull(r, text); err != nil {
			return nil, err
		}
		text[0] &= byte(1<<(uint(bits-1)%8+1) - 1)
		if n.SetBytes(text).Cmp(max) < 0 {
			return n, nil
		}
	}
}
