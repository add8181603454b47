package sym

import (
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"strings"
)

// seedVariable is the environment variable with the seed of a native run.
const seedVariable = "EVERYWAY_SEED"

// maxSeededLength is the longest string or slice of a native run with a seed.
const maxSeededLength = 4

// maxSeededNesting is in how many slices another one that is not empty is with a seed. A type can be a part of itself through slices.
const maxSeededNesting = 4

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
