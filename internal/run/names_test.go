package run

import (
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
