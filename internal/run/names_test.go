package run

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// TestNamesShared has many goroutines ask for the same names: they get the same
// numbers, each of which has one name.
func TestNamesShared(t *testing.T) {
	n := NewNames()
	const workers, width, depth = 8, 20, 4
	got := make([][]int32, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			parent := int32(0)
			for range depth {
				for k := range int32(width) {
					got[w] = append(got[w], n.Child(parent, 1+(k+int32(w))%width))
				}
				parent = n.Child(parent, width/2)
			}
		})
	}
	wg.Wait()
	if want := 1 + width*depth; n.Len() != want {
		t.Errorf("%d names, want %d", n.Len(), want)
	}
	for i := range int32(n.Len()) {
		if back, ok := n.Lookup(n.String(i)); !ok || back != i {
			t.Errorf("%s is goroutine %d, not %d", n.String(i), back, i)
		}
	}
	for w := range got {
		for k, i := range got[w] {
			level := k / width
			nth := 1 + (k%width+w)%width
			if j := got[0][level*width+nth-1]; i != j {
				t.Errorf("worker %d has number %d where worker 0 has %d", w, i, j)
			}
		}
	}
}

func BenchmarkNamesChild(b *testing.B) {
	n := NewNames()
	b.RunParallel(func(pb *testing.PB) {
		for nth := int32(0); pb.Next(); nth = (nth + 1) % 8 {
			n.Child(0, nth+1)
		}
	})
}

// Names are ordered as their numbers are, one after another, also those of long chains.
func TestNamesCompare(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n := NewNames()
	ids, paths := []int32{0}, [][]int32{nil}
	for range 2000 {
		k := len(ids) - 1 // mostly a longer chain
		if rng.IntN(4) == 0 {
			k = rng.IntN(len(ids))
		}
		nth := 1 + rng.Int32N(3)
		ids = append(ids, n.Child(ids[k], nth))
		paths = append(paths, append(slices.Clone(paths[k]), nth))
	}
	for range 20_000 {
		i, j := rng.IntN(len(ids)), rng.IntN(len(ids))
		if got, want := n.Compare(ids[i], ids[j]), slices.Compare(paths[i], paths[j]); got != want {
			t.Fatalf("%v and %v compare as %d, not %d", paths[i], paths[j], got, want)
		}
	}
}

// Names do not depend on the order in which they are asked for, but for their
// numbers.
func TestNames(t *testing.T) {
	n := NewNames()
	second := n.Child(0, 2)
	grandchild := n.Child(second, 1)
	first := n.Child(0, 1)
	tenth := n.Child(0, 10)
	for i, want := range map[int32]string{0: "0", second: "0.2", grandchild: "0.2.1", first: "0.1", tenth: "0.10"} {
		if got := n.String(i); got != want {
			t.Errorf("goroutine %d is named %s, not %s", i, got, want)
		}
		if got, ok := n.Lookup(want); !ok || got != i {
			t.Errorf("%s is goroutine %d %v, not %d", want, got, ok, i)
		}
	}
	for _, bad := range []string{"", "1", "0.", "0.0", "0.-1", "0.x", "0.1.", "00"} {
		if i, ok := n.Lookup(bad); ok {
			t.Errorf("%q names goroutine %d", bad, i)
		}
	}
	all := []int32{grandchild, tenth, second, 0, first}
	slices.SortFunc(all, n.Compare)
	if want := []int32{0, first, second, grandchild, tenth}; !slices.Equal(all, want) {
		t.Errorf("sorted %v, not %v", all, want)
	}
}
