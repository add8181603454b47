package main

import (
	"testing"

	"github.com/everyway-go/everyway/bench/cover/testdata/kernel/lu"
)

func TestMatrix(t *testing.T) {
	const n = 9
	a, want := matrix(n), matrix(n)
	lu.Factor(a, len(a), 2, 1, workers)
	// The same without blocks.
	for k := range n {
		if want[k][k] != 1 {
			t.Fatalf("the pivot in row %d is %d, want 1, which the matrix was made with", k, want[k][k])
		}
		for i := k + 1; i < n; i++ {
			for j := k + 1; j < n; j++ {
				want[i][j] = ((want[i][j]-want[i][k]*want[k][j])%lu.Prime + lu.Prime) % lu.Prime
			}
		}
	}
	for i := range n {
		for j := range n {
			if a[i][j] != want[i][j] {
				t.Errorf("at %d,%d is %d, want %d", i, j, a[i][j], want[i][j])
			}
		}
	}
}
