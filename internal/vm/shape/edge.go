package shape

import "github.com/everyway-go/everyway/internal/vm/heap"

// In the middle of a program, it is known of some structures that no two of them have a part in
// common (fragment.Structure): no component of the heap has two objects with a root. Pointers that
// have been chosen are the edges which are looked at.

// An edge says of an object, and of which structures, by their bits, a variable is an edge that
// begins there. Other variables have no object.
type edge struct {
	from       *heap.Object
	structures uint64
}

// of returns the edge that is one of some structures only.
func (e edge) of(structures uint64) edge {
	if e.structures &= structures; e.structures == 0 {
		return edge{}
	}
	return e
}
