package main

import (
	"slices"
	"sync"
	"testing"
)

func TestSort(t *testing.T) {
	for _, n := range []int{1, workers, 1000} {
		for digits := 1; digits <= 3; digits++ {
			s := newSorter(n, digits)
			want := slices.Sorted(slices.Values(s.from))
			var wg sync.WaitGroup
			for id := range workers {
				wg.Go(func() { s.work(id) })
			}
			wg.Wait()
			if !slices.Equal(s.from, want) {
				t.Errorf("%d keys of %d digits are not sorted", n, digits)
			}
		}
	}
}
