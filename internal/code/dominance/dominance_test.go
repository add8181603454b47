package dominance

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A graph has the successors of nodes.
type graph [][]int

// avoids reports whether a way leads from a node to the exit that does not pass another one.
func (g graph) avoids(from, exit, without int) bool {
	seen := make([]bool, len(g))
	work := []int{from}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n == without || seen[n] {
			continue
		}
		if n == exit {
			return true
		}
		seen[n] = true
		work = append(work, g[n]...)
	}
	return false
}

// TestPost compares post-dominators of random graphs with their definition.
func TestPost(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		size := 2 + r.IntN(9)
		g, before := make(graph, size), make(graph, size)
		const exit = 0 // which leads nowhere
		for n := 1; n < size; n++ {
			for range 1 + r.IntN(3) {
				s := r.IntN(size)
				g[n], before[s] = append(g[n], s), append(before[s], n)
			}
		}
		number := func(n int) int { return n }
		post, order := Post(size, exit, number, func(n int) []int { return g[n] }, func(n int) []int { return before[n] })
		for n := range size {
			reaches := g.avoids(n, exit, -1)
			if slices.Contains(order, n) != reaches || reaches != (post[n] >= 0) {
				t.Fatalf("%v: node %d reaches the exit: %t; its post-dominator is %d, and the order %v", g, n, reaches, post[n], order)
			}
			if n == exit || !reaches {
				continue
			}
			// All others that post-dominate n post-dominate the immediate one, too.
			p := post[n]
			if p == n || g.avoids(n, exit, p) {
				t.Fatalf("%v: %d does not post-dominate %d", g, p, n)
			}
			for q := range size {
				if q != n && q != p && !g.avoids(n, exit, q) && g.avoids(p, exit, q) {
					t.Fatalf("%v: the post-dominator of %d is %d, and %d comes before it", g, n, p, q)
				}
			}
			if slices.Index(order, n) >= slices.Index(order, p) {
				t.Errorf("%v: %d comes before its post-dominator %d only in another order than %v", g, n, p, order)
			}
		}
	}
}
