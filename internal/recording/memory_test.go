package recording

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The parts that goroutines share are, byte by byte, those that several have accessed and one of
// them has written, and no access was to a part of one.
func TestShared(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		type access struct {
			span
			goroutine uint64
			writes    bool
		}
		var all []access
		for range 1 + r.IntN(8) {
			from := r.Uint64N(12)
			all = append(all, access{span{from, from + 1 + r.Uint64N(6)}, 1 + r.Uint64N(3), r.IntN(2) == 0})
		}
		found := survey{}
		var bytes [20]use
		for _, a := range all {
			found.note(1, a.span, a.goroutine, a.writes)
			for i := a.from; i < a.to; i++ {
				bytes[i].add(a.goroutine, a.writes)
			}
		}
		parts := found.shared()[1]
		for i, u := range bytes {
			in := slices.ContainsFunc(parts, func(p span) bool { return p.from <= uint64(i) && uint64(i) < p.to })
			if want := u.several && u.writes; in != want {
				t.Fatalf("%v: byte %d is in %v: %t", all, i, parts, in)
			}
		}
		for _, a := range all {
			of := within(parts, a.span)
			for _, p := range parts {
				overlaps := p.from < a.to && a.from < p.to
				if overlaps != slices.Contains(of, p) {
					t.Fatalf("%v: of %v, %v has the parts %v", all, parts, a.span, of)
				}
			}
		}
	}
}

// An address is in the object that was allocated there last.
func TestMemory(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := memory{pages: map[uint64][]object{}}
		const size = 6 * pageSize / 1024
		var units [size]int // the object of each 1024 bytes
		var bases [size]uint64
		for id := 1; id < 12; id++ {
			from := r.IntN(size)
			n := min(1+r.IntN(1+r.IntN(size)), size-from)
			for i := range units {
				// What overlaps is gone as a whole.
				if units[i] != 0 && slices.Contains(units[from:from+n], units[i]) {
					gone := units[i]
					for k := range units {
						if units[k] == gone {
							units[k] = 0
						}
					}
				}
			}
			for i := from; i < from+n; i++ {
				units[i], bases[i] = id, uint64(from)*1024
			}
			m.allocate(uint64(from)*1024, uint64(n)*1024)
		}
		for i, want := range units {
			addr := uint64(i)*1024 + r.Uint64N(1024)
			base := bases[i]
			if want == 0 {
				base = 0
			}
			if id, off := m.at(addr); id != want || off != addr-base {
				t.Fatalf("seed %d: address %d is in object %d at %d, want %d at %d", seed, addr, id, off, want, addr-base)
			}
		}
	}
}
