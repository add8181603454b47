// Package addall is a vector with an AddAll that locks too little: it reads the
// count before it takes the lock. It fails only when another goroutine appends
// in between, and only for some counts, sizes and lengths.
//
// It is the running example of Farzan, Holzer, Razavi and Veith, "Con2colic
// Testing" (FSE 2013), figure 2.
package addall

import (
	"fmt"
	"sync"
)

// A Vector counts the elements of a growing array. Only the bookkeeping is
// here: the elements play no part in the bug.
type Vector struct {
	mu    sync.Mutex
	count int // elements in use
	size  int // elements there is room for
}

// Count returns the number of elements in use.
func (v *Vector) Count() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.count
}

// AddAll appends n elements. It returns an error when there was no room for
// them, which must not happen: the vector grows as needed.
func (v *Vector) AddAll(n int) error {
	total := v.Count() + n // bug: the count can change before the lock is taken
	v.mu.Lock()
	defer v.mu.Unlock()
	if total > v.size {
		v.size = total * 2
	}
	if v.size < v.count+n {
		return fmt.Errorf("no room: size %d, count %d, adding %d", v.size, v.count, n)
	}
	v.count += n
	return nil
}
