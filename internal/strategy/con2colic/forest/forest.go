package forest

import (
	"slices"

	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A Forest holds the events of all goroutines that runs have shown: the trees of
// definition 5.1 of the paper. The first node of a goroutine is a child of the Spawn that
// started it, so that the forest is one tree and the ancestors of a node are the events
// that come before it by program order and spawns. Interference edges are not kept here
// but in scenarios, since a read can take its value from many writes.
type Forest struct {
	Arena *expr.Arena // of all expressions in nodes
	nodes []Node      // by NodeID
	parts []Part      // of all nodes, see Node.part

	locIDs map[Address]LocID
	locs   []Location // by LocID

	Inputs  map[expr.ID]string // the names of the input variables; one of each width may have a name
	widthOf map[string]uint8   // of the variables of Arena, by name
	reads   []ReadName         // by expr.ID of a variable: the read it stands for

	writes map[writeKey]NodeID // memoized results of write

	// children are those of nodes that have more than manyChildren.
	children map[childKey]NodeID
}

// A childKey names a child of a node.
type childKey struct {
	parent NodeID
	label  Label
}

// manyChildren is the number of children that are looked through one after another. A node
// before a range over a large map has as many as the map has entries.
const manyChildren = 16

// A writeKey is what Forest.write looks for: the last write to a location, up to a node.
type writeKey struct {
	node NodeID
	loc  LocID
}

// Root is the root of the forest. It stands for the start of the main goroutine, for which
// there is no event.
const Root NodeID = 1

// New returns a forest that consists of the root.
func New() *Forest {
	f := &Forest{
		Arena:   expr.NewArena(),
		nodes:   make([]Node, 1),
		locIDs:  map[Address]LocID{},
		locs:    make([]Location, 1),
		Inputs:  map[expr.ID]string{},
		widthOf: map[string]uint8{},
		writes:  map[writeKey]NodeID{},

		children: map[childKey]NodeID{},
	}
	f.Child(0, Label{Op: schedule.Start, Object: run.NoObject})
	return f
}

// At returns the node n.
func (f *Forest) At(n NodeID) *Node { return &f.nodes[n] }

// NumLocs returns one more than the greatest LocID.
func (f *Forest) NumLocs() int { return len(f.locs) }

// Location returns what is known of the location l.
func (f *Forest) Location(l LocID) *Location { return &f.locs[l] }

// Child returns the child of parent with the label. It adds one if there is none.
func (f *Forest) Child(parent NodeID, l Label) NodeID {
	if c := f.child(parent, l); c != 0 {
		return c
	}
	id := NodeID(len(f.nodes))
	n := Node{Label: l, Parent: parent, Start: id, Index: -1}
	if parent != 0 {
		n.Index = 0
		p := &f.nodes[parent]
		n.depth = p.depth + 1
		// Jump pointers as in skew-binary numbers: any ancestor is a logarithmic
		// number of jumps and steps away.
		if q := &f.nodes[p.jump]; p.jump != 0 && p.depth-q.depth == q.depth-f.nodes[q.jump].depth {
			n.jump = q.jump
		} else {
			n.jump = parent
		}
		if p.Goroutine == l.Goroutine {
			n.Start, n.Index = p.Start, p.Index+1
		}
		if p.FirstChild == 0 {
			p.FirstChild = id
		} else {
			f.nodes[p.lastChild].NextSibling = id
		}
		p.lastChild = id
		p.numChildren++
	}
	f.nodes = append(f.nodes, n)
	if parent != 0 {
		f.indexChildren(parent)
	}
	f.makeParts(id)
	return id
}

// child returns the child of parent with the label, 0 if there is none.
func (f *Forest) child(parent NodeID, l Label) NodeID {
	p := &f.nodes[parent]
	if p.numChildren > manyChildren {
		return f.children[childKey{parent, l}]
	}
	for c := p.FirstChild; c != 0; c = f.nodes[c].NextSibling {
		if f.nodes[c].Label == l {
			return c
		}
	}
	return 0
}

// indexChildren adds to f.children the newest child of parent, or all when they have become
// many.
func (f *Forest) indexChildren(parent NodeID) {
	p := &f.nodes[parent]
	c := p.lastChild
	switch {
	case p.numChildren <= manyChildren:
		return
	case p.numChildren == manyChildren+1:
		c = p.FirstChild
	}
	for ; c != 0; c = f.nodes[c].NextSibling {
		f.children[childKey{parent, f.nodes[c].Label}] = c
	}
}

// makeParts sets the parts of the new node id.
func (f *Forest) makeParts(id NodeID) {
	n := &f.nodes[id]
	if !onLocation(n.Op) || n.Object == run.NoObject {
		n.Cells = 0
		return
	}
	n.part = int32(len(f.parts))
	for i := range n.Cells {
		p := Part{Loc: f.LocID(n.Object, n.Offset+i)}
		if dependence.IsRead(n.Op) {
			p.Local = f.write(id, p.Loc)
		}
		f.parts = append(f.parts, p)
	}
	n.Loc = f.parts[n.part].Loc
}

// Parts returns what n does, location by location.
func (f *Forest) Parts(n NodeID) []Part {
	e := &f.nodes[n]
	return f.parts[e.part : e.part+e.Cells]
}

// PartOn returns what n does on l, or nil.
func (f *Forest) PartOn(n NodeID, l LocID) *Part {
	e := &f.nodes[n]
	if e.Cells <= 1 {
		if e.Loc != l || e.Cells == 0 {
			return nil
		}
		return &f.parts[e.part]
	}
	at := &f.locs[l]
	if at.Object != e.Object || at.Offset < e.Offset || at.Offset >= e.Offset+e.Cells {
		return nil
	}
	return &f.parts[e.part+at.Offset-e.Offset]
}

// LocID returns the location at an address.
func (f *Forest) LocID(object run.ObjectID, offset int32) LocID {
	key := Address{object, offset}
	id, ok := f.locIDs[key]
	if !ok {
		id = LocID(len(f.locs))
		f.locIDs[key] = id
		f.locs = append(f.locs, Location{Address: key, Capacity: -1})
	}
	return id
}

// Path appends to dst the events of a goroutine from the first to tip.
func (f *Forest) Path(dst []NodeID, tip NodeID) []NodeID {
	from, length := len(dst), int(f.nodes[tip].Index)+1
	dst = slices.Grow(dst, length)[:from+length]
	for k := len(dst) - 1; k >= from; k-- {
		dst[k] = tip
		tip = f.nodes[tip].Parent
	}
	return dst
}

// Before reports whether a is b or an ancestor of b.
func (f *Forest) Before(a, b NodeID) bool {
	depth := f.nodes[a].depth
	for f.nodes[b].depth > depth {
		if j := f.nodes[b].jump; f.nodes[j].depth >= depth {
			b = j
		} else {
			b = f.nodes[b].Parent
		}
	}
	return a == b
}

// write returns the nearest ancestor of n, n itself excluded, that writes to l, or 0.
//
// It memoizes results at every Spawn, and at every so many nodes, so that it does not walk
// a long path again for each read there.
func (f *Forest) write(n NodeID, l LocID) NodeID {
	for {
		p := f.nodes[n].Parent
		switch {
		case p == 0:
			return 0
		case dependence.IsWrite(f.nodes[p].Op) && f.PartOn(p, l) != nil:
			return p
		case f.nodes[p].Goroutine != f.nodes[n].Goroutine, p%memoizeEvery == 0:
			key := writeKey{p, l}
			w, ok := f.writes[key]
			if !ok {
				w = f.write(p, l)
				f.writes[key] = w
			}
			return w
		}
		n = p
	}
}

// memoizeEvery is the distance of the nodes at which Forest.write memoizes what it finds.
const memoizeEvery = 64
