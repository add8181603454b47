package accesses

import (
	"encoding/binary"
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// A Set is a set of accesses with their origins.
type Set struct {
	groups []group
	index  map[uint64]int32 // of groups, by the hashes of their origins; nil if there are few
	size   int              // number of parts
}

// fewGroups is the number of groups that are looked through without an index.
const fewGroups = 8

// find returns the index of the group with the given origins, -1 if there is none.
func (s *Set) find(o Origins) int {
	if s.index != nil {
		i, ok := s.index[o.hash]
		switch {
		case !ok:
			return -1
		case s.groups[i].origins.equal(o):
			return int(i)
		}
		// Another group has the same hash.
	}
	return slices.IndexFunc(s.groups, func(g group) bool { return g.origins.equal(o) })
}

// append adds a group.
func (s *Set) append(g group) {
	s.groups = append(s.groups, g)
	s.size += len(g.parts)
	switch n := len(s.groups); {
	case s.index != nil:
		s.index[g.origins.hash] = int32(n - 1)
	case n > fewGroups:
		s.index = make(map[uint64]int32, 2*n)
		for i := range s.groups {
			s.index[s.groups[i].origins.hash] = int32(i)
		}
	}
}

// remove removes group i. The last one takes its place.
func (s *Set) remove(i int) {
	last := len(s.groups) - 1
	if s.index != nil {
		delete(s.index, s.groups[i].origins.hash)
		if i != last {
			s.index[s.groups[last].origins.hash] = int32(i)
		}
	}
	s.groups[i] = s.groups[last]
	s.groups = s.groups[:last]
}

// A group holds the accesses that have the same origins.
type group struct {
	origins Origins
	parts   []part // by object, ascending
}

// A part holds the accesses to an object.
type part struct {
	object int32
	cells  cellSet
}

// Size returns how much there is in the Set: the number of combinations of origins and objects.
func (s *Set) Size() int { return s.size }

// A Table numbers the names that occur in Sets.
type Table struct {
	holders numbers[run.Holder]
	objects numbers[run.ObjectID]
	cells   cells
	scratch []part
	parts   []part // of Through
	// Of Through: the origins of holders, and which objects existed.
	translated map[int32]Origins
	existing   map[int32]bool
	earlier    map[int32][]int32 // of Races: by object, the indexes of the accesses that have been made
	places     []int32           // of Races: by holder, its index
}

// NewTable returns an empty Table.
func NewTable() *Table {
	t := &Table{translated: map[int32]Origins{}, existing: map[int32]bool{}, earlier: map[int32][]int32{}}
	t.holders.init()
	t.objects.init()
	t.cells.init()
	return t
}

// numbers numbers values.
type numbers[T comparable] struct {
	index map[T]int32
	all   []T
}

func (n *numbers[T]) init() { *n = numbers[T]{index: map[T]int32{}} }

func (n *numbers[T]) number(x T) int32 {
	i, ok := n.index[x]
	if !ok {
		i = int32(len(n.all))
		n.index[x] = i
		n.all = append(n.all, x)
	}
	return i
}

// Holder returns the number of h.
func (t *Table) Holder(h run.Holder) int32 { return t.holders.number(h) }

// HolderOf returns the holder with a number.
func (t *Table) HolderOf(n int32) run.Holder { return t.holders.all[n] }

// Object returns the number of an object.
func (t *Table) Object(id run.ObjectID) int32 { return t.objects.number(id) }

// ObjectOf returns the object with a number.
func (t *Table) ObjectOf(n int32) run.ObjectID { return t.objects.all[n] }

// Add adds an access of a kind to n cells of an object, from off on.
func (t *Table) Add(s *Set, o Origins, object, off, n int32, k run.AccessKind) {
	one := [1]part{{object, t.cells.of(off, n, k)}}
	t.add(s, o, one[:])
}

// add adds accesses with the same origins to s. It reports whether that changes s.
func (t *Table) add(s *Set, o Origins, parts []part) bool {
	own := s.find(o)
	if own >= 0 {
		if parts = t.minus(parts, s.groups[own].parts); len(parts) == 0 {
			return false
		}
	}
	for i := range s.groups {
		if g := &s.groups[i]; i != own && g.origins.isWithin(o) {
			if parts = t.minus(parts, g.parts); len(parts) == 0 {
				return false
			}
		}
	}
	parts = slices.Clone(parts) // which may be scratch
	for i := 0; i < len(s.groups); i++ {
		g := &s.groups[i]
		if i == own || !o.isWithin(g.origins) {
			continue
		}
		rest := t.minus(g.parts, parts)
		s.size -= len(g.parts) - len(rest)
		if len(rest) > 0 {
			g.parts = append(g.parts[:0], rest...)
			continue
		}
		if own == len(s.groups)-1 {
			own = i
		}
		s.remove(i)
		i--
	}
	if own < 0 {
		s.append(group{o, parts})
		return true
	}
	g := &s.groups[own]
	s.size -= len(g.parts)
	g.parts = t.join(g.parts, parts)
	s.size += len(g.parts)
	return true
}

// minus returns the accesses in a that are not in b. The result is a, or valid until the next call.
func (t *Table) minus(a, b []part) []part {
	out := t.scratch[:0] // a may be there, too: what has been read is replaced
	for _, x := range a {
		for len(b) > 0 && b[0].object < x.object {
			b = b[1:]
		}
		if len(b) > 0 && b[0].object == x.object {
			x.cells = t.cells.minus(x.cells, b[0].cells)
		}
		if x.cells != 0 {
			out = append(out, x)
		}
	}
	t.scratch = out
	return out
}

// join returns the union of a and b.
func (t *Table) join(a, b []part) []part {
	out := make([]part, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].object < b[0].object:
			out, a = append(out, a[0]), a[1:]
		case a[0].object > b[0].object:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, part{a[0].object, t.cells.join(a[0].cells, b[0].cells)})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// AddAll adds the accesses of another Set. It reports whether that changes s.
func (t *Table) AddAll(s *Set, from *Set) bool {
	changed := false
	for i := range from.groups {
		if t.add(s, from.groups[i].origins, from.groups[i].parts) {
			changed = true
		}
	}
	return changed
}

// Through adds to s the accesses that come after a later state. The origins of a holder, in terms
// of the earlier state, are what origins returns; objects for which existed returns false have been
// made in between, so that they do not count. It reports whether that changes s.
func (t *Table) Through(s *Set, later *Set, origins func(holder int32) Origins, existed func(object int32) bool) bool {
	changed := false
	clear(t.translated)
	clear(t.existing)
	for i := range later.groups {
		g := &later.groups[i]
		parts := t.parts[:0]
		for _, p := range g.parts {
			old, ok := t.existing[p.object]
			if !ok {
				old = existed(p.object)
				t.existing[p.object] = old
			}
			if old {
				parts = append(parts, p)
			}
		}
		t.parts = parts
		if len(parts) == 0 {
			continue
		}
		o, same := Origins{}, true
		for _, h := range g.origins.list {
			x, ok := t.translated[h]
			if !ok {
				x = origins(h)
				t.translated[h] = x
			}
			same = same && x.isOne(h)
		}
		if same {
			o = g.origins
		} else {
			for _, h := range g.origins.list {
				o = Union(o, t.translated[h])
			}
		}
		if t.add(s, o, parts) {
			changed = true
		}
	}
	return changed
}

// Rename returns s with other names. Different names have to stay different.
func (t *Table) Rename(s *Set, holder, object func(int32) int32) *Set {
	out := &Set{groups: make([]group, len(s.groups)), size: s.size}
	for i := range s.groups {
		g := &s.groups[i]
		list := make([]int32, len(g.origins.list))
		for k, h := range g.origins.list {
			list[k] = holder(h)
		}
		slices.Sort(list)
		to := group{originsOf(list), make([]part, len(g.parts))}
		for k, p := range g.parts {
			to.parts[k] = part{object(p.object), p.cells}
		}
		slices.SortFunc(to.parts, func(a, b part) int { return int(a.object) - int(b.object) })
		out.groups[i] = to
	}
	return out
}

// Key returns a text that is the same for equal Sets, and appends it to b.
func (s *Set) Key(b []byte) []byte {
	s.index = nil
	slices.SortFunc(s.groups, func(a, b group) int { return slices.Compare(a.origins.list, b.origins.list) })
	for i := range s.groups {
		g := &s.groups[i]
		b = binary.AppendUvarint(b, uint64(len(g.origins.list)))
		for _, h := range g.origins.list {
			b = binary.AppendUvarint(b, uint64(h))
		}
		b = binary.AppendUvarint(b, uint64(len(g.parts)))
		for _, p := range g.parts {
			b = binary.AppendUvarint(b, uint64(p.object))
			b = binary.AppendUvarint(b, uint64(p.cells))
		}
	}
	return b
}

// Races reports whether one of the accesses in s may race with one that has been made before.
func (t *Table) Races(s *Set, k *run.Knowledge) bool {
	if len(k.Accesses) == 0 || len(s.groups) == 0 {
		return false
	}
	clear(t.earlier)
	for i := range k.Accesses {
		if object, ok := t.objects.index[k.Accesses[i].Object]; ok {
			t.earlier[object] = append(t.earlier[object], int32(i))
		}
	}
	t.places = t.places[:0]
	for len(t.places) < len(t.holders.all) {
		t.places = append(t.places, -1)
	}
	for i, h := range k.Holders {
		if n, ok := t.holders.index[h]; ok {
			t.places[n] = int32(i)
		}
	}
	for j := range s.groups {
		g := &s.groups[j]
		for _, p := range g.parts {
			for _, i := range t.earlier[p.object] {
				a := &k.Accesses[i]
				knows := func(h int32) bool {
					n := t.places[h]
					return n >= 0 && a.Known[n>>6]>>(n&63)&1 != 0
				}
				if !slices.ContainsFunc(g.origins.list, knows) && t.cells.has(p.cells, a.Offset, a.Kind.Races()) {
					return true
				}
			}
		}
	}
	return false
}
