package accesses

import (
	"encoding/binary"

	"github.com/everyway-go/everyway/internal/run"
)

// A span says how consecutive cells of an object are accessed.
type span struct {
	from, until int32
	kinds       run.AccessKinds
}

// A cellSet is the number of a set of accesses to the cells of an object, without their origins. The empty one is 0.
type cellSet = int32

// cells represents sets of accesses to cells.
type cells struct {
	spans   [][]span // by number, ascending and disjoint
	numbers map[string]cellSet
	bytes   []byte
	single  map[span]cellSet
	joined  map[[2]cellSet]cellSet
	without map[[2]cellSet]cellSet
}

func (c *cells) init() {
	*c = cells{
		spans: [][]span{nil}, numbers: map[string]cellSet{"": 0},
		single: map[span]cellSet{}, joined: map[[2]cellSet]cellSet{}, without: map[[2]cellSet]cellSet{},
	}
}

// number returns the number of a set.
func (c *cells) number(list []span) cellSet {
	c.bytes = c.bytes[:0]
	for _, s := range list {
		c.bytes = binary.LittleEndian.AppendUint32(c.bytes, uint32(s.from))
		c.bytes = binary.LittleEndian.AppendUint32(c.bytes, uint32(s.until))
		c.bytes = binary.LittleEndian.AppendUint16(c.bytes, uint16(s.kinds))
	}
	n, ok := c.numbers[string(c.bytes)]
	if !ok {
		n = cellSet(len(c.spans))
		c.spans = append(c.spans, append([]span(nil), list...))
		c.numbers[string(c.bytes)] = n
	}
	return n
}

// of returns the set of accesses of one kind.
func (c *cells) of(off, n int32, k run.AccessKind) cellSet {
	s := span{off, off + n, k.Of()}
	set, ok := c.single[s]
	if !ok {
		set = c.number([]span{s})
		c.single[s] = set
	}
	return set
}

// join returns the union of two sets.
func (c *cells) join(a, b cellSet) cellSet {
	switch {
	case a == b || b == 0:
		return a
	case a == 0:
		return b
	case a > b:
		a, b = b, a
	}
	set, ok := c.joined[[2]cellSet{a, b}]
	if !ok {
		set = c.number(combine(c.spans[a], c.spans[b], func(x, y run.AccessKinds) run.AccessKinds { return x | y }))
		c.joined[[2]cellSet{a, b}] = set
	}
	return set
}

// minus returns the accesses in a that are not in b.
func (c *cells) minus(a, b cellSet) cellSet {
	switch {
	case a == b:
		return 0
	case a == 0 || b == 0:
		return a
	}
	set, ok := c.without[[2]cellSet{a, b}]
	if !ok {
		set = c.number(combine(c.spans[a], c.spans[b], func(x, y run.AccessKinds) run.AccessKinds { return x &^ y }))
		c.without[[2]cellSet{a, b}] = set
	}
	return set
}

// has reports whether a set has an access of one of some kinds to a cell or, if that is -1, to any.
func (c *cells) has(set cellSet, off int32, kinds run.AccessKinds) bool {
	for _, s := range c.spans[set] {
		if (off < 0 || s.from <= off && off < s.until) && s.kinds&kinds != 0 {
			return true
		}
	}
	return false
}

// combine returns the spans of kinds that are made from those in a and in b.
func combine(a, b []span, kinds func(x, y run.AccessKinds) run.AccessKinds) []span {
	var out []span
	for i, j, at := 0, 0, int32(0); ; {
		for i < len(a) && a[i].until <= at {
			i++
		}
		for j < len(b) && b[j].until <= at {
			j++
		}
		if i == len(a) && j == len(b) {
			return out
		}
		var x, y run.AccessKinds
		end := int32(1<<31 - 1)
		note := func(list []span, i int, k *run.AccessKinds) {
			switch {
			case i == len(list):
			case list[i].from > at:
				end = min(end, list[i].from)
			default:
				*k = list[i].kinds
				end = min(end, list[i].until)
			}
		}
		note(a, i, &x)
		note(b, j, &y)
		if k := kinds(x, y); k != 0 {
			if n := len(out); n > 0 && out[n-1].until == at && out[n-1].kinds == k {
				out[n-1].until = end
			} else {
				out = append(out, span{at, end, k})
			}
		}
		at = end
	}
}
