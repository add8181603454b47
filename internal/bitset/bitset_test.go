package bitset

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSet compares sets with maps.
func TestSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		n := r.IntN(200)
		var s, u Set
		s.Grow(n)
		u.Grow(r.IntN(n + 1))
		in := map[int]bool{}
		other := map[int]bool{}
		for range r.IntN(2*n + 1) {
			switch i := r.IntN(n); r.IntN(4) {
			case 0:
				s.Remove(i)
				delete(in, i)
			case 1:
				if i < 64*len(u) {
					u.Add(i)
					other[i] = true
				}
			default:
				s.Add(i)
				in[i] = true
			}
		}
		elements := slices.Sorted(maps.Keys(in))
		if got := slices.Collect(s.All()); !slices.Equal(got, elements) || s.Count() != len(in) {
			t.Fatalf("%v and %d elements, want %v", got, s.Count(), elements)
		}
		for i := range 2 * n {
			if s.Has(i) != in[i] {
				t.Fatalf("has %d: %v, want %v", i, s.Has(i), in[i])
			}
		}
		rest := slices.DeleteFunc(slices.Clone(elements), func(i int) bool { return other[i] })
		if got := slices.Collect(s.Without(u)); !slices.Equal(got, rest) {
			t.Fatalf("%v without %v is %v, want %v", elements, other, got, rest)
		}
		sum := slices.Clone(u)
		sum.AddAll(s)
		maps.Copy(other, in)
		if got, want := slices.Collect(sum.All()), slices.Sorted(maps.Keys(other)); !slices.Equal(got, want) {
			t.Fatalf("sum %v, want %v", got, want)
		}
		if len(elements) > 0 {
			for i := range s.All() {
				if i != elements[0] {
					t.Fatalf("first %d, want %d", i, elements[0])
				}
				break
			}
		}
	}
}

func TestRoom(t *testing.T) {
	for n, words := range map[int]int{0: 0, 1: 1, 64: 1, 65: 2, 128: 2} {
		if s := New(n); len(s) != words {
			t.Errorf("%d words for %d numbers, want %d", len(s), n, words)
		}
	}
	s := New(100)
	s.Add(99)
	s.Grow(10)
	s.Remove(5000)
	if fmt.Sprint(slices.Collect(s.All())) != "[99]" || s.Has(5000) {
		t.Errorf("%v after growing to less", slices.Collect(s.All()))
	}
}

func BenchmarkHas(b *testing.B) {
	s := New(1000)
	s.Add(700)
	n := 0
	for b.Loop() {
		for i := range 1000 {
			if s.Has(i) {
				n++
			}
		}
	}
}
