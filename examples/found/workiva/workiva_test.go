// Package workiva has tests of github.com/Workiva/go-datastructures, "a collection of
// useful, performant, and threadsafe Go datastructures".
package workiva

import (
	"testing"

	"github.com/Workiva/go-datastructures/queue"
	"github.com/Workiva/go-datastructures/set"
)

// TestRingBufferLen: "Len returns the number of items in the queue." It is the difference
// of two positions that are not read together.
func TestRingBufferLen(t *testing.T) {
	rb := queue.NewRingBuffer(1)
	go func() {
		rb.Put(1)
		rb.Get()
	}()
	if n := rb.Len(); n > 1 {
		t.Errorf("a buffer of one has %d items", n)
	}
}

// TestExecuteInParallel: "the queue will be disposed" when it is exhausted. An empty one
// stays locked for ever. It needs no interleaving.
func TestExecuteInParallel(t *testing.T) {
	q := queue.New(1)
	queue.ExecuteInParallel(q, func(any) {})
	if !q.Disposed() {
		t.Error("the queue is not disposed")
	}
}

// TestSetClear: "Clear will remove all items from the set." Flatten still returns them. It
// needs no interleaving.
func TestSetClear(t *testing.T) {
	s := set.New(1)
	s.Flatten()
	s.Clear()
	if items := s.Flatten(); len(items) > 0 {
		t.Errorf("the set was cleared and has %v", items)
	}
}
