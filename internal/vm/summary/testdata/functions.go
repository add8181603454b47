package functions

import "sync"

type node struct {
	mu          sync.Mutex
	next, other *node
	key         int
	keys        [2]int
}

// first has a path for each comparison, and reads n.key once.
func first(n *node, key int) int {
	if n == nil || n.key > key {
		return 0
	}
	if n.key == key {
		return n.key
	}
	return -1
}

// lastWrite writes keys[0] twice, of which the second one remains.
func lastWrite(n *node, key int) {
	n.keys[0] = key
	n.keys[1] = n.keys[0] + 1
	n.keys[0] = n.keys[1]
}

// swap has other paths if the two are one node.
func swap(n, m *node) bool {
	n.key, m.key = m.key, n.key
	return n == m
}

// walk is as long as the list: its tree has a bound.
func walk(n *node) int {
	length := 0
	for ; n != nil; n = n.next {
		length++
	}
	return length
}

// smaller has a side that no key takes.
func smaller(key int) bool {
	if key < 3 {
		return key < 5
	}
	return false
}

// caller has the paths of what it calls.
func caller(key, other int) bool {
	return smaller(key) && !smaller(other)
}

// locked is cut at the lock.
func locked(n *node) int {
	key := n.key
	n.mu.Lock()
	defer n.mu.Unlock()
	return key + n.key
}

// made writes to a node that it makes.
func made(n *node, key int) *node {
	m := &node{key: key, next: n}
	m.key++
	return m
}

// divided may panic.
func divided(x, y int) int { return x / y }
