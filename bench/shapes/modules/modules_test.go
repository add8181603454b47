// Package modules has tests of containers of the standard library and of well-known modules: what
// holds of them after a few operations, and that what may be done at the same time does not race.
// Each shape is one that these operations lead to.
package modules

import (
	"container/heap"
	"container/list"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/emirpasic/gods/trees/avltree"
	"github.com/emirpasic/gods/trees/redblacktree"
	"github.com/everyway-go/everyway/sym"
	"github.com/gammazero/deque"
	google "github.com/google/btree"
	lru "github.com/hashicorp/golang-lru/v2"
	tidwall "github.com/tidwall/btree"
	orderedmap "github.com/wk8/go-ordered-map/v2"
)

// steps does n operations, which are inputs, as their keys are. Keys are below 4.
func steps(n int, ops ...func(key int)) {
	for i := range n {
		step(fmt.Sprint(i), ops...)
	}
}

func step(name string, ops ...func(key int)) {
	ops[sym.Choice("op "+name, len(ops))](sym.Choice("key "+name, 4))
}

// both does two operations at the same time.
func both(ops ...func(key int)) {
	var wg sync.WaitGroup
	for _, name := range []string{"left", "right"} {
		wg.Go(func() { step(name, ops...) })
	}
	wg.Wait()
}

// ascending fails the test if the keys do not ascend, or are not as many as they should be.
func ascending(t *testing.T, keys []int, count int) {
	t.Helper()
	if len(keys) != count || !slices.IsSorted(keys) || len(slices.Compact(slices.Clone(keys))) != len(keys) {
		t.Errorf("keys %d, and %d of them are said to be there", keys, count)
	}
}

func TestList(t *testing.T) {
	l := list.New()
	steps(4,
		func(key int) { l.PushFront(key) },
		func(key int) { l.PushBack(key) },
		func(int) {
			if e := l.Front(); e != nil {
				l.Remove(e)
			}
		},
		func(int) {
			if e := l.Back(); e != nil {
				l.MoveToFront(e)
			}
		},
	)
	var forward, backward []any
	for e := l.Front(); e != nil; e = e.Next() {
		forward = append(forward, e.Value)
	}
	for e := l.Back(); e != nil; e = e.Prev() {
		backward = append(backward, e.Value)
	}
	slices.Reverse(backward)
	if !slices.Equal(forward, backward) || len(forward) != l.Len() {
		t.Errorf("%d forward, %d backward, length %d", forward, backward, l.Len())
	}
}

// ints is a heap.
type ints []int

func (h ints) Len() int           { return len(h) }
func (h ints) Less(i, j int) bool { return h[i] < h[j] }
func (h ints) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ints) Push(x any)        { *h = append(*h, x.(int)) }
func (h *ints) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

func TestHeap(t *testing.T) {
	h := &ints{2, 3, 2}
	heap.Init(h)
	steps(3,
		func(key int) { heap.Push(h, key) },
		func(int) {
			if len(*h) == 0 {
				return
			}
			least := slices.Min(*h)
			if got := heap.Pop(h); got != least {
				t.Errorf("Pop returns %d, want %d", got, least)
			}
		},
		func(key int) {
			if key < len(*h) {
				heap.Remove(h, key)
			}
		},
	)
	for i := 1; i < len(*h); i++ {
		if (*h)[i] < (*h)[(i-1)/2] {
			t.Errorf("%d is no heap", *h)
		}
	}
}

// googleKeys returns the keys of a tree.
func googleKeys(tree *google.BTreeG[int]) (keys []int) {
	tree.Ascend(func(key int) bool { keys = append(keys, key); return true })
	return keys
}

// newGoogle returns a tree of two levels.
func newGoogle() *google.BTreeG[int] {
	tree := google.NewOrderedG[int](2)
	for key := range 5 {
		tree.ReplaceOrInsert(10 * key)
	}
	return tree
}

func TestGoogleBTree(t *testing.T) {
	tree := newGoogle()
	steps(3, func(key int) { tree.ReplaceOrInsert(key*9 + 1) }, func(key int) { tree.Delete(10 * key) }, func(int) { tree.DeleteMax() })
	ascending(t, googleKeys(tree), tree.Len())
}

// TestGoogleBTreeClones changes clones at the same time, which is allowed.
func TestGoogleBTreeClones(t *testing.T) {
	tree := newGoogle()
	var wg sync.WaitGroup
	for name, clone := range map[string]*google.BTreeG[int]{"left": tree, "right": tree.Clone()} {
		wg.Go(func() {
			step(name, func(key int) { clone.ReplaceOrInsert(key*9 + 1) }, func(key int) { clone.Delete(10 * key) })
			ascending(t, googleKeys(clone), clone.Len())
		})
	}
	wg.Wait()
}

