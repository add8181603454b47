// Package vector has a container that locks as the class Vector of JDK 1.4 does: each method holds the lock of its vector, also
// while it calls methods of another one, and LastIndexOf reads the number of elements before it takes the lock.
package vector

import "sync"

// A Vector is a list of numbers.
type Vector struct {
	mu    sync.Mutex
	data  []int
	count int
}

// New returns a vector of some elements.
func New(elems ...int) *Vector { return &Vector{data: elems, count: len(elems)} }

// Add adds an element.
func (v *Vector) Add(elem int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.data = append(v.data[:v.count], elem)
	v.count++
}

// Size returns the number of elements.
func (v *Vector) Size() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.count
}

// ElementAt returns an element.
func (v *Vector) ElementAt(i int) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	if i >= v.count {
		return -1
	}
	return v.data[i]
}

// ToArray returns the elements.
func (v *Vector) ToArray() []int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]int(nil), v.data[:v.count]...)
}

// AddAll adds the elements of another vector.
func (v *Vector) AddAll(c *Vector) {
	v.mu.Lock()
	defer v.mu.Unlock()
	elems := c.ToArray() // the deadlock 0
	v.data = append(v.data[:v.count], elems...)
	v.count += len(elems)
}

// ContainsAll reports whether all elements of another vector are in v.
func (v *Vector) ContainsAll(c *Vector) bool {
	elems := c.ToArray()
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, e := range elems {
		if v.indexOf(e) < 0 {
			return false
		}
	}
	return true
}

// Equal reports whether two vectors have the same elements.
func (v *Vector) Equal(o *Vector) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := range v.count {
		if v.data[i] != o.ElementAt(i) { // the deadlock 1
			return false
		}
	}
	return true
}

// RemoveAllElements removes all elements.
func (v *Vector) RemoveAllElements() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.data, v.count = v.data[:0], 0
}

// indexOf returns the index of an element, -1 if there is none. The caller holds the lock.
func (v *Vector) indexOf(elem int) int {
	for i, e := range v.data[:v.count] {
		if e == elem {
			return i
		}
	}
	return -1
}

// LastIndexOf returns the last index of an element, -1 if there is none.
func (v *Vector) LastIndexOf(elem int) int { return v.lastIndexOf(elem, v.count-1) }

// lastIndexOf searches backwards from an index.
func (v *Vector) lastIndexOf(elem, index int) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	if index >= v.count {
		panic("index out of bounds") // the race
	}
	for i := index; i >= 0; i-- {
		if v.data[i] == elem {
			return i
		}
	}
	return -1
}
