// Rbtree is a test driver for a red-black tree (Cormen, Leiserson, Rivest, Stein,
// Introduction to Algorithms, chapter 13) that two goroutines change at the same
// time, under a lock. There is no bug: the tree keeps its order and its balance
// whichever comes first.
package main

import "sync"

// A node is a key in a tree.
type node struct {
	key                 int
	red                 bool
	left, right, parent *node
}

// A tree is a set of keys.
type tree struct {
	mu   sync.Mutex
	root *node
	size int
}

// isRed reports whether n is a red node; nil is black.
func isRed(n *node) bool { return n != nil && n.red }

// replace puts n in the place of old, below old's parent.
func (t *tree) replace(old, n *node) {
	p := old.parent
	switch {
	case p == nil:
		t.root = n
	case p.left == old:
		p.left = n
	default:
		p.right = n
	}
	if n != nil {
		n.parent = p
	}
}

// rotateLeft makes the right child of n its parent.
func (t *tree) rotateLeft(n *node) {
	r := n.right
	t.replace(n, r)
	n.right = r.left
	if n.right != nil {
		n.right.parent = n
	}
	r.left, n.parent = n, r
}

// rotateRight makes the left child of n its parent.
func (t *tree) rotateRight(n *node) {
	l := n.left
	t.replace(n, l)
	n.left = l.right
	if n.left != nil {
		n.left.parent = n
	}
	l.right, n.parent = n, l
}

// find returns the node of a key, nil if there is none.
func (t *tree) find(key int) *node {
	n := t.root
	for n != nil {
		switch {
		case key < n.key:
			n = n.left
		case key > n.key:
			n = n.right
		default:
			return n
		}
	}
	return nil
}

// has reports whether the key is in the tree.
func (t *tree) has(key int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.find(key) != nil
}

// insert adds a key, and reports false when it was there.
func (t *tree) insert(key int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	var parent *node
	for n := t.root; n != nil; {
		parent = n
		switch {
		case key < n.key:
			n = n.left
		case key > n.key:
			n = n.right
		default:
			return false
		}
	}
	n := &node{key: key, red: true, parent: parent}
	switch {
	case parent == nil:
		t.root = n
	case key < parent.key:
		parent.left = n
	default:
		parent.right = n
	}
	t.size++
	t.afterInsert(n)
	return true
}

// afterInsert restores the balance when n, a red node, may have a red parent.
func (t *tree) afterInsert(n *node) {
	for isRed(n.parent) {
		p, g := n.parent, n.parent.parent
		if p == g.left {
			if u := g.right; isRed(u) {
				p.red, u.red, g.red = false, false, true
				n = g
				continue
			}
			if n == p.right {
				n, p = p, n
				t.rotateLeft(n)
			}
			p.red, g.red = false, true
			t.rotateRight(g)
		} else {
			if u := g.left; isRed(u) {
				p.red, u.red, g.red = false, false, true
				n = g
				continue
			}
			if n == p.left {
				n, p = p, n
				t.rotateRight(n)
			}
			p.red, g.red = false, true
			t.rotateLeft(g)
		}
	}
	t.root.red = false
}

// remove takes a key out, and reports false when it was not there.
func (t *tree) remove(key int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.find(key)
	if n == nil {
		return false
	}
	if n.left != nil && n.right != nil {
		next := first(n.right)
		n.key = next.key
		n = next
	}
	child := n.left
	if child == nil {
		child = n.right
	}
	p := n.parent
	t.replace(n, child)
	t.size--
	if !n.red {
		t.afterRemove(child, p)
	}
	return true
}

// afterRemove restores the balance when the paths through n, a child of p, lack a
// black node.
func (t *tree) afterRemove(n, p *node) {
	for p != nil && !isRed(n) {
		if n == p.left {
			s := p.right
			if s.red {
				s.red, p.red = false, true
				t.rotateLeft(p)
				s = p.right
			}
			if !isRed(s.left) && !isRed(s.right) {
				s.red = true
				n, p = p, p.parent
				continue
			}
			if !isRed(s.right) {
				s.left.red, s.red = false, true
				t.rotateRight(s)
				s = p.right
			}
			s.red, p.red, s.right.red = p.red, false, false
			t.rotateLeft(p)
		} else {
			s := p.left
			if s.red {
				s.red, p.red = false, true
				t.rotateRight(p)
				s = p.left
			}
			if !isRed(s.left) && !isRed(s.right) {
				s.red = true
				n, p = p, p.parent
				continue
			}
			if !isRed(s.left) {
				s.right.red, s.red = false, true
				t.rotateLeft(s)
				s = p.left
			}
			s.red, p.red, s.left.red = p.red, false, false
			t.rotateRight(p)
		}
		n = t.root
		break
	}
	if n != nil {
		n.red = false
	}
}

// first returns the node of the least key below n, nil if there is none.
func first(n *node) *node {
	if n == nil {
		return nil
	}
	for n.left != nil {
		n = n.left
	}
	return n
}

// last returns the node of the greatest key below n, nil if there is none.
func last(n *node) *node {
	if n == nil {
		return nil
	}
	for n.right != nil {
		n = n.right
	}
	return n
}

// next returns the node after n in the order of the keys, nil after the last.
func next(n *node) *node {
	if n.right != nil {
		return first(n.right)
	}
	p := n.parent
	for p != nil && n == p.right {
		n, p = p, p.parent
	}
	return p
}

// previous returns the node before n in the order of the keys, nil before the first.
func previous(n *node) *node {
	if n.left != nil {
		return last(n.left)
	}
	p := n.parent
	for p != nil && n == p.left {
		n, p = p, p.parent
	}
	return p
}

// count returns the number of nodes on the way from the first to the last, or the
// other way.
func (t *tree) count(forward bool) int {
	n := 0
	if forward {
		for x := first(t.root); x != nil; x = next(x) {
			n++
		}
		return n
	}
	for x := last(t.root); x != nil; x = previous(x) {
		n++
	}
	return n
}

// check returns the number of black nodes on each path below n, whose keys have to
// be between low and high. It panics when the tree is not what it should be.
func check(n *node, low, high int) int {
	if n == nil {
		return 1
	}
	if n.key <= low || n.key >= high {
		panic("rbtree: the keys are not in order")
	}
	if n.red && (isRed(n.left) || isRed(n.right)) {
		panic("rbtree: a red node has a red child")
	}
	left, right := check(n.left, low, n.key), check(n.right, n.key, high)
	if left != right {
		panic("rbtree: the tree is not balanced")
	}
	if n.red {
		return left
	}
	return left + 1
}

func main() {
	t := &tree{}
	for _, key := range []int{40, 20, 60, 10} {
		if !t.insert(key) {
			panic("rbtree: the key is there already")
		}
	}
	if check(t.root, 0, 100) != 3 {
		panic("rbtree: the number of black nodes is wrong")
	}
	if t.count(true) != t.size || t.count(false) != t.size {
		panic("rbtree: the size is wrong")
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		t.insert(5)
		if !t.remove(60) {
			return // the other was faster
		}
		t.remove(40)
	})
	wg.Go(func() {
		t.insert(15)
		if t.has(5) {
			t.remove(60)
			return
		}
		t.insert(50)
	})
	wg.Wait()
}
