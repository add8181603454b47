// Command sha256 hashes a message again and again.
package main

import (
	"crypto/sha256"
	"encoding/hex"
)

func main() {
	message := make([]byte, 16_384)
	for n := 0; n < 1_500; n++ {
		sum := sha256.Sum256(message)
		copy(message, sum[:])
	}
	if hex.EncodeToString(message[:4]) == "00000000" {
		panic("no hash")
	}
}
