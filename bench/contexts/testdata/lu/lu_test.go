package lu

import "testing"

func TestFactor(t *testing.T) {
	n, block, rows, cols = 4, 1, 2, 2
	for i, row := range [][]int8{{5, 3, 2, 1}, {3, 6, 5, 2}, {2, 5, 8, 4}, {1, 2, 4, 7}} {
		copy(a[i][:], row)
	}
	before := a
	run()
	for i := range n {
		for j := range n {
			sum := int8(0)
			for k := range min(i, j) + 1 {
				lower := a[i][k]
				if k == i {
					lower = 1
				}
				sum += lower * a[k][j]
			}
			if sum != before[i][j] {
				t.Errorf("at %d,%d the product has %d, want %d", i, j, sum, before[i][j])
			}
		}
	}
}
