// Package random has functions that draw random numbers. A test compares what they report in
// the machine, searched exhaustively, with what they report natively when they are called
// many times.
package random

import (
	crand "crypto/rand"
	"math/big"
	"math/rand"
	randv2 "math/rand/v2"
)

// Report is called with what a function has drawn, a number from 0 to 99, or else -1.
var Report = func(x int) { print(x) }

// Draws are the functions by name.
var Draws = map[string]func(){
	"Intn":    func() { report(rand.Intn(5)) },
	"Int31n":  func() { report(int(rand.Int31n(8))) },
	"Int63n":  func() { report(int(rand.Int63n(6))) },
	"One":     func() { report(rand.Intn(1)) },
	"IntN":    func() { report(randv2.IntN(5)) },
	"Int32N":  func() { report(int(randv2.Int32N(8))) },
	"Int64N":  func() { report(int(randv2.Int64N(6))) },
	"UintN":   func() { report(int(randv2.UintN(3))) },
	"Uint32N": func() { report(int(randv2.Uint32N(7))) },
	"Uint64N": func() { report(int(randv2.Uint64N(9))) },
	"N":       func() { report(int(randv2.N(int8(5)))) },
	"large":   func() { report(int(rand.Int63n(5<<60) >> 60)) },
	"limited": func() { report(rand.Intn(2 + rand.Intn(3))) }, // the limit is a random number, too
	"Perm":    func() { report(number(rand.Perm(3))) },
	"PermV2":  func() { report(number(randv2.Perm(3))) },
	"Shuffle": func() {
		p := []int{0, 1, 2}
		rand.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
		report(number(p))
	},
	"ShuffleV2": func() {
		p := []int{0, 1, 2}
		randv2.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
		report(number(p))
	},
	"Float64":       func() { report(int(rand.Float64() * 8)) },
	"Float32":       func() { report(int(rand.Float32() * 8)) },
	"Float64V2":     func() { report(int(randv2.Float64() * 8)) },
	"Float32V2":     func() { report(int(randv2.Float32() * 8)) },
	"NormFloat64":   func() { report(sign(rand.NormFloat64())) },
	"NormFloat64V2": func() { report(sign(randv2.NormFloat64())) },
	"ExpFloat64":    func() { report(sign(rand.ExpFloat64() - 1)) },
	"ExpFloat64V2":  func() { report(sign(randv2.ExpFloat64() - 1)) },
	"Int":           func() { report(rand.Int() % 3) },
	"Uint32":        func() { report(int(rand.Uint32() >> 29)) },
	"Uint64":        func() { report(int(randv2.Uint64() % 5)) },
	"Read": func() {
		b := make([]byte, 3)
		rand.Read(b)
		report(int(b[2] & 3))
	},
	"cryptoRead": func() {
		b := make([]byte, 3)
		crand.Read(b)
		report(int(b[0]%3)*3 + int(b[2]%3))
	},
	"cryptoInt": func() {
		n, _ := crand.Int(crand.Reader, big.NewInt(6))
		report(int(n.Int64()))
	},
	"index":   func() { report([]int{7, 9, 4}[rand.Intn(3)]) },
	"compare": func() { report(order(rand.Uint32(), rand.Uint32())) },
	"skips": func() {
		level := 0
		for level < 3 && rand.Float64() < 0.25 {
			level++
		}
		report(level)
	},
}

// report passes x to Report; which number it is, is a branch.
func report(x int) {
	for i := range 100 {
		if x == i {
			Report(i)
			return
		}
	}
	Report(-1)
}

// number returns the number with the digits p in base 3.
func number(p []int) int { return p[0]*9 + p[1]*3 + p[2] }

func sign(x float64) int {
	if x < 0 {
		return 0
	}
	return 1
}

func order(x, y uint32) int {
	if x < y {
		return 0
	}
	return 1
}

// Draw calls the function with the given name.
func Draw(name string) { Draws[name]() }
