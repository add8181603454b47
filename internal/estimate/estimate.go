// Package estimate tells how large a tree is without visiting all of it.
//
// Knuth (Estimating the efficiency of backtrack programs, Mathematics of
// Computation 29, 1975): go down from the root, at each node to a child chosen
// at random with equal chances. If the nodes on the way have c1, c2, … children,
// then 1 + c1 + c1·c2 + … is, in the mean, the number of nodes of the tree. A
// single path says little when subtrees differ in size.
//
// Chen (Heuristic sampling, SIAM Journal on Computing 21, 1992) goes down many
// paths together: nodes that are expected to have trees of like size beneath them
// are a stratum, and of each stratum one node, chosen by weight, stands for all
// that were met. The mean is the same, the variance smaller. With a stratum for
// each depth it is Knuth's method, but for the choice of one child out of all of
// the stratum.
package estimate

import (
	"cmp"
	"container/heap"
	"math/rand/v2"
)

// A Stratum names a class of nodes. A node's children have a greater depth than
// it has.
type Stratum struct {
	Depth int
	Class int
}

func (s Stratum) compare(t Stratum) int {
	return cmp.Or(cmp.Compare(s.Depth, t.Depth), cmp.Compare(s.Class, t.Class))
}

// A Tree is given by the children of its nodes. Class puts the nth of a node's
// children, of which there are so many, in a class among the nodes of its depth;
// classes are small numbers.
type Tree[N any] struct {
	Children func(N) ([]N, error)
	Class    func(class, n, of int) int // class is the parent's; nil for one class
}

// Size returns an estimate of the number of nodes of the tree below root, root
// included, and how many nodes were visited for it. Its mean over the choices
// of rng is the true size.
func (t Tree[N]) Size(root N, rng *rand.Rand) (size float64, visited int, err error) {
	q := queue[N]{index: map[Stratum]*representative[N]{}}
	q.add(Stratum{}, root, 1, rng)
	for q.Len() > 0 {
		r := heap.Pop(&q).(*representative[N])
		delete(q.index, r.stratum)
		size += r.weight
		visited++
		children, err := t.Children(r.node)
		if err != nil {
			return 0, visited, err
		}
		for i, c := range children {
			s := Stratum{Depth: r.stratum.Depth + 1}
			if t.Class != nil {
				s.Class = t.Class(r.stratum.Class, i, len(children))
			}
			q.add(s, c, r.weight, rng)
		}
	}
	return size, visited, nil
}

// A representative stands for the nodes of its stratum that were met: weight
// is how many they are taken to be.
type representative[N any] struct {
	stratum Stratum
	node    N
	weight  float64
}

// A queue holds one representative for each stratum, the smallest first. It
// implements heap.Interface.
type queue[N any] struct {
	list  []*representative[N]
	index map[Stratum]*representative[N]
}

// add takes in a node: it becomes its stratum's representative with a
// probability in proportion to its weight.
func (q *queue[N]) add(s Stratum, node N, weight float64, rng *rand.Rand) {
	r := q.index[s]
	if r == nil {
		r = &representative[N]{stratum: s, node: node, weight: weight}
		q.index[s] = r
		heap.Push(q, r)
		return
	}
	r.weight += weight
	if rng.Float64()*r.weight < weight {
		r.node = node
	}
}

func (q *queue[N]) Len() int           { return len(q.list) }
func (q *queue[N]) Less(i, j int) bool { return q.list[i].stratum.compare(q.list[j].stratum) < 0 }
func (q *queue[N]) Swap(i, j int)      { q.list[i], q.list[j] = q.list[j], q.list[i] }
func (q *queue[N]) Push(x any)         { q.list = append(q.list, x.(*representative[N])) }
func (q *queue[N]) Pop() any {
	last := q.list[len(q.list)-1]
	q.list = q.list[:len(q.list)-1]
	return last
}
