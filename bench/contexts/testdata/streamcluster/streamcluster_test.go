package streamcluster

import "testing"

func TestCluster(t *testing.T) {
	workers, facility = 3, 6
	for _, p := range [][2]int32{{0, 0}, {1, 0}, {9, 9}, {9, 8}, {0, 1}, {8, 9}} {
		x[n], y[n], weight[n] = p[0], p[1], 1
		n++
	}
	run()
	if centres != 2 || assign[0] == assign[2] || assign[3] != assign[2] {
		t.Errorf("%d centres, %v", centres, assign)
	}
}
