package sym

import (
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
)

// seedVariable is the environment variable with the seed of a native run.
const seedVariable = "EVERYWAY_SEED"

// maxSeededLength is the longest string or slice of a native run with a seed.
const maxSeededLength = 4

// maxSeededNesting is in how many slices another one that is not empty is with a seed. A type can
// be a part of itself through slices.
const maxSeededNesting = 4

// maxSeededObjects is how many objects of a type there are with a seed that the list of inputs does not have.
const maxSeededObjects = 6

// firstSeeded is the first of the numbers of objects that a seed makes: those of a list are smaller.
const firstSeeded = 1 << 16

// seededObject returns the number of the object of type t to which an input leads with a seed: 0
// for nothing, that of one that there is, or another one. It returns false if there is no seed, or
// if the list of inputs has a value. The lock of objects is held.
func seededObject(name string, t reflect.Type) (number uint64, ok bool) {
	bits, ok := seeded(name, kindObject)
	if !ok {
		return 0, false
	}
	var of []uint64
	for o := range objects.number {
		if o.typ == t {
			of = append(of, o.number)
		}
	}
	slices.Sort(of)
	choice := bits >> 8
	switch kind := choice % 8; {
	case kind < 2:
		return 0, true
	case kind < 4 && len(of) > 0, len(of) >= maxSeededObjects:
		return of[choice>>3%uint64(len(of))], true
	}
	objects.seeded++
	return firstSeeded + objects.seeded, true
}

// reference returns the number of the object of type t to which an input leads.
func reference(name string, t reflect.Type) uint64 {
	if number, ok := seededObject(name, t); ok {
		return number
	}
	return environment(name)
}

// seeded returns a random value of an input, which follows from the seed and its name. It returns false if there is no
// seed, or if the list of inputs has a value. Half of the numbers are small, and others are at the ends of their range.
func seeded(name string, k kind) (value uint64, ok bool) {
	seed := os.Getenv(seedVariable)
	if seed == "" {
		return 0, false
	}
	for field := range strings.FieldsSeq(os.Getenv(inputVariable)) {
		if key, _, _ := strings.Cut(field, "="); key == name {
			return 0, false
		}
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s", seed, name)
	bits := h.Sum64()
	bits ^= bits >> 29 // the low bits of the sum are poor
	small := int64(bits>>8%16) - 4
	switch k {
	case kindBool:
		return bits >> 8 & 1, true
	case kindObject:
		return bits, true
	case kindLength:
		if strings.Count(name, "[") >= maxSeededNesting {
			return 0, true
		}
		return bits >> 8 % (maxSeededLength + 1), true
	case kindFloat32:
		return uint64(math.Float32bits(float32(small) / 2)), true
	case kindFloat64:
		return math.Float64bits(float64(small) / 2), true
	}
	switch bits % 4 {
	case 0, 1:
		return uint64(small), true
	case 2:
		ends := []int64{math.MinInt8, math.MaxInt8, math.MinInt16, math.MaxInt16, math.MinInt32, math.MaxInt32, math.MinInt64, math.MaxInt64, -1}
		return uint64(ends[bits>>8%uint64(len(ends))]), true
	}
	return bits >> 8 * 0x9e3779b97f4a7c15, true
}
