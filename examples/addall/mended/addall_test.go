package addall

import (
	"sync"
	"testing"
)

// FuzzAddAll lets two goroutines append n elements to a vector with the given
// count and size.
func FuzzAddAll(f *testing.F) {
	f.Add(uint8(10), uint8(20), uint8(3))
	f.Fuzz(func(t *testing.T, count, size, n uint8) {
		if count > size {
			return
		}
		v := &Vector{count: int(count), size: int(size)}
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if err := v.AddAll(int(n)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
}
