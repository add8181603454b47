// Package btree is a sorted set for concurrent use: a B-tree with a lock in each node. Full nodes are split on the way down,
// so that no operation has to go up again.
package btree

import "sync"

// Max is the greatest number of keys in a node, which is odd.
const Max = 3

// A Tree is a set of keys. It must not be copied.
type Tree struct {
	mu   sync.Mutex // guards root
	root *node
}

// A node has no children, or one more than keys. Goroutines lock a node while they hold the lock of its
// parent, or of the tree, and so cannot overtake each other.
type node struct {
	mu    sync.Mutex // guards all that follows
	n     int
	keys  [Max]int
	child [Max + 1]*node
}

// Of returns a tree of the keys.
func Of(keys ...int) *Tree {
	t := new(Tree)
	for _, key := range keys {
		t.Insert(key)
	}
	return t
}

// Search reports whether the tree has the key.
func (t *Tree) Search(key int) bool {
	t.mu.Lock()
	n := t.root
	if n == nil {
		t.mu.Unlock()
		return false
	}
	n.mu.Lock()
	t.mu.Unlock()
	for {
		i := n.index(key)
		if i < n.n && n.keys[i] == key {
			n.mu.Unlock()
			return true
		}
		c := n.child[i]
		if c == nil {
			n.mu.Unlock()
			return false
		}
		c.mu.Lock()
		n.mu.Unlock()
		n = c
	}
}

// Insert reports whether the key is new.
func (t *Tree) Insert(key int) bool {
	t.mu.Lock()
	n := t.root
	if n == nil {
		t.root = &node{n: 1, keys: [Max]int{key}}
		t.mu.Unlock()
		return true
	}
	n.mu.Lock()
	if n.n == Max {
		root := new(node)
		root.child[0] = n
		root.split(0)
		root.mu.Lock()
		n.mu.Unlock()
		t.root, n = root, root
	}
	t.mu.Unlock()
	for {
		i := n.index(key)
		if i < n.n && n.keys[i] == key {
			n.mu.Unlock()
			return false
		}
		c := n.child[i]
		if c == nil {
			copy(n.keys[i+1:], n.keys[i:n.n])
			n.keys[i] = key
			n.n++
			n.mu.Unlock()
			return true
		}
		c.mu.Lock()
		if c.n == Max {
			n.split(i)
			c.mu.Unlock()
			continue // the key that has come up from c may be the one
		}
		n.mu.Unlock()
		n = c
	}
}

// index returns the number of keys in n that are smaller.
func (n *node) index(key int) int {
	i := 0
	for i < n.n && n.keys[i] < key {
		i++
	}
	return i
}

// split splits a full child in two, and puts the key in the middle between them. The child is locked; n, which is
// not full, is too, or known to nobody else.
func (n *node) split(i int) {
	left, right := n.child[i], new(node)
	right.n = copy(right.keys[:], left.keys[Max/2+1:])
	copy(right.child[:], left.child[Max/2+1:])
	left.n = Max / 2
	clear(left.child[Max/2+1:])
	copy(n.keys[i+1:], n.keys[i:n.n])
	copy(n.child[i+2:], n.child[i+1:n.n+1])
	n.keys[i] = left.keys[Max/2]
	n.child[i+1] = right
	n.n++
}

// Valid reports whether the keys are in order, all leaves at the same depth, and no node without keys. Nothing may be going on.
func (t *Tree) Valid() bool {
	if t.root == nil {
		return true
	}
	_, ok := t.root.height(nil, nil)
	return ok
}

// height returns the height of a subtree, and whether it is valid and its keys are between low and high.
func (n *node) height(low, high *int) (height int, ok bool) {
	if n.n < 1 || n.n > Max || high != nil && n.keys[n.n-1] >= *high {
		return 0, false
	}
	last := low
	for i := range n.keys[:n.n] {
		if last != nil && n.keys[i] <= *last {
			return 0, false
		}
		last = &n.keys[i]
	}
	for i, c := range n.child {
		if (c != nil) != (n.child[0] != nil && i <= n.n) {
			return 0, false
		}
		if c == nil {
			continue
		}
		if i > 0 {
			low = &n.keys[i-1]
		}
		up := high
		if i < n.n {
			up = &n.keys[i]
		}
		h, ok := c.height(low, up)
		if !ok || i > 0 && h != height {
			return 0, false
		}
		height = h
	}
	return height + 1, true
}
