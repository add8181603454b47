// The hashes of package crypto, over messages of all lengths around those of blocks,
// with their states saved and taken up again.
package main

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding"
	"fmt"
	"hash"
	"sync"
)

func main() {
	message := make([]byte, 300)
	for i := range message {
		message[i] = byte(i*i + 7)
	}
	for _, make := range []func() hash.Hash{md5.New, sha1.New, sha256.New, sha256.New224, sha512.New, sha512.New384, sha512.New512_256} {
		all := make()
		for n := 0; n <= len(message); n += 13 {
			h := make()
			h.Write(message[:n/3])
			state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
			if err != nil {
				panic(err)
			}
			h.Write(message[n/3 : n])
			all.Write(h.Sum(nil))
			other := make()
			if err := other.(encoding.BinaryUnmarshaler).UnmarshalBinary(state); err != nil {
				panic(err)
			}
			other.Write(message[n/3 : n])
			if string(other.Sum(nil)) != string(h.Sum(nil)) {
				panic("not the same state")
			}
		}
		fmt.Printf("%x\n", all.Sum(nil))
	}

	// Beside other goroutines.
	var wg sync.WaitGroup
	sums := make([][32]byte, 2)
	for i := range sums {
		wg.Go(func() { sums[i] = sha256.Sum256(message[:128*(i+1)]) })
	}
	wg.Wait()
	fmt.Printf("%x\n", sums)
}
