package mutate

import (
	"math"
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/run"
)

// scalar returns a new value for a variable of an input.
func (m *Mutator) scalar(r *rand.Rand, v variable, in, other run.Input) uint64 {
	was := in[v.name]
	switch r.IntN(8) {
	case 0: // the value of another variable, or one more or less
		if w := m.scalars[r.IntN(len(m.scalars))]; w != v {
			return (in[w.name] + r.Uint64N(3) - 1) & mask(v.width)
		}
	case 1:
		if o, ok := other[v.name]; ok && o != was {
			return o
		}
	}
	return number(r, was, v.width)
}

// number returns a new value of the given width, made from the old one.
func number(r *rand.Rand, was uint64, width uint8) uint64 {
	if width == 1 {
		return was ^ 1
	}
	switch r.IntN(6) {
	case 0: // flip a bit
		return was ^ 1<<r.IntN(int(width))
	case 1, 2: // add a small number
		d := 1 + r.Uint64N(1<<(1+r.IntN(7)))
		if r.IntN(2) == 0 {
			d = -d
		}
		return (was + d) & mask(width)
	case 3:
		list := interesting[width]
		return list[r.IntN(len(list))]
	}
	v := r.Uint64() & mask(width)
	if r.IntN(2) == 0 {
		v >>= r.IntN(int(width)) // of any magnitude
	}
	return v
}

// mask returns a number whose lowest bits are set.
func mask(width uint8) uint64 { return 1<<width - 1 } // also for width 64

// interesting holds, by width, values at which the behaviour of code often changes: small ones,
// round ones, and the bounds of the ranges of this width and of narrower ones, positive and
// negative.
var interesting = func() map[uint8][]uint64 {
	round := []uint64{0, 1, 2, 3, 10, 16, 32, 64, 100, 127}
	byWidth := map[uint8][]uint64{}
	for _, width := range []uint8{8, 16, 32, 64} {
		var list []uint64
		for _, v := range round {
			list = append(list, v, -v&mask(width))
		}
		for w := uint8(8); w <= width; w *= 2 {
			top := uint64(1) << (w - 1)
			list = append(list, top-1, top, top+1, mask(w)-1, mask(w), -top&mask(width), (-top-1)&mask(width), (mask(w)+1)&mask(width))
		}
		if width == 16 || width == 32 {
			list = append(list, 1000, 1024, 4096)
		}
		byWidth[width] = list
	}
	for _, f := range []float64{1, -1, 0.5, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1)} {
		byWidth[64] = append(byWidth[64], math.Float64bits(f))
		byWidth[32] = append(byWidth[32], uint64(math.Float32bits(float32(f))))
	}
	return byWidth
}()
