package sample

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"testing"
)

// variable is the environment variable that asks for whole comparisons.
const variable = "EVERYWAY_TESTS"

// Size returns how many cases a test compares: all of them, as many as usual, or few with
// -short.
func Size(all, usual, short int) int {
	switch value := os.Getenv(variable); {
	case testing.Short():
		return short
	case value == "all":
		return all
	case value == "":
		return usual
	default:
		panic(fmt.Sprintf("%s=%s: want all, or nothing", variable, value))
	}
}

// Of returns as many numbers below all as Size says, in ascending order.
func Of(all, usual, short int) iter.Seq[int] {
	return spread(all, Size(all, usual, short))
}

// From returns as many elements of a list as Size says for its length, in their order.
func From[E any](list []E, usual, short int) []E {
	var some []E
	for i := range Of(len(list), min(usual, len(list)), min(short, len(list))) {
		some = append(some, list[i])
	}
	return some
}

// spread yields n numbers below all: one from each of n intervals of equal length, at a
// random place there, since cases often repeat with a period.
func spread(all, n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		r := rand.New(rand.NewPCG(uint64(all), uint64(n)))
		for i := range n {
			from, to := i*all/n, (i+1)*all/n
			if !yield(from + r.IntN(to-from)) {
				return
			}
		}
	}
}
