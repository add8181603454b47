// Splay is a test driver for a splay tree (Sleator and Tarjan, Self-adjusting
// binary search trees, 1985; top-down) that two goroutines use at the same time,
// under a lock. Even to look for a key changes the tree. There is no bug.
package main

import "sync"

// A node is a key in a tree.
type node struct {
	key         int
	left, right *node
}

// A tree is a set of keys.
type tree struct {
	mu   sync.Mutex
	root *node
	size int
}

// splay makes the node of the key, or one next to it, the root of the tree
// below n, and returns it.
func splay(n *node, key int) *node {
	if n == nil {
		return nil
	}
	var head node
	left, right := &head, &head // the greatest of what is less, the least of what is greater
	for {
		if key < n.key {
			if n.left == nil {
				break
			}
			if key < n.left.key {
				l := n.left
				n.left, l.right = l.right, n
				n = l
				if n.left == nil {
					break
				}
			}
			right.left = n
			right, n = n, n.left
		} else if key > n.key {
			if n.right == nil {
				break
			}
			if key > n.right.key {
				r := n.right
				n.right, r.left = r.left, n
				n = r
				if n.right == nil {
					break
				}
			}
			left.right = n
			left, n = n, n.right
		} else {
			break
		}
	}
	left.right, right.left = n.left, n.right
	n.left, n.right = head.right, head.left
	return n
}

// insert adds a key, and reports false when it was there.
func (t *tree) insert(key int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := &node{key: key}
	if t.root != nil {
		r := splay(t.root, key)
		t.root = r
		switch {
		case key < r.key:
			n.left, n.right = r.left, r
			r.left = nil
		case key > r.key:
			n.left, n.right = r, r.right
			r.right = nil
		default:
			return false
		}
	}
	t.root = n
	t.size++
	return true
}

// remove takes a key out, and reports false when it was not there.
func (t *tree) remove(key int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.root == nil {
		return false
	}
	r := splay(t.root, key)
	t.root = r
	if r.key != key {
		return false
	}
	if r.left == nil {
		t.root = r.right
	} else {
		t.root = splay(r.left, key)
		t.root.right = r.right
	}
	t.size--
	return true
}

// find reports whether a key is in the tree.
func (t *tree) find(key int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.root == nil {
		return false
	}
	t.root = splay(t.root, key)
	return t.root.key == key
}

// least returns the least key that is at least key.
func (t *tree) least(key int) (int, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	best, found := 0, false
	for n := t.root; n != nil; {
		if n.key < key {
			n = n.right
			continue
		}
		if !found || n.key < best {
			best, found = n.key, true
		}
		n = n.left
	}
	return best, found
}

// greatest returns the greatest key that is at most key.
func (t *tree) greatest(key int) (int, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	best, found := 0, false
	for n := t.root; n != nil; {
		if n.key > key {
			n = n.left
			continue
		}
		if !found || n.key > best {
			best, found = n.key, true
		}
		n = n.right
	}
	return best, found
}

// height returns the height of the tree below n.
func height(n *node) int {
	if n == nil {
		return 0
	}
	l, r := height(n.left), height(n.right)
	if l > r {
		return l + 1
	}
	return r + 1
}

// count returns the number of keys from low to high below n.
func count(n *node, low, high int) int {
	if n == nil {
		return 0
	}
	if n.key < low {
		return count(n.right, low, high)
	}
	if n.key > high {
		return count(n.left, low, high)
	}
	return count(n.left, low, high) + 1 + count(n.right, low, high)
}

// nth returns the key at place i below n, from 0 on.
func nth(n *node, i int) (int, bool) {
	for n != nil {
		before := count(n.left, 0, n.key)
		if i < before {
			n = n.left
			continue
		}
		if i == before {
			return n.key, true
		}
		n, i = n.right, i-before-1
	}
	return 0, false
}

// check panics unless the keys below n are between low and high and in order. It
// returns their number.
func check(n *node, low, high int) int {
	if n == nil {
		return 0
	}
	if n.key <= low {
		panic("splay: a key is too small")
	}
	if n.key >= high {
		panic("splay: a key is too great")
	}
	return check(n.left, low, n.key) + 1 + check(n.right, n.key, high)
}

func main() {
	t := &tree{}
	for _, key := range []int{40, 20, 60, 10} {
		if !t.insert(key) {
			panic("splay: the key is there already")
		}
	}
	if check(t.root, 0, 100) != t.size || count(t.root, 15, 50) != 2 || height(t.root) > t.size {
		panic("splay: the tree is not what it should be")
	}
	if n, ok := t.least(30); !ok || n != 40 {
		panic("splay: wrong least key")
	}
	if n, ok := t.greatest(30); !ok || n != 20 {
		panic("splay: wrong greatest key")
	}
	if n, ok := nth(t.root, 2); !ok || n != 40 {
		panic("splay: wrong key at place 2")
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if !t.insert(30) {
			return // the other was faster
		}
	})
	wg.Go(func() {
		if t.find(30) {
			t.remove(40)
			return
		}
		t.insert(50)
	})
	wg.Wait()
}
