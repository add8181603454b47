// Package unrolled is a sorted set for concurrent use: a linked list whose nodes hold several keys each.
package unrolled

import "sync"

// Cap is the greatest number of keys in a node.
const Cap = 4

// A List is a set of keys. It must not be copied.
type List struct {
	mu   sync.Mutex // guards size
	size int
	head node // before all others; has no keys
}

// A node holds at least one key, in ascending order. Goroutines lock a node while they hold the lock of
// the one before, and so cannot overtake each other.
type node struct {
	mu   sync.Mutex // guards all that follows
	n    int
	keys [Cap]int
	next *node
}

// Of returns a list of the keys.
func Of(keys ...int) *List {
	l := new(List)
	for _, key := range keys {
		l.Insert(key)
	}
	return l
}

// Search reports whether the list has the key.
func (l *List) Search(key int) bool {
	p, n := l.find(key)
	p.mu.Unlock()
	if n == nil {
		return false
	}
	i := n.index(key)
	found := i < n.n && n.keys[i] == key
	n.mu.Unlock()
	return found
}

// Insert reports whether the key is new.
func (l *List) Insert(key int) bool {
	p, n := l.find(key)
	if n == nil {
		p.next = &node{n: 1, keys: [Cap]int{key}}
		p.mu.Unlock()
		l.grow(1)
		return true
	}
	p.mu.Unlock()
	defer n.mu.Unlock()
	i := n.index(key)
	if i < n.n && n.keys[i] == key {
		return false
	}
	l.grow(1)
	if n.n == Cap {
		m := &node{next: n.next}
		m.n = copy(m.keys[:], n.keys[Cap/2:])
		n.n = Cap / 2
		n.next = m // locked with n, without which nobody comes to it
		if i > Cap/2 {
			n, i = m, i-Cap/2
		}
	}
	copy(n.keys[i+1:n.n+1], n.keys[i:n.n])
	n.keys[i] = key
	n.n++
	return true
}

// Delete reports whether the key was there.
func (l *List) Delete(key int) bool {
	p, n := l.find(key)
	if n == nil {
		p.mu.Unlock()
		return false
	}
	defer n.mu.Unlock()
	if n.n > 1 || n.next != nil { // n will not be empty
		p.mu.Unlock()
	} else {
		defer p.mu.Unlock()
	}
	i := n.index(key)
	if i == n.n || n.keys[i] != key {
		return false
	}
	l.grow(-1)
	copy(n.keys[i:], n.keys[i+1:n.n])
	n.n--
	m := n.next
	if m == nil {
		if n.n == 0 {
			p.next = nil
		}
		return true
	}
	m.mu.Lock()
	if n.n+m.n <= Cap {
		n.n += copy(n.keys[n.n:], m.keys[:m.n])
		n.next = m.next
	}
	m.mu.Unlock()
	return true
}

// find returns the last node whose first key is not greater, or else the first one, and the node before it, both locked.
// The list is empty if n is nil.
func (l *List) find(key int) (p, n *node) {
	p = &l.head
	p.mu.Lock()
	n = p.next
	if n == nil {
		return p, nil
	}
	n.mu.Lock()
	for next := n.next; next != nil; next = n.next {
		next.mu.Lock()
		if next.keys[0] > key {
			next.mu.Unlock()
			break
		}
		p.mu.Unlock()
		p, n = n, next
	}
	return p, n
}

// index returns the number of keys in n that are smaller.
func (n *node) index(key int) int {
	i := 0
	for i < n.n && n.keys[i] < key {
		i++
	}
	return i
}

// grow adds to the size.
func (l *List) grow(by int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.size += by
}

// Valid reports whether each node has keys, all keys ascend, and their number is right. Nothing may be going on.
func (l *List) Valid() bool {
	if l.head.n != 0 {
		return false
	}
	size, last := 0, 0
	for n := l.head.next; n != nil; n = n.next {
		if n.n < 1 || n.n > Cap {
			return false
		}
		for _, key := range n.keys[:n.n] {
			if size > 0 && key <= last {
				return false
			}
			size, last = size+1, key
		}
	}
	return size == l.size
}
