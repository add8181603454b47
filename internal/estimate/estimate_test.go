package estimate

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// perms is the tree of the prefixes of permutations of n things.
func perms(n int) func(int) ([]int, error) {
	return func(depth int) ([]int, error) {
		children := make([]int, max(0, n-depth))
		for i := range children {
			children[i] = depth + 1
		}
		return children, nil
	}
}

// binomial is a tree whose nodes with number k have children 0 to k-1: what a
// depth-first search that emits its alternatives in one go leaves, and as skewed.
func binomial(k int) ([]int, error) {
	children := make([]int, k)
	for i := range children {
		children[i] = i
	}
	return children, nil
}

// ragged is a tree whose shape follows from a hash of the path.
func ragged(node uint64) ([]uint64, error) {
	depth := node >> 56
	if depth == 12 {
		return nil, nil
	}
	rng := rand.New(rand.NewPCG(node, 1))
	children := make([]uint64, [...]int{0, 1, 1, 2, 3}[rng.IntN(5)])
	for i := range children {
		children[i] = (depth+1)<<56 | rng.Uint64()>>8
	}
	return children, nil
}

func count[N any](children func(N) ([]N, error), node N) int {
	sum := 1
	list, _ := children(node)
	for _, c := range list {
		sum += count(children, c)
	}
	return sum
}

// byRank puts the children of a node in classes by their rank.
func byRank(_, n, _ int) int { return bits.Len(uint(n)) }

func TestMean(t *testing.T) {
	checkMean(t, "permutations", perms(6), 0)
	checkMean(t, "binomial", binomial, 6)
	checkMean(t, "ragged", ragged, 5)
	checkMean(t, "leaf", binomial, 0)
}

// checkMean compares the mean of many estimates with the size of the tree: it
// has to be within four times its standard error.
func checkMean[N any](t *testing.T, name string, children func(N) ([]N, error), root N) {
	want := float64(count(children, root))
	for class, of := range map[string]func(int, int, int) int{"by depth": nil, "by rank": byRank} {
		t.Run(fmt.Sprintf("%s/%s", name, class), func(t *testing.T) {
			const samples = 4000
			rng := rand.New(rand.NewPCG(7, 7))
			var sum, squares float64
			visited := 0
			for range samples {
				size, n, err := Tree[N]{children, of}.Size(root, rng)
				if err != nil {
					t.Fatal(err)
				}
				sum += size
				squares += size * size
				visited += n
			}
			mean := sum / samples
			deviation := math.Sqrt(max(0, squares/samples-mean*mean))
			t.Logf("%.0f nodes: mean %.1f, deviation %.1f, %.1f nodes visited", want, mean, deviation, float64(visited)/samples)
			if off := math.Abs(mean - want); off > 4*deviation/math.Sqrt(samples) {
				t.Errorf("the mean of %d estimates is %.1f, the size %.0f", samples, mean, want)
			}
		})
	}
}

func TestError(t *testing.T) {
	fault := errors.New("fault")
	tree := Tree[int]{Children: func(int) ([]int, error) { return nil, fault }}
	if _, _, err := tree.Size(0, rand.New(rand.NewPCG(1, 1))); !errors.Is(err, fault) {
		t.Errorf("error %v, want %v", err, fault)
	}
}
