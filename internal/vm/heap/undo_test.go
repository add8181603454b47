package heap_test

import (
	"testing"

	"github.com/everyway-go/everyway/internal/vm/heap"
)

// What has changed since a mark are cells of objects that were made before it, of whatever size.
func TestChangedSince(t *testing.T) {
	for _, size := range []int{1, heap.PageSize, heap.PageSize + 1, 3 * heap.PageSize} {
		var h heap.Heap
		h.Checkpoint()
		made := func() *heap.Object {
			o := h.Allocate(size)
			h.Add(o)
			return o
		}
		write := func(o *heap.Object, word uint64) {
			h.Dirty(o, size-1, 1)
			o.Cells[size-1].N = word
		}
		old := made()
		begin := h.Checkpoint()
		young := made()
		changed := func() (list []*heap.Object) {
			h.EachChanged(&begin, func(o *heap.Object, off int) {
				if off != size-1 {
					t.Errorf("size %d: cell %d has changed", size, off)
				}
				list = append(list, o)
			})
			return list
		}

		h.Checkpoint() // so that what is written is saved
		write(young, 1)
		if list := changed(); len(list) != 0 || !h.Unchanged(&begin, true) {
			t.Errorf("size %d: a new object counts as changed", size)
		}
		write(old, 1)
		h.Checkpoint()
		write(old, 2)
		if list := changed(); len(list) != 1 || list[0] != old || h.Unchanged(&begin, true) {
			t.Errorf("size %d: changed objects are %v, want the one that was there", size, list)
		}
		write(old, 0)
		if list := changed(); len(list) != 0 || !h.Unchanged(&begin, true) {
			t.Errorf("size %d: what is as it was counts as changed", size)
		}
		write(old, 3)
		h.Rewind(&begin)
		if old.Cells[size-1].N != 0 {
			t.Errorf("size %d: a rewind has left %d", size, old.Cells[size-1].N)
		}
	}
}
