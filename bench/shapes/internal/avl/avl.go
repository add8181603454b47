// Package avl is a sorted set for concurrent use: an AVL tree with a lock in each node. As in C. Ellis,
// "Concurrent search and insertion in AVL trees" (1980), an operation keeps locked what it may have to rotate.
package avl

import "sync"

// A Tree is a set of keys. It must not be copied.
type Tree struct{ top node } // its right child is the root

// A node's balance is the height of its right subtree less that of its left one. Goroutines lock a node while
// they hold the lock of its parent, and so cannot overtake each other.
type node struct {
	mu      sync.Mutex // guards all that follows
	key     int
	balance int
	child   [2]*node // left and right
}

// A path is of nodes that are locked, each a child of the one before.
type path []*node

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
	p, side := &t.top, 1
	p.mu.Lock()
	for {
		n := p.child[side]
		if n == nil {
			p.mu.Unlock()
			return false
		}
		n.mu.Lock()
		p.mu.Unlock()
		if n.key == key {
			n.mu.Unlock()
			return true
		}
		p, side = n, n.side(key)
	}
}

// Insert reports whether the key is new.
func (t *Tree) Insert(key int) bool {
	t.top.mu.Lock()
	locked := path{&t.top}
	side := 1
	for n := t.top.child[1]; n != nil; n = n.child[side] {
		n.mu.Lock()
		if n.key == key {
			n.mu.Unlock()
			locked.unlock()
			return false
		}
		if n.balance != 0 { // what is above its parent will not change
			last := len(locked) - 1
			locked[:last].unlock()
			locked = locked[last:]
		}
		locked = append(locked, n)
		side = n.side(key)
	}
	locked[len(locked)-1].child[side] = &node{key: key}
	for _, n := range locked[1:] {
		n.balance += 2*n.side(key) - 1
	}
	if len(locked) > 1 { // the others were balanced
		if u := locked[1]; u.balance < -1 || u.balance > 1 {
			locked[0].rotate(u)
		}
	}
	locked.unlock()
	return true
}

// Delete reports whether the key was there.
func (t *Tree) Delete(key int) bool {
	t.top.mu.Lock()
	locked := path{&t.top}
	var found *node
	side := 1
	for n := t.top.child[1]; n != nil; n = n.child[side] {
		n.mu.Lock()
		side = n.side(key)
		first := found == nil
		if n.key == key {
			found = n
		}
		if first && n.balance == 0 && n.child[side] != nil { // its height will not change
			locked.unlock()
			locked = nil
		}
		locked = append(locked, n)
	}
	if found == nil {
		locked.unlock()
		return false
	}
	// The last one, found or the one after it, gives its place to its only child, and its key to found.
	last := len(locked) - 1
	n, p := locked[last], locked[last-1]
	only := n.child[0]
	if only == nil {
		only = n.child[1]
	}
	p.replace(n, only)
	for i := last - 1; i >= 0 && locked[i] != &t.top; i-- {
		u := locked[i]
		u.balance -= 2*u.side(key) - 1
		if u.balance == -1 || u.balance == 1 {
			break // it is as high as before
		}
		if u.balance != 0 && !t.rebalance(locked[i-1], u) {
			break
		}
	}
	found.key = n.key
	locked.unlock()
	return true
}

// rebalance rotates u, a child of p, with nodes that have yet to be locked, and reports whether its subtree is less high.
func (t *Tree) rebalance(p, u *node) bool {
	heavy := u.heavy()
	v := u.child[heavy]
	v.mu.Lock()
	defer v.mu.Unlock()
	if w := v.child[1-heavy]; w != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
	}
	lower := v.balance != 0
	p.rotate(u)
	return lower
}

// rotate restores the balance of u, a child of p, by a single or a double rotation.
func (p *node) rotate(u *node) {
	heavy := u.heavy()
	sign := 2*heavy - 1
	v := u.child[heavy]
	w := v.child[1-heavy]
	if v.balance != -sign {
		u.child[heavy] = w
		v.child[1-heavy] = u
		u.balance = sign - v.balance
		v.balance = -u.balance
		p.replace(u, v)
		return
	}
	v.child[1-heavy] = w.child[heavy]
	w.child[heavy] = v
	u.child[heavy] = w.child[1-heavy]
	w.child[1-heavy] = u
	u.balance, v.balance = 0, 0
	switch w.balance {
	case sign:
		u.balance = -sign
	case -sign:
		v.balance = sign
	}
	w.balance = 0
	p.replace(u, w)
}

// replace puts by in the place of p's child n.
func (p *node) replace(n, by *node) {
	side := 0
	if p.child[1] == n {
		side = 1
	}
	p.child[side] = by
}

// side returns the index of the child that has the key, or of the right one for n's own.
func (n *node) side(key int) int {
	if key >= n.key {
		return 1
	}
	return 0
}

// heavy returns the index of the child that is higher.
func (n *node) heavy() int {
	if n.balance > 0 {
		return 1
	}
	return 0
}

// unlock unlocks the nodes.
func (p path) unlock() {
	for _, n := range p {
		n.mu.Unlock()
	}
}

// Valid reports whether the keys are in order and the balances right and small enough. Nothing may be going on.
func (t *Tree) Valid() bool {
	return t.top.child[0] == nil && t.top.child[1].height(nil, nil) >= 0
}

// height returns the height of a subtree, or -1 if it is not valid, or has keys that are not between those of low and high.
func (n *node) height(low, high *node) int {
	if n == nil {
		return 0
	}
	if low != nil && n.key <= low.key || high != nil && n.key >= high.key {
		return -1
	}
	left := n.child[0].height(low, n)
	if left < 0 {
		return -1
	}
	right := n.child[1].height(n, high)
	if right < 0 || right-left != n.balance || n.balance < -1 || n.balance > 1 {
		return -1
	}
	return 1 + max(left, right)
}