func TestTidwallBTree(t *testing.T) {
	tree := tidwall.NewBTreeGOptions(func(a, b int) bool { return a < b }, tidwall.Options{Degree: 2})
	set := func(key int) { tree.Set(key) }
	remove := func(key int) { tree.Delete(key) }
	steps(2, set, remove)
	both(set, remove, func(key int) { tree.Get(key) })
	keys := tree.Items()
	ascending(t, keys, tree.Len())
}

func TestLRU(t *testing.T) {
	cache, err := lru.New[int, int](2)
	if err != nil {
		t.Fatal(err)
	}
	add := func(key int) { cache.Add(key, key) }
	get := func(key int) {
		if value, ok := cache.Get(key); ok && value != key {
			t.Errorf("the value of %d is %d", key, value)
		}
	}
	steps(2, add, get)
	both(add, get, func(key int) { cache.Remove(key) })
	keys := cache.Keys()
	slices.Sort(keys)
	if ascending(t, keys, cache.Len()); len(keys) > 2 {
		t.Errorf("%d keys in a cache of two", len(keys))
	}
}

// TestRedBlackTree also looks whether each node is its children's parent.
func TestRedBlackTree(t *testing.T) {
	tree := redblacktree.NewWithIntComparator()
	steps(4, func(key int) { tree.Put(key, nil) }, func(key int) { tree.Remove(key) })
	var keys []int
	var walk func(n, parent *redblacktree.Node)
	walk = func(n, parent *redblacktree.Node) {
		if n == nil {
			return
		}
		if n.Parent != parent {
			t.Errorf("the parent of %d is %v", n.Key, n.Parent)
		}
		walk(n.Left, n)
		keys = append(keys, n.Key.(int))
		walk(n.Right, n)
	}
	walk(tree.Root, nil)
	ascending(t, keys, tree.Size())
}

// TestAVLTree also looks whether each node is its children's parent, and the tree balanced.
func TestAVLTree(t *testing.T) {
	tree := avltree.NewWithIntComparator()
	steps(4, func(key int) { tree.Put(key, nil) }, func(key int) { tree.Remove(key) })
	var keys []int
	var height func(n, parent *avltree.Node) int
	height = func(n, parent *avltree.Node) int {
		if n == nil {
			return 0
		}
		left := height(n.Children[0], n)
		keys = append(keys, n.Key.(int))
		right := height(n.Children[1], n)
		if n.Parent != parent || left-right < -1 || left-right > 1 {
			t.Errorf("the parent of %d is %v, its heights %d and %d", n.Key, n.Parent, left, right)
		}
		return 1 + max(left, right)
	}
	height(tree.Root, nil)
	ascending(t, keys, tree.Size())
}

// TestOrderedMap also reads the map at the same time, which is allowed.
func TestOrderedMap(t *testing.T) {
	m := orderedmap.New[int, int]()
	steps(3, func(key int) { m.Set(key, key) }, func(key int) { m.Delete(key) }, func(key int) { _ = m.MoveToFront(key) })
	var forward, backward []int
	var wg sync.WaitGroup
	wg.Go(func() {
		for p := m.Oldest(); p != nil; p = p.Next() {
			forward = append(forward, p.Key)
		}
	})
	wg.Go(func() {
		for p := m.Newest(); p != nil; p = p.Prev() {
			backward = append(backward, p.Key)
		}
	})
	wg.Wait()
	slices.Reverse(backward)
	if !slices.Equal(forward, backward) {
		t.Errorf("%d forward, %d backward", forward, backward)
	}
	slices.Sort(forward)
	ascending(t, forward, m.Len())
}

func TestDeque(t *testing.T) {
	var q deque.Deque[int]
	var model []int
	steps(4,
		func(key int) { q.PushBack(key); model = append(model, key) },
		func(key int) { q.PushFront(key); model = append([]int{key}, model...) },
		func(int) {
			if q.Len() > 0 {
				if got := q.PopFront(); got != model[0] {
					t.Errorf("PopFront returns %d, want %d", got, model[0])
				}
				model = model[1:]
			}
		},
	)
	if got := q.AppendToSlice(nil); !slices.Equal(got, model) {
		t.Errorf("%d, want %d", got, model)
	}
}
