// Package addall is the vector of the example addall, mended: AddAll reads the
// count under the lock that it writes it under.
package addall

import (
	"fmt"
	"sync"
)

// A Vector counts the elements of a growing array.
type Vector struct {
	mu    sync.Mutex
	count int // elements in use
	size  int // elements there is room for
}

// AddAll appends n elements. It returns an error when there was no room for
// them, which must not happen: the vector grows as needed.
func (v *Vector) AddAll(n int) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	total := v.count + n
	if total > v.size {
		v.size = total * 2
	}
	if v.size < v.count+n {
		return fmt.Errorf("no room: size %d, count %d, adding %d", v.size, v.count, n)
	}
	v.count += n
	return nil
}
