package streamcluster

import "testing"

func TestCluster(t *testing.T) {
	c := &clustering{workers: 3, facility: 60}
	for _, p := range [][2]int{{0, 0}, {1, 0}, {9, 9}, {9, 8}, {0, 1}, {8, 9}} {
		c.points = append(c.points, point{x: p[0], y: p[1], weight: 1})
	}
	c.run()
	if c.centres != 2 || c.points[0].assign == c.points[2].assign || c.points[3].assign != c.points[2].assign {
		t.Errorf("%d centres, %v", c.centres, c.points)
	}
}
