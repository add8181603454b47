// Package queue is a queue for concurrent use without locks, after M. M. Michael and M. L. Scott, "Simple, fast, and
// practical non-blocking and blocking concurrent queue algorithms" (1996).
package queue

import "sync/atomic"

// A Queue must not be copied. Of makes one.
type Queue struct {
	head atomic.Pointer[node] // the first key is in the node after this one
	tail atomic.Pointer[node] // the last node, or the one before
}

// A node's key does not change when it is in the queue. It is not used again, so that a comparison of pointers is enough.
type node struct {
	key  int
	next atomic.Pointer[node]
}

// Of returns a queue of the keys.
func Of(keys ...int) *Queue {
	q := new(Queue)
	n := new(node)
	q.head.Store(n)
	q.tail.Store(n)
	for _, key := range keys {
		q.Put(key)
	}
	return q
}

// Put adds a key at the end.
func (q *Queue) Put(key int) {
	n := &node{key: key}
	for {
		tail := q.tail.Load()
		next := tail.next.Load()
		if next != nil { // another Put has not come to its end
			q.tail.CompareAndSwap(tail, next)
			continue
		}
		if tail.next.CompareAndSwap(nil, n) {
			q.tail.CompareAndSwap(tail, n)
			return
		}
	}
}

// Take removes the first key and returns it, if there is one.
func (q *Queue) Take() (key int, ok bool) {
	for {
		head, tail := q.head.Load(), q.tail.Load()
		next := head.next.Load()
		if next == nil {
			return 0, false
		}
		if head == tail {
			q.tail.CompareAndSwap(tail, next)
			continue
		}
		key := next.key
		if q.head.CompareAndSwap(head, next) {
			return key, true
		}
	}
}

// Valid reports whether the nodes have an end, and tail is the last or the one before. Nothing may be going on.
func (q *Queue) Valid() bool {
	head, tail := q.head.Load(), q.tail.Load()
	if head == nil || tail == nil {
		return false
	}
	seen := make(map[*node]bool)
	for n := head; n != nil; n = n.next.Load() {
		if seen[n] {
			return false
		}
		seen[n] = true
	}
	next := tail.next.Load()
	return seen[tail] && (next == nil || next.next.Load() == nil)
}
