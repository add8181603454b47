// Radix is the program of that name of SPLASH-2: an integer radix sort. In each pass goroutines count the digits of their
// keys, add up their counts along a tree, whose edges are semaphores, and move their keys.
//
//	radix n=100000 digits=3    # of keys, and of a key in base 256
package main

import (
	"fmt"
	"sync"

	_ "github.com/everyway-go/everyway/bench/cover/testdata/arguments"
	"github.com/everyway-go/everyway/bench/cover/testdata/kernel/barrier"
	"github.com/everyway-go/everyway/sym"
)

// base is the radix.
const base = 256

// A semaphore counts to one: it is posted once before it is waited for.
type semaphore chan struct{}

func (s semaphore) post() { s <- struct{}{} }
func (s semaphore) wait() { <-s }

// A node is one of the tree: it has the counts of the goroutines below it.
type node struct {
	counts [base]int
	before [base]int // of the goroutines to the left of those below it
	up     semaphore // the counts are there
	down   semaphore // so are those before
}

// A sorter is the state of the program.
type sorter struct {
	from, to []int
	digits   int
	tree     [2 * workers]node // that of goroutine i is workers+i, the parent of node i is i/2, and the root is 1
	start    *barrier.Barrier
}

func main() {
	n, digits := sym.Range("n", 1, 1<<24), sym.Range("digits", 1, 7)
	s := newSorter(n, digits)
	sum := 0
	for _, key := range s.from {
		sum += key
	}
	var wg sync.WaitGroup
	for id := range workers {
		wg.Go(func() { s.work(id) })
	}
	wg.Wait()
	sorted, hash := true, 0
	for i, key := range s.from {
		sorted = sorted && (i == 0 || s.from[i-1] <= key)
		sum -= key
		hash = (hash*31 + key) % 1000003
	}
	fmt.Printf("sorted %t, complete %t, checksum %d\n", sorted, sum == 0, hash)
}

// newSorter returns one with keys that look like random ones.
func newSorter(n, digits int) *sorter {
	s := &sorter{from: make([]int, n), to: make([]int, n), digits: digits, start: barrier.New(workers)}
	random := uint64(42)
	for i := range s.from {
		random = random*6364136223846793005 + 1442695040888963407
		s.from[i] = int(random >> 8 % (1 << (8 * digits)))
	}
	for i := range s.tree {
		s.tree[i].up, s.tree[i].down = make(semaphore, 1), make(semaphore, 1)
	}
	return s
}

// work is what each goroutine does.
func (s *sorter) work(id int) {
	from, to := s.from, s.to
	begin, end := id*len(from)/workers, (id+1)*len(from)/workers
	for digit := range s.digits {
		leaf := &s.tree[workers+id]
		clear(leaf.counts[:])
		for _, key := range from[begin:end] {
			leaf.counts[key>>(8*digit)%base]++
		}
		s.add(id)
		s.move(id, to, from[begin:end], digit)
		from, to = to, from
		s.start.Wait()
	}
	if id == 0 {
		s.from, s.to = from, to
	}
}

// add adds the counts up along the tree, and says below each node how many keys come before.
func (s *sorter) add(id int) {
	// Up: the left child of a node goes on to its parent, when the right one has posted.
	top := workers + id
	for top > 1 && top%2 == 0 {
		sibling := &s.tree[top+1]
		sibling.up.wait()
		parent := &s.tree[top/2]
		for i := range base {
			parent.counts[i] = s.tree[top].counts[i] + sibling.counts[i]
		}
		top /= 2
	}
	if top > 1 {
		s.tree[top].up.post()
		s.tree[top].down.wait()
	} else {
		clear(s.tree[1].before[:])
	}
	// Down, the same way back.
	for n := top; n < workers; n *= 2 {
		left, right := &s.tree[2*n], &s.tree[2*n+1]
		for i := range base {
			left.before[i] = s.tree[n].before[i]
			right.before[i] = s.tree[n].before[i] + left.counts[i]
		}
		right.down.post()
	}
	s.start.Wait()
}

// move moves the keys of a goroutine to where they belong by a digit.
func (s *sorter) move(id int, to, keys []int, digit int) {
	var rank [base]int
	smaller := 0
	for i := range base {
		rank[i] = smaller + s.tree[workers+id].before[i]
		smaller += s.tree[1].counts[i]
	}
	for _, key := range keys {
		d := key >> (8 * digit) % base
		to[rank[d]] = key
		rank[d]++
	}
}
