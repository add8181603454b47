package sample

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"testing"
)

// variable is the environment variable that asks for whole comparisons, or for a part of them.
const variable = "EVERYWAY_TESTS"

// A part is one of several of equal size that are the whole of a comparison together. The zero part
// is a sample.
type part struct{ number, of int }

// wanted returns what the environment asks for.
func wanted() part {
	value := os.Getenv(variable)
	switch value {
	case "":
		return part{}
	case "all":
		return part{1, 1}
	}
	var p part
	if n, err := fmt.Sscanf(value, "%d/%d", &p.number, &p.of); n != 2 || err != nil || p.number < 1 || p.number > p.of {
		panic(fmt.Sprintf("%s=%s: want all, a part such as 1/2, or nothing", variable, value))
	}
	return p
}

// Size returns how many cases a test compares: all of them or a part, as many as usual, or few with
// -short. A part has at least as many as usual.
func Size(all, usual, short int) int { return size(all, usual, usual, short) }

// size is Size for parts that have a least number of cases.
func size(all, usual, least, short int) int {
	switch p := wanted(); {
	case testing.Short():
		return short
	case p.of > 0:
		return max((all+p.of-1)/p.of, min(least, all))
	default:
		return usual
	}
}

// Of returns as many numbers below all as Size says, in ascending order.
func Of(all, usual, short int) iter.Seq[int] { return numbers(all, Size(all, usual, short)) }

// numbers returns n numbers below all: others in each part.
func numbers(all, n int) iter.Seq[int] { return spread(all, n, max(wanted().number-1, 0)) }

// From returns as many elements of a list as Size says for its length, in their order.
func From[E any](list []E, usual, short int) []E {
	return elements(list, Size(len(list), min(usual, len(list)), min(short, len(list))))
}

// Each is From for a long list of cases that a test tries one by one, without asking how many of
// them are of some kind. A part has at least half as many as usual: other parts have others.
func Each[E any](list []E, usual, short int) []E {
	usual = min(usual, len(list))
	return elements(list, size(len(list), usual, (usual+1)/2, min(short, len(list))))
}

// elements returns n elements of a list, in their order.
func elements[E any](list []E, n int) []E {
	var some []E
	for i := range numbers(len(list), n) {
		some = append(some, list[i])
	}
	return some
}

// spread yields n numbers below all: one from each of n intervals of equal length, at a
// random place there, since cases often repeat with a period, and the given number of places after it:
// as many such numbers as an interval is long give all of it.
func spread(all, n, after int) iter.Seq[int] {
	return func(yield func(int) bool) {
		r := rand.New(rand.NewPCG(uint64(all), uint64(n)))
		for i := range n {
			from, to := i*all/n, (i+1)*all/n
			if !yield(from + (r.IntN(to-from)+after)%(to-from)) {
				return
			}
		}
	}
}
