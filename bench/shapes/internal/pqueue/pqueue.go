// Package pqueue is a priority queue for concurrent use: a heap of linked nodes with a lock each. Keys go down in it
// when one is inserted, and up when the smallest one is removed.
package pqueue

import "sync"

// A Queue holds keys, of which the smallest is the first. It must not be copied.
type Queue struct {
	mu   sync.Mutex // guards size and root
	size int
	root *node
}

// A node's key is not greater than those of its children. Goroutines lock a node while they hold the lock of its parent, or of
// the queue, and so cannot overtake each other.
type node struct {
	mu          sync.Mutex // guards all that follows
	key         int
	left, right *node
}

// Of returns a queue of the keys.
func Of(keys ...int) *Queue {
	q := new(Queue)
	for _, key := range keys {
		q.Insert(key)
	}
	return q
}

// Insert adds a key. Subtrees change places on its way down, so that it comes to another place the next time.
func (q *Queue) Insert(key int) {
	q.mu.Lock()
	q.size++
	n := q.root
	if n == nil {
		q.root = &node{key: key}
		q.mu.Unlock()
		return
	}
	n.mu.Lock()
	q.mu.Unlock()
	for {
		if key < n.key {
			n.key, key = key, n.key
		}
		next := n.right
		n.right = n.left
		if next == nil {
			n.left = &node{key: key}
			n.mu.Unlock()
			return
		}
		n.left = next
		next.mu.Lock()
		n.mu.Unlock()
		n = next
	}
}

// Remove removes the smallest key and returns it, if there is one.
func (q *Queue) Remove() (key int, ok bool) {
	q.mu.Lock()
	n := q.root
	if n == nil {
		q.mu.Unlock()
		return 0, false
	}
	q.size--
	n.mu.Lock()
	key = n.key
	if n.leaf() {
		q.root = nil
		n.mu.Unlock()
		q.mu.Unlock()
		return key, true
	}
	q.mu.Unlock()
	for {
		child := n.least()
		n.key = child.key
		if child.leaf() {
			if n.left == child {
				n.left = nil
			} else {
				n.right = nil
			}
			child.mu.Unlock()
			n.mu.Unlock()
			return key, true
		}
		n.mu.Unlock()
		n = child
	}
}

// leaf reports whether n has no children.
func (n *node) leaf() bool {
	if n.left != nil {
		return false
	}
	return n.right == nil
}

// least locks and returns the child of n with the smaller key.
func (n *node) least() *node {
	l := n.left
	r := n.right
	if l == nil || r == nil {
		if l == nil {
			l = r
		}
		l.mu.Lock()
		return l
	}
	l.mu.Lock()
	r.mu.Lock()
	if l.key <= r.key {
		r.mu.Unlock()
		return l
	}
	l.mu.Unlock()
	return r
}

// Valid reports whether the nodes are a tree in which no key is smaller than its parent's, and their number is right.
// Nothing may be going on.
func (q *Queue) Valid() bool {
	seen := make(map[*node]bool)
	return (q.root == nil || q.root.valid(q.root.key, seen)) && len(seen) == q.size
}

// valid reports whether n and what is below it have not been seen, and no key is smaller than its parent's or least.
func (n *node) valid(least int, seen map[*node]bool) bool {
	if n == nil {
		return true
	}
	if seen[n] || n.key < least {
		return false
	}
	seen[n] = true
	return n.left.valid(n.key, seen) && n.right.valid(n.key, seen)
}
