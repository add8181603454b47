package con2colic

import (
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A forest holds the local paths of all goroutines that runs have shown: the
// trees of definition 5.1 of the paper. Nodes are events. Each goroutine's tree
// hangs from the Spawn that started it, so that the forest is one tree and the
// ancestors of a node are the events that come before it by program order and
// spawns. Interference edges are not kept here but in scenarios, since one read
// has many possible writes.
type forest struct {
	arena *expr.Arena // of all expressions in nodes
	nodes []node

	locOf map[location]locID
	locs  []loc // by locID

	inputs  map[string]expr.ID // the input variables, by name
	widthOf map[string]uint8   // of the variables of arena, by name
	reads   []readName         // by expr.ID of a variable: the read it stands for

	parts     []part                 // of all nodes, see node.part
	inherited map[inheritance]nodeID // results of write as seen by a goroutine at its start
}

type inheritance struct {
	spawn nodeID
	loc   locID
}

// root is the node that all others hang from. It stands for the start of the main
// goroutine, for which there is no event.
const root nodeID = 1

func newForest() *forest {
	f := &forest{
		arena:     expr.NewArena(),
		nodes:     make([]node, 1),
		locOf:     map[location]locID{},
		locs:      make([]loc, 1),
		inputs:    map[string]expr.ID{},
		widthOf:   map[string]uint8{},
		inherited: map[inheritance]nodeID{},
	}
	f.child(0, label{op: schedule.Start, object: run.NoObject})
	return f
}

// at returns the node n.
func (f *forest) at(n nodeID) *node { return &f.nodes[n] }

// numLocs returns one more than the greatest locID.
func (f *forest) numLocs() int { return len(f.locs) }

// locAt returns what is known of the location l.
func (f *forest) locAt(l locID) *loc { return &f.locs[l] }

// child returns the child of parent with the label, which is made if need be.
func (f *forest) child(parent nodeID, l label) nodeID {
	last := nodeID(0)
	if parent != 0 {
		for c := f.nodes[parent].first; c != 0; c = f.nodes[c].sibling {
			if f.nodes[c].label == l {
				return c
			}
			last = c
		}
	}
	id := nodeID(len(f.nodes))
	n := node{label: l, parent: parent, start: id, index: -1}
	if parent != 0 {
		n.index = 0
		p := &f.nodes[parent]
		n.depth = p.depth + 1
		// Jump pointers as in skew-binary numbers: any ancestor is a logarithmic
		// number of jumps and steps away.
		if q := &f.nodes[p.jump]; p.jump != 0 && p.depth-q.depth == q.depth-f.nodes[q.jump].depth {
			n.jump = q.jump
		} else {
			n.jump = parent
		}
		if p.goroutine == l.goroutine {
			n.start, n.index = p.start, p.index+1
		}
		if last == 0 {
			p.first = id
		} else {
			f.nodes[last].sibling = id
		}
	}
	f.nodes = append(f.nodes, n)
	f.makeParts(id)
	return id
}

// makeParts sets the parts of the new node id.
func (f *forest) makeParts(id nodeID) {
	n := &f.nodes[id]
	if !onLocation(n.op) || n.object == run.NoObject {
		n.cells = 0
		return
	}
	n.part = int32(len(f.parts))
	for i := range n.cells {
		p := part{loc: f.location(n.object, n.offset+i)}
		if readsCell(n.op) {
			p.local = f.write(id, p.loc)
		}
		f.parts = append(f.parts, p)
	}
	n.loc = f.parts[n.part].loc
}

// partsOf returns what n does, cell by cell.
func (f *forest) partsOf(n nodeID) []part {
	e := &f.nodes[n]
	return f.parts[e.part : e.part+e.cells]
}

// partOn returns what n does to l, or nil.
func (f *forest) partOn(n nodeID, l locID) *part {
	e := &f.nodes[n]
	if e.cells <= 1 {
		if e.loc != l || e.cells == 0 {
			return nil
		}
		return &f.parts[e.part]
	}
	at := &f.locs[l]
	if at.object != e.object || at.offset < e.offset || at.offset >= e.offset+e.cells {
		return nil
	}
	return &f.parts[e.part+at.offset-e.offset]
}

// location returns the locID of a location.
func (f *forest) location(object run.ObjectID, offset int32) locID {
	key := location{object, offset}
	id, ok := f.locOf[key]
	if !ok {
		id = locID(len(f.locs))
		f.locOf[key] = id
		f.locs = append(f.locs, loc{location: key, capacity: -1})
	}
	return id
}

// path appends to dst the events of a goroutine from the first to tip.
func (f *forest) path(dst []nodeID, tip nodeID) []nodeID {
	from, length := len(dst), int(f.nodes[tip].index)+1
	dst = slices.Grow(dst, length)[:from+length]
	for k := len(dst) - 1; k >= from; k-- {
		dst[k] = tip
		tip = f.nodes[tip].parent
	}
	return dst
}

// before reports whether a is b or an ancestor of b.
func (f *forest) before(a, b nodeID) bool {
	depth := f.nodes[a].depth
	for f.nodes[b].depth > depth {
		if j := f.nodes[b].jump; f.nodes[j].depth >= depth {
			b = j
		} else {
			b = f.nodes[b].parent
		}
	}
	return a == b
}

// write returns the nearest ancestor of n, n itself excluded, that writes to l,
// or 0.
//
// What is found is remembered at every spawn, and at every so many nodes, so
// that a long path is not walked again from each of its reads.
func (f *forest) write(n nodeID, l locID) nodeID {
	for {
		p := f.nodes[n].parent
		switch {
		case p == 0:
			return 0
		case writes(f.nodes[p].op) && f.partOn(p, l) != nil:
			return p
		case f.nodes[p].goroutine != f.nodes[n].goroutine, p%rememberEvery == 0:
			key := inheritance{p, l}
			w, ok := f.inherited[key]
			if !ok {
				w = f.write(p, l)
				f.inherited[key] = w
			}
			return w
		}
		n = p
	}
}

// rememberEvery is at which nodes forest.write remembers what it finds.
const rememberEvery = 64
