package simplicity

import (
	"cmp"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// An Input is what a run has drawn.
type Input struct {
	Vars []schedule.Input // in the order in which they were drawn
	// Seed has the bytes of a seed that the bytes of strings and slices came from, by the names of these.
	Seed run.Input
}

// A Size says how simple an input is: the smaller the simpler.
type Size struct {
	length uint64 // of all strings and slices together
	others int    // values that are not the simplest of their type
	hi, lo uint64 // the sum of their ranks
}

// Compare compares two sizes.
func (s Size) Compare(t Size) int {
	return cmp.Or(cmp.Compare(s.length, t.length), cmp.Compare(s.others, t.others), cmp.Compare(s.hi, t.hi), cmp.Compare(s.lo, t.lo))
}

// Size returns the size of an input.
func (in *Input) Size() Size {
	var s Size
	texts := in.texts()
	for i := range in.Vars {
		v := &in.Vars[i]
		if _, ok := v.LengthOf(); ok {
			s.length += v.Value
			continue
		}
		r := in.rank(v, texts)
		if r == 0 {
			continue
		}
		s.others++
		var carry uint64
		s.lo, carry = bits.Add64(s.lo, r, 0)
		s.hi += carry
	}
	return s
}

// texts returns the names of the strings and slices of bytes.
func (in *Input) texts() map[string]bool {
	texts := map[string]bool{}
	for i := range in.Vars {
		if x, ok := in.Vars[i].LengthOf(); ok && schedule.IsText(in.Vars[i].Type) {
			texts[x] = true
		}
	}
	return texts
}

// isByte reports whether a variable is a byte of a text.
func isByte(v *schedule.Input, texts map[string]bool) bool {
	x, _, ok := v.ElementOf()
	return ok && v.Width == 8 && texts[x]
}

// rank returns the place of a value among those of its type, 0 for the simplest one.
func (in *Input) rank(v *schedule.Input, texts map[string]bool) uint64 {
	switch {
	case isByte(v, texts):
		was, ok := in.Seed[v.Name]
		switch {
		case !ok:
			return uint64(byteRank[byte(v.Value)])
		case was == v.Value:
			return 0
		}
		return 1 + uint64(byteRank[byte(v.Value)])
	case v.Width == 64 && v.Type == "float64":
		return floatRank(math.Float64frombits(v.Value), 64)
	case v.Width == 32 && v.Type == "float32":
		return floatRank(float64(math.Float32frombits(uint32(v.Value))), 32)
	case isSigned(v):
		return signedRank(signed(v))
	}
	return v.Value
}

// isSigned reports whether a variable is a signed integer.
func isSigned(v *schedule.Input) bool { return strings.HasPrefix(v.Type, "int") || v.Type == "rune" }

// signed returns the value of a signed integer.
func signed(v *schedule.Input) int64 {
	shift := 64 - v.Width
	return int64(v.Value<<shift) >> shift
}

// signedRank orders integers by their distance from 0. Of two that are as near, the positive one comes first.
func signedRank(n int64) uint64 {
	switch {
	case n > 0:
		return 2*uint64(n) - 1
	case n == math.MinInt64:
		return math.MaxUint64
	}
	return 2 * uint64(-n)
}

// The ranks of floating-point numbers that are not small integers begin here.
const (
	fractionRank = 1 << 58
	largeRank    = 1 << 60
	specialRank  = 1 << 62
)

// floatRank orders floating-point numbers: integers that are exact, as others; fractions, the fewer
// digits the better; large numbers; infinities and NaN.
func floatRank(f float64, size int) uint64 {
	const exact = 1 << 53
	switch magnitude := math.Abs(f); {
	case f != f:
		return specialRank + 2
	case math.IsInf(f, 0):
		return specialRank + uint64(b2i(f < 0))
	case f == 0:
		return uint64(b2i(math.Signbit(f))) * (specialRank - 1)
	case magnitude < exact && f == math.Trunc(f):
		return signedRank(int64(f))
	case magnitude < exact:
		return fractionRank + uint64(len(strconv.FormatFloat(magnitude, 'g', -1, size)))<<53 + uint64(2*magnitude) + uint64(b2i(f < 0))
	default:
		return largeRank + uint64(2*math.Log2(magnitude)) + uint64(b2i(f < 0))
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// byByte has the bytes of texts by their ranks, and byteRank their ranks: digits and letters first, then what else can
// be printed.
var byByte, byteRank = orderBytes()

func orderBytes() (by, rank [256]byte) {
	const first = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	n := copy(by[:], first)
	printable := func(c int) bool { return ' ' <= c && c <= '~' }
	for _, want := range []bool{true, false} {
		for c := range 256 {
			if printable(c) == want && strings.IndexByte(first, byte(c)) < 0 {
				by[n] = byte(c)
				n++
			}
		}
	}
	for r, c := range by {
		rank[c] = byte(r)
	}
	return by, rank
}
