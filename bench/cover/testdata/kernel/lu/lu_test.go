package lu

import "testing"

func TestFactor(t *testing.T) {
	const n = 4
	a := [n][n]int{{4, 3, 2, 1}, {3, 7, 5, 2}, {2, 5, 9, 4}, {1, 2, 4, 8}}
	f := &factorisation{n: n, block: 1, rows: 2, cols: 2}
	for _, row := range a {
		f.a = append(f.a, row[:])
	}
	before := a
	f.run()
	for i := range n {
		for j := range n {
			sum := 0
			for k := range min(i, j) + 1 {
				lower := f.a[i][k]
				if k == i {
					lower = 1
				}
				sum += lower * f.a[k][j]
			}
			if mod(sum) != mod(before[i][j]) {
				t.Errorf("at %d,%d the product has %d, want %d", i, j, mod(sum), before[i][j])
			}
		}
	}
}
