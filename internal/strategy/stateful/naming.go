package stateful

import (
	"slices"

	"github.com/everyway-go/everyway/internal/bitset"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A naming translates labels to and from relative ones, in which goroutines and objects have the names
// that they have in all states of a fingerprint: see [run.Naming]. Those that have none there keep
// theirs. A nil naming translates nothing.
type naming struct {
	run.Naming
	indexes map[run.ObjectID]int32 // of Objects; made when it is needed
}

// relatives are the relative labels of a search, and the relative names of goroutines.
type relatives struct {
	labels
	// names are relative names of goroutines: the one with index i of a state is child i+1 of goroutine
	// 0, and the goroutines that it starts from then on are its children.
	names *run.Names
}

// What relative names consist of. Numbers of goroutines and counts of objects are far below.
const (
	relativeGoroutine = 1 << 28 // plus the number in relatives.names
	relativeObject    = 1 << 29 // as ObjectID.Goroutine, of Naming.Objects
	laterTimer        = 1 << 27 // in the creator of a timer that is set after the state; its number begins there
)

// copyOf returns a copy of n, which has the memory of spare.
func copyOf(n *run.Naming, spare *naming) *naming {
	if n == nil {
		return nil
	}
	if spare == nil {
		spare = &naming{}
	}
	spare.Goroutines = append(spare.Goroutines[:0], n.Goroutines...)
	spare.Objects = append(spare.Objects[:0], n.Objects...)
	clear(spare.indexes)
	return spare
}

// arranged returns a hash of which goroutines those of the state are, and how many goroutines and timers they
// have started. It is 0 for nil.
func arranged(n *run.Naming) uint64 {
	if n == nil {
		return 0
	}
	h := uint64(len(n.Goroutines)) + 1
	for _, g := range n.Goroutines {
		for _, x := range [...]int32{g.Number, g.Spawns, g.Timers} {
			h = (h ^ uint64(uint32(x))) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
	}
	return h
}

// indexOf returns the index of a goroutine in n, -1 if it is not in there.
func (n *naming) indexOf(g int32) int {
	return slices.IndexFunc(n.Goroutines, func(x run.NamedGoroutine) bool { return x.Number == g })
}

// indexOfObject returns the index of an object in n, -1 if it is not in there.
func (n *naming) indexOfObject(id run.ObjectID) int32 {
	if len(n.indexes) == 0 {
		if n.indexes == nil {
			n.indexes = make(map[run.ObjectID]int32, len(n.Objects))
		}
		for i, id := range n.Objects {
			n.indexes[id] = int32(i)
		}
	}
	if i, ok := n.indexes[id]; ok {
		return i
	}
	return -1
}

// relativeOf returns the relative name of a goroutine. Goroutines that are in the state or are started
// later have one. The argument names has those of the machine.
func (r *relatives) relativeOf(n *naming, names *run.Names, g int32) int32 {
	if g < 0 {
		return g
	}
	if i := n.indexOf(g); i >= 0 {
		return relativeGoroutine + r.names.Child(0, int32(i)+1)
	}
	parent, place := names.Parent(g), names.Place(g)
	if parent < 0 {
		return g
	}
	if i := n.indexOf(parent); i >= 0 {
		if place -= n.Goroutines[i].Spawns; place <= 0 {
			return g // a timer will start it, or it has ended
		}
	}
	p := r.relativeOf(n, names, parent)
	if p < relativeGoroutine {
		return g
	}
	return relativeGoroutine + r.names.Child(p-relativeGoroutine, place)
}

// goroutineOf is the inverse of relativeOf.
func (r *relatives) goroutineOf(n *naming, names *run.Names, g int32) int32 {
	if g < relativeGoroutine {
		return g
	}
	g -= relativeGoroutine
	parent, place := r.names.Parent(g), r.names.Place(g)
	if parent == 0 {
		return n.Goroutines[place-1].Number
	}
	if r.names.Parent(parent) == 0 {
		place += n.Goroutines[r.names.Place(parent)-1].Spawns
	}
	return names.Child(r.goroutineOf(n, names, relativeGoroutine+parent), place)
}

// relativeObjectOf returns the relative name of an object. Objects that are in the state or are made later
// by goroutines that have one have one.
func (r *relatives) relativeObjectOf(n *naming, names *run.Names, id run.ObjectID) run.ObjectID {
	if id.Goroutine < 0 {
		return id
	}
	if i := n.indexOfObject(id); i >= 0 {
		return run.ObjectID{Goroutine: relativeObject, Count: i}
	}
	count := id.Count
	if i := n.indexOf(id.Goroutine); i >= 0 {
		if count -= n.Goroutines[i].Allocs; count <= 0 {
			return id
		}
	}
	g := r.relativeOf(n, names, id.Goroutine)
	if g < relativeGoroutine {
		return id
	}
	return run.ObjectID{Goroutine: g, Count: count}
}

// objectOf is the inverse of relativeObjectOf.
func (r *relatives) objectOf(n *naming, names *run.Names, id run.ObjectID) run.ObjectID {
	switch {
	case id.Goroutine < relativeGoroutine:
		return id
	case id.Goroutine == relativeObject:
		return n.Objects[id.Count]
	}
	g := id.Goroutine - relativeGoroutine
	if r.names.Parent(g) == 0 {
		id.Count += n.Goroutines[r.names.Place(g)-1].Allocs
	}
	return run.ObjectID{Goroutine: r.goroutineOf(n, names, id.Goroutine), Count: id.Count}
}

// relativeLabel returns l with relative names.
func (r *relatives) relativeLabel(n *naming, names *run.Names, l label) label {
	if l.Goroutine < 0 && l.Op == schedule.TimerFire {
		creator := int32(l.Delta)
		l.Delta = int64(r.relativeOf(n, names, creator))
		if i := n.indexOf(creator); i >= 0 && l.Alt >= n.Goroutines[i].Timers {
			l.Delta |= laterTimer
			l.Alt -= n.Goroutines[i].Timers
		}
	}
	l.Goroutine = r.relativeOf(n, names, l.Goroutine)
	return renamed(l, func(id run.ObjectID) run.ObjectID { return r.relativeObjectOf(n, names, id) })
}

// labelOf is the inverse of relativeLabel.
func (r *relatives) labelOf(n *naming, names *run.Names, l label) label {
	if l.Goroutine < 0 && l.Op == schedule.TimerFire {
		creator := r.goroutineOf(n, names, int32(l.Delta&^laterTimer))
		if l.Delta&laterTimer != 0 {
			l.Alt += n.Goroutines[n.indexOf(creator)].Timers
		}
		l.Delta = int64(creator)
	}
	l.Goroutine = r.goroutineOf(n, names, l.Goroutine)
	return renamed(l, func(id run.ObjectID) run.ObjectID { return r.objectOf(n, names, id) })
}

// renamed returns l with other names of objects.
func renamed(l label, as func(run.ObjectID) run.ObjectID) label {
	l.Object, l.From.Object, l.Bubble, l.Queue = as(l.Object), as(l.From.Object), as(l.Bubble), as(l.Queue)
	if len(l.Awaits) > 0 {
		l.Awaits = slices.Clone(l.Awaits)
		for i := range l.Awaits {
			l.Awaits[i].Object = as(l.Awaits[i].Object)
		}
	}
	return l
}

// relative returns the numbers of the relative labels of those in a set.
func (sc *scheduler) relative(n *naming, below bitset.Set) bitset.Set {
	clear(sc.scratchSet)
	for i := range below.All() {
		l := sc.relatives.relativeLabel(n, sc.names, sc.all[i])
		k := sc.relatives.number(&l)
		sc.scratchSet.Grow(k + 1)
		sc.scratchSet.Add(k)
	}
	return sc.scratchSet
}
