package bounds

import (
	"math/rand/v2"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
)

// contains reports whether v is a value of d.
func (d *domain) contains(v uint64, width uint8) bool {
	s := signedOf(v, width)
	return d.lo <= v && v <= d.hi && d.least <= s && s <= d.most && v&d.zeros == 0 && v&d.ones == d.ones
}

// domains returns domains of the width of all kinds.
func domains(r *rand.Rand, width uint8) []domain {
	m := maskOf(width)
	var list []domain
	add := func(d domain) {
		if d.tighten(width) {
			list = append(list, d)
		}
	}
	for x := range m + 1 {
		for y := range m + 1 {
			add(unsigned(x, y, width))
			add(signed(signedOf(x, width), signedOf(y, width), width))
			add(known(x, y, width))
		}
	}
	for range 40 {
		d := unsigned(r.Uint64()&m, r.Uint64()&m, width).meet(known(r.Uint64()&r.Uint64(), r.Uint64()&r.Uint64(), width))
		add(d.meet(signed(signedOf(r.Uint64()&m, width), signedOf(r.Uint64()&m, width), width)))
	}
	return list
}

// TestTighten checks that tightening loses no value.
func TestTighten(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const width = 4
	m := maskOf(width)
	for range 100_000 {
		d := unsigned(r.Uint64()&m, r.Uint64()&m, width).meet(known(r.Uint64()&r.Uint64(), r.Uint64()&r.Uint64(), width))
		d = d.meet(signed(signedOf(r.Uint64()&m, width), signedOf(r.Uint64()&m, width), width))
		tight := d
		ok := tight.tighten(width)
		for v := range m + 1 {
			if d.contains(v, width) && !(ok && tight.contains(v, width)) {
				t.Fatalf("%+v contains %d, %v %+v does not", d, v, ok, tight)
			}
		}
	}
}

// TestDomains checks the domain of each operator's result against all values,
// for all pairs of domains.
func TestDomains(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const width = 3
	list := domains(r, width)
	for op := expr.And; op <= expr.Sle; op++ {
		if op.NumArgs() != 2 {
			continue
		}
		result := uint8(width)
		if op >= expr.Eq {
			result = 1
		}
		for _, x := range list {
			for _, y := range list {
				d, ok := binaryDomain(op, x, y, width)
				if !ok {
					t.Fatalf("nothing known of %v", op)
				}
				for v := x.lo; v <= x.hi; v++ {
					for w := y.lo; w <= y.hi; w++ {
						if got := expr.Apply(op, width, v, w); x.contains(v, width) && y.contains(w, width) && !d.contains(got, result) {
							t.Fatalf("%v of %d in %+v and %d in %+v is %d, not in %+v", op, v, x, w, y, got, d)
						}
					}
				}
			}
		}
	}
	for _, x := range list {
		for v := range maskOf(width) + 1 {
			if !x.contains(v, width) {
				continue
			}
			check := func(what string, d domain, want uint64, width uint8) {
				if !d.contains(want, width) {
					t.Errorf("%s of %d in %+v is not in %+v", what, v, x, d)
				}
			}
			check("complement", x.complement(width), ^v&maskOf(width), width)
			check("extension with zeros", zextDomain(x, 6), v, 6)
			check("extension with the sign", sextDomain(x, width, 6), uint64(signedOf(v, width))&maskOf(6), 6)
			check("extension to 64 bits", sextDomain(x, width, 64), uint64(signedOf(v, width)), 64)
			check("low bits", extractDomain(x, 0, 2), v&3, 2)
			check("high bits", extractDomain(x, 1, 2), v>>1, 2)
			check("above", concatDomains(x, exactly(2, 2), 2, 5), v<<2|2, 5)
			check("below", concatDomains(exactly(2, 2), x, width, 5), 2<<width|v, 5)
		}
	}
}

// FuzzDomains compares operators at all widths with their domains.
func FuzzDomains(f *testing.F) {
	for _, width := range []uint8{1, 7, 32, 63, 64} {
		f.Add(width, uint64(1)<<(width-1), uint64(3), uint64(5), ^uint64(0), uint64(1), uint64(2))
	}
	f.Fuzz(func(t *testing.T, width uint8, x1, x2, y1, y2, kx, ky uint64) {
		width = width%64 + 1
		checkDomains(t, width, [2]uint64{x1, x2}, [2]uint64{y1, y2}, kx, ky)
	})
}

// checkDomains applies each operator to two values each of two domains.
func checkDomains(t *testing.T, width uint8, xs, ys [2]uint64, kx, ky uint64) {
	around := func(v [2]uint64, k uint64) domain { // a domain of both values
		a, b := exactly(v[0], width), exactly(v[1], width)
		d := a.join(b)
		d.zeros, d.ones = d.zeros&^k|^maskOf(width), d.ones&^k
		d.tighten(width)
		return d
	}
	x, y := around(xs, kx), around(ys, ky)
	for op := expr.And; op <= expr.Sle; op++ {
		if op.NumArgs() != 2 {
			continue
		}
		result := width
		if op >= expr.Eq {
			result = 1
		}
		d, _ := binaryDomain(op, x, y, width)
		if !d.tighten(result) {
			t.Fatalf("width %d: %v of %+v and %+v is empty", width, op, x, y)
		}
		for _, v := range xs {
			for _, w := range ys {
				if got := expr.Apply(op, width, v, w); !d.contains(got, result) {
					t.Fatalf("width %d: %v of %d in %+v and %d in %+v is %d, not in %+v", width, op, v, x, w, y, got, d)
				}
			}
		}
	}
}

// TestDomainsWide is FuzzDomains with random values.
func TestDomainsWide(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	value := func() uint64 {
		v := r.Uint64() >> r.IntN(64)
		if r.IntN(3) == 0 {
			v = -v
		}
		return v
	}
	for range 20_000 {
		width := uint8(1 + r.IntN(64))
		x, y := value(), value()
		checkDomains(t, width, [2]uint64{x, x + value()>>r.IntN(64)}, [2]uint64{y, value()}, value(), value())
	}
}
