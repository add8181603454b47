package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Pointees are what a pointer may point to, for comparing it with many others.
type Pointees struct {
	slots set // to which an access through the pointer is
	key   Key
	// Whether some are in an object that is exposed, and in one that may be any that is.
	exposed, unknown bool
}

// A Key is the same for pointers of which May says the same.
type Key struct{ node, width int32 }

// Pointees returns what a pointer may point to.
func (r *Result) Pointees(v ssa.Value) Pointees {
	slots, node := r.node(v)
	width := r.width(v.Type())
	return Pointees{
		slots: r.spread(slots, width), key: Key{node, width},
		exposed: slots.meetsAny(r.exposed), unknown: slots.meetsAny(r.unknown),
	}
}

// Empty reports whether there are none.
func (p Pointees) Empty() bool { return len(p.slots) == 0 }

// Exposed reports whether some are exposed.
func (p Pointees) Exposed() bool { return p.exposed }

// Key returns the key, and whether there is one.
func (p Pointees) Key() (Key, bool) { return p.key, p.key.node != 0 }

// May reports whether two pointers may point to the same part of an object, or to parts of which one
// contains the other.
func (p Pointees) May(q Pointees) bool {
	return p.slots.meets(q.slots) || p.unknown && q.exposed || q.unknown && p.exposed
}

// spread returns the slots to which accesses are that begin at some slots and have a width.
func (r *Result) spread(slots set, width int32) set {
	if width == 1 {
		return slots
	}
	var all set
	for slot := range slots.all() {
		for i := range width {
			if at := r.s.at(slot, i); at != 0 {
				all.add(at)
			}
		}
	}
	return all
}

// width returns the number of slots that an access through a pointer of type t is to.
func (r *Result) width(t types.Type) int32 {
	if to := elem(t); to != nil {
		if _, isChan := t.Underlying().(*types.Chan); !isChan {
			return int32(len(r.s.layouts.of(to).slots))
		}
	}
	return 1
}
