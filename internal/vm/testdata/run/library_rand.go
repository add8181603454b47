// Generators with a seed give the numbers that they give natively, also where others would be
// any numbers.
package main

import (
	"fmt"
	"math/rand"
	randv2 "math/rand/v2"
)

func main() {
	r := rand.New(rand.NewSource(42))
	fmt.Println(r.Intn(10), r.Intn(1_000_000), r.Int31n(7), r.Int63n(1<<40+1), r.Int(), r.Int31(), r.Int63())
	fmt.Println(r.Uint32(), r.Uint64(), r.Float64(), r.Float32(), r.NormFloat64(), r.ExpFloat64())
	p := r.Perm(10)
	r.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
	fmt.Println(p, rand.NewZipf(r, 1.5, 2, 100).Uint64())
	b := make([]byte, 9)
	r.Read(b)
	r.Seed(7)
	fmt.Println(b, r.Intn(100))

	var seed [32]byte
	copy(seed[:], "a seed of 32 bytes, or nearly so")
	for _, s := range []randv2.Source{randv2.NewPCG(1, 2), randv2.NewChaCha8(seed)} {
		r := randv2.New(s)
		fmt.Println(r.IntN(10), r.Int64N(1<<40+1), r.Uint32N(7), r.Uint64N(9), r.Int32N(5), r.UintN(3), r.Int(), r.Uint())
		fmt.Println(r.Uint32(), r.Uint64(), r.Float64(), r.Float32(), r.NormFloat64(), r.ExpFloat64())
		p := r.Perm(10)
		r.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
		fmt.Println(p, randv2.NewZipf(r, 1.5, 2, 100).Uint64())
	}
	randv2.NewChaCha8(seed).Read(b)
	fmt.Println(b)

	// Without a seed, panics and limits are those of the functions.
	fmt.Println(rand.Intn(1), randv2.N(1), rand.Perm(1), randv2.Perm(0))
	for _, f := range []func(){
		func() { rand.Intn(0) }, func() { rand.Int31n(-1) }, func() { rand.Int63n(0) },
		func() { rand.Shuffle(-1, nil) }, func() { rand.Perm(-1) },
		func() { randv2.IntN(0) }, func() { randv2.Int32N(0) }, func() { randv2.Int64N(-1) },
		func() { randv2.UintN(0) }, func() { randv2.Uint32N(0) }, func() { randv2.Uint64N(0) },
		func() { randv2.N(0) }, func() { randv2.Shuffle(-1, nil) }, func() { randv2.Perm(-1) },
	} {
		func() {
			defer func() { fmt.Println(recover()) }()
			f()
		}()
	}
}
