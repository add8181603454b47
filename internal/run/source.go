package run

import "strings"

// A Source says where an input variable comes from that is no input of the target itself.
type Source uint8

// The sources.
const (
	TargetInput Source = iota
	// ClockReading: by how much a reading of the clock is later than it has to be, in nanoseconds.
	ClockReading
	// RandomDraw: a random number that the program asked package math/rand for.
	RandomDraw
	// RandomKey: a random number of package crypto/rand or runtime. It is a key, a nonce, a
	// name or a seed, or spreads data over buckets, rather than a die to be cast.
	RandomKey
)

// The names of variables of the sources begin with these prefixes.
const (
	ReadingPrefix = "clock("
	RandomPrefix  = "rand("
	CryptoPrefix  = "crypto/rand("
	RuntimePrefix = "runtime.rand("
)

// SourceOf returns where the input variable name comes from.
func SourceOf(name string) Source {
	switch {
	case strings.Contains(name, ReadingPrefix):
		return ClockReading
	case !strings.Contains(name, RandomPrefix):
		return TargetInput
	case strings.Contains(name, CryptoPrefix), strings.Contains(name, RuntimePrefix):
		return RandomKey
	}
	return RandomDraw
}
