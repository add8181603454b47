package main

import (
	"math"
	"math/cmplx"
	"sync"
	"testing"
)

func TestTransform(t *testing.T) {
	for _, there := range []bool{false, true} {
		f := newTransform(8, there)
		n := len(f.x)
		want := make([]complex128, n)
		for k := range want {
			if there {
				want[k] = f.x[k] * complex(float64(n), 0)
				continue
			}
			for i, v := range f.x {
				want[k] += v * cmplx.Rect(1, -2*math.Pi*float64(i*k)/float64(n))
			}
		}
		var wg sync.WaitGroup
		for id := range workers {
			wg.Go(func() { f.work(id) })
		}
		wg.Wait()
		for k, v := range f.x {
			if cmplx.Abs(v-want[k]) > 1e-9 {
				t.Errorf("there and back %t: number %d is %v, want %v", there, k, v, want[k])
			}
		}
	}
}
