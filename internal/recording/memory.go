package recording

import (
	"cmp"
	"slices"
	"sort"
)

// memory knows which object an address is in. Objects that were allocated before the program had several goroutines are
// not told apart: they are a part of object 0, at the offsets that are their addresses.
type memory struct {
	pages map[uint64][]object // by address/pageSize, the objects that are in the page
	made  int                 // number of objects
}

const pageSize = 8 << 10

// An object is a piece of memory that was allocated.
type object struct {
	id   int // from 1
	base uint64
	size uint64
}

// allocate notes that a piece of memory is a new object.
func (m *memory) allocate(base, size uint64) {
	if size == 0 {
		return
	}
	m.made++
	o := object{m.made, base, size}
	for p := range o.pages {
		for _, x := range slices.Clone(m.pages[p]) {
			if x.base < base+size && base < x.base+x.size {
				m.free(x)
			}
		}
	}
	for p := range o.pages {
		list := m.pages[p]
		i := sort.Search(len(list), func(i int) bool { return list[i].base > base })
		m.pages[p] = slices.Insert(list, i, o)
	}
}

// free forgets an object.
func (m *memory) free(o object) {
	for p := range o.pages {
		m.pages[p] = slices.DeleteFunc(m.pages[p], func(x object) bool { return x.id == o.id })
	}
}

// pages yields the numbers of the pages that the object is in.
func (o object) pages(yield func(uint64) bool) {
	for p := o.base / pageSize; p <= (o.base+o.size-1)/pageSize; p++ {
		if !yield(p) {
			return
		}
	}
}

// at returns the object that an address is in, and its offset there.
func (m *memory) at(addr uint64) (id int, offset uint64) {
	list := m.pages[addr/pageSize]
	i := sort.Search(len(list), func(i int) bool { return list[i].base > addr }) - 1
	if i < 0 || addr >= list[i].base+list[i].size {
		return 0, addr
	}
	return list[i].id, addr - list[i].base
}

// A span is a part of an object.
type span struct{ from, to uint64 }

// A use says who has accessed a span with plain accesses, and whether somebody has written.
type use struct {
	goroutine uint64
	several   bool
	writes    bool
}

// add adds an access by a goroutine.
func (u *use) add(goroutine uint64, writes bool) {
	if u.goroutine == 0 {
		u.goroutine = goroutine
	}
	u.several = u.several || u.goroutine != goroutine
	u.writes = u.writes || writes
}

// join adds what v says.
func (u *use) join(v use) {
	u.add(v.goroutine, v.writes)
	u.several = u.several || v.several
}

// A survey has the accesses to the spans of each object.
type survey map[int]map[span]use

// note notes an access.
func (s survey) note(object int, x span, goroutine uint64, writes bool) {
	uses := s[object]
	if uses == nil {
		uses = map[span]use{}
		s[object] = uses
	}
	u := uses[x]
	u.add(goroutine, writes)
	uses[x] = u
}

// shared returns, of each object, the parts to which several goroutines have made accesses, and one
// of them has written, in order. Each access was to all of a part or to none of it.
func (s survey) shared() map[int][]span {
	all := map[int][]span{}
	for object, uses := range s {
		spans := make([]span, 0, len(uses))
		for x := range uses {
			spans = append(spans, x)
		}
		slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
		var parts []span
		for len(spans) > 0 {
			// Spans that overlap, directly or through others.
			n, to := 1, spans[0].to
			for n < len(spans) && spans[n].from < to {
				to = max(to, spans[n].to)
				n++
			}
			parts = append(parts, sharedParts(spans[:n], uses)...)
			spans = spans[n:]
		}
		if len(parts) > 0 {
			all[object] = parts
		}
	}
	return all
}

// sharedParts is shared for spans that overlap, which are in order.
func sharedParts(spans []span, uses map[span]use) []span {
	var cuts []uint64
	for _, x := range spans {
		cuts = append(cuts, x.from, x.to)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var parts []span
	var open []span // that may cover the present part
	for i := range len(cuts) - 1 {
		part := span{cuts[i], cuts[i+1]}
		for len(spans) > 0 && spans[0].from <= part.from {
			open = append(open, spans[0])
			spans = spans[1:]
		}
		open = slices.DeleteFunc(open, func(x span) bool { return x.to <= part.from })
		var u use
		for _, x := range open {
			u.join(uses[x])
		}
		if u.several && u.writes {
			parts = append(parts, part)
		}
	}
	return parts
}

// within returns the parts, of some in order, that are in a span.
func within(parts []span, x span) []span {
	i := sort.Search(len(parts), func(i int) bool { return parts[i].from >= x.from })
	n := i
	for n < len(parts) && parts[n].to <= x.to {
		n++
	}
	return parts[i:n]
}
