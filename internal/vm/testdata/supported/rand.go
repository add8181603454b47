// Random numbers: what the run-time would seed is an input of the run.
package main

import (
	crand "crypto/rand"
	"math/rand"
	randv2 "math/rand/v2"
)

func main() {
	if rand.Intn(3) > 2 || randv2.N(3) > 2 {
		panic("out of range")
	}
	b := make([]byte, 4)
	if _, err := crand.Read(b); err != nil {
		panic(err)
	}
	if rand.New(rand.NewSource(1)).Intn(100) != 81 {
		panic("a seed of its own gives the same numbers as natively")
	}
}
