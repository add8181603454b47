// Package stack is a stack for concurrent use without locks, after R. K. Treiber, "Systems programming: coping with
// parallelism" (1986).
package stack

import "sync/atomic"

// A Stack must not be copied.
type Stack struct{ top atomic.Pointer[node] }

// A node does not change when it is on the stack. It is not used again, so that a comparison of pointers is enough.
type node struct {
	key  int
	next *node
}

// Of returns a stack of the keys, of which the last is on top.
func Of(keys ...int) *Stack {
	s := new(Stack)
	for _, key := range keys {
		s.Push(key)
	}
	return s
}

// Push puts a key on top.
func (s *Stack) Push(key int) {
	n := &node{key: key}
	for {
		top := s.top.Load()
		n.next = top
		if s.top.CompareAndSwap(top, n) {
			return
		}
	}
}

// Pop removes the key on top and returns it, if there is one.
func (s *Stack) Pop() (key int, ok bool) {
	for {
		top := s.top.Load()
		if top == nil {
			return 0, false
		}
		next := top.next
		if s.top.CompareAndSwap(top, next) {
			return top.key, true
		}
	}
}

// Valid reports whether the stack has an end. Nothing may be going on.
func (s *Stack) Valid() bool {
	seen := make(map[*node]bool)
	for n := s.top.Load(); n != nil; n = n.next {
		if seen[n] {
			return false
		}
		seen[n] = true
	}
	return true
}
