// Package skiplist is an ordered map for concurrent use: a skip list after W. Pugh, "Concurrent
// maintenance of skip lists" (1990), from which nothing is deleted.
package skiplist

import (
	"math/bits"
	"math/rand/v2"
	"sync"
)

// MaxLevel is the greatest number of levels that a node is linked in.
const MaxLevel = 3

// A List maps keys to values. It must not be copied.
type List struct {
	mu     sync.Mutex // guards size and height
	size   int
	height int  // the number of levels that have nodes
	head   node // before all others; has no key
}

// A node has the same key for ever. A goroutine that holds the locks of two nodes has locked
// the one with the smaller key first.
type node struct {
	key   int
	mu    sync.Mutex // guards value and next
	value int
	next  [MaxLevel]*node
}

// Of returns a list of the keys, each of which is its own value. As in a perfect skip list, every other
// node is in every other level.
func Of(keys ...int) *List {
	l := new(List)
	for i, key := range keys {
		l.insert(key, key, min(1+bits.TrailingZeros(uint(i+1)), MaxLevel))
	}
	return l
}

// Search returns the value of the key, and whether there is one.
func (l *List) Search(key int) (value int, ok bool) {
	_, n := l.find(key)
	if n == nil || n.key != key {
		return 0, false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.value, true
}

// Insert maps the key to the value, and reports whether it had none.
func (l *List) Insert(key, value int) bool { return l.insert(key, value, 1+rand.IntN(MaxLevel)) }

func (l *List) insert(key, value, height int) bool {
	prev, _ := l.find(key)
	p := lockBefore(prev[0], key, 0)
	if n := p.next[0]; n != nil && n.key == key {
		n.mu.Lock()
		n.value = value
		n.mu.Unlock()
		p.mu.Unlock()
		return false
	}
	n := &node{key: key, value: value}
	n.next[0] = p.next[0]
	p.next[0] = n
	p.mu.Unlock()
	for i := 1; i < height; i++ {
		p := lockBefore(prev[i], key, i)
		n.next[i] = p.next[i] // which nobody reads before n is linked in this level
		p.next[i] = n
		p.mu.Unlock()
	}
	l.mu.Lock()
	l.size++
	l.height = max(l.height, height)
	l.mu.Unlock()
	return true
}

// find returns the last node of each level whose key is smaller, and the node after it in the lowest one.
func (l *List) find(key int) (prev [MaxLevel]*node, next *node) {
	l.mu.Lock()
	height := l.height
	l.mu.Unlock()
	n := &l.head
	for i := MaxLevel - 1; i >= 0; i-- {
		if i < max(height, 1) {
			for next = n.after(i); next != nil && next.key < key; next = n.after(i) {
				n = next
			}
		}
		prev[i] = n
	}
	return prev, next
}

// after returns the node after n in a level.
func (n *node) after(level int) *node {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.next[level]
}

// lockBefore locks and returns the last node of a level whose key is smaller. It begins at n, whose key is.
func lockBefore(n *node, key, level int) *node {
	n.mu.Lock()
	for next := n.next[level]; next != nil && next.key < key; next = n.next[level] {
		next.mu.Lock()
		n.mu.Unlock()
		n = next
	}
	return n
}

// Valid reports whether the keys of each level ascend, each level has only nodes of the one below,
// and size and height are right. Nothing may be going on.
func (l *List) Valid() bool {
	size, height := 0, 0
	for level := range MaxLevel {
		below := &l.head
		for p, n := &l.head, l.head.next[level]; n != nil; p, n = n, n.next[level] {
			if n == &l.head || p != &l.head && p.key >= n.key {
				return false
			}
			if level == 0 {
				size++
			} else {
				for below != nil && below != n {
					below = below.next[level-1]
				}
				if below == nil {
					return false
				}
			}
			height = level + 1
		}
	}
	return size == l.size && height == l.height
}
