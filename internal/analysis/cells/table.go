// Package cells has what a detector knows of each cell of memory.
//
// A [Table] has a value for each cell that has been used. Of small offsets it is found by the
// numbers of the object and the cell, without a map: long schedules have millions of cells. In
// native schedules, where a cell is a byte, most cells of a page are not used, so that pages hold
// pointers.
package cells

import "github.com/everyway-go/everyway/schedule"

// A Table has a T for each cell that has been used. The zero Table is empty.
type Table[T any] struct {
	objects [][]*page[T] // by object
	far     map[schedule.Cell]*T
	unused  []T  // what was allocated at once, and is not taken yet
	deleted []*T // to be taken first
}

// A page has the values of cells that follow each other.
type page[T any] [pageSize]*T

const (
	pageSize = 8
	// maxPaged is how many cells of an object are in pages. Others are in a map.
	maxPaged = 1 << 10
	// atOnce is how many values are allocated at once.
	atOnce = 1 << 8
)

// Find returns the value of a cell, nil if the cell has not been used.
func (t *Table[T]) Find(c schedule.Cell) *T {
	if uint64(c.Offset) >= maxPaged {
		return t.far[c]
	}
	if int(c.Object) < len(t.objects) {
		if pages, i := t.objects[c.Object], int(c.Offset/pageSize); i < len(pages) && pages[i] != nil {
			return pages[i][c.Offset%pageSize]
		}
	}
	return nil
}

// Use returns the value of a cell, a new one if the cell has not been used.
func (t *Table[T]) Use(c schedule.Cell) *T {
	if v := t.Find(c); v != nil {
		return v
	}
	v := t.allocate()
	if uint64(c.Offset) >= maxPaged {
		if t.far == nil {
			t.far = make(map[schedule.Cell]*T)
		}
		t.far[c] = v
		return v
	}
	if n := int(c.Object) + 1 - len(t.objects); n > 0 {
		t.objects = append(t.objects, make([][]*page[T], n)...)
	}
	pages, i := t.objects[c.Object], int(c.Offset/pageSize)
	if n := i + 1 - len(pages); n > 0 {
		pages = append(pages, make([]*page[T], n)...)
		t.objects[c.Object] = pages
	}
	if pages[i] == nil {
		pages[i] = new(page[T])
	}
	pages[i][c.Offset%pageSize] = v
	return v
}

// allocate returns a new value.
func (t *Table[T]) allocate() *T {
	if n := len(t.deleted); n > 0 {
		v := t.deleted[n-1]
		t.deleted = t.deleted[:n-1]
		return v
	}
	if len(t.unused) == 0 {
		t.unused = make([]T, atOnce)
	}
	v := &t.unused[0]
	t.unused = t.unused[1:]
	return v
}

// Delete forgets the values for which del returns true.
func (t *Table[T]) Delete(del func(*T) bool) {
	remove := func(v *T) bool {
		if !del(v) {
			return false
		}
		*v = *new(T)
		t.deleted = append(t.deleted, v)
		return true
	}
	for o, pages := range t.objects {
		used := false
		for i, p := range pages {
			if p == nil {
				continue
			}
			left := false
			for n, v := range p {
				if v != nil && remove(v) {
					p[n] = nil
				}
				left = left || p[n] != nil
			}
			if !left {
				pages[i] = nil
			}
			used = used || left
		}
		if !used {
			t.objects[o] = nil
		}
	}
	for c, v := range t.far {
		if remove(v) {
			delete(t.far, c)
		}
	}
}
