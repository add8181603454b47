package vm

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
)

// Elements of small tables at a symbolic index are expressions: a test of what
// class a character is in does not make every character a path of its own.

const (
	maxTable    = 256 // elements of a table
	maxSegments = 60  // of the expression for an element
)

// lookUp carries out in, which loads an element of an array, slice or string, if
// its index is symbolic and the elements are those of a table: concrete numbers
// that no other goroutine may be writing. Its expression is made of segments of the
// table: elements that are equal, or grow with the index.
//
// To others g has read the element that it has read. With another input it is another
// one; so a write to any element that another goroutine makes, unordered with this
// read, is given up on (disturb).
func (m *Machine) lookUp(g *goroutine, in *code.Instr, r []Word, sy []expr.ID) bool {
	x := sy[in.C]
	base, n := r[in.B], uint64(in.D)
	k := code.Kind(in.K)
	if in.Op != code.LoadA {
		n = r[in.B+1].N
		if sy[in.B+1] != expr.None {
			return false
		}
	}
	if in.Op == code.IndexStr {
		k = code.Uint8
	}
	i := r[in.C].N
	if x == expr.None || sy[in.B] != expr.None || base.P == nil || i >= n || n > maxTable || !k.Integer() && k != code.Bool {
		return false
	}
	o, off := base.P, int(base.N)
	if !o.inBounds(off, int(n)) || o.shadowAt(off, int(n)) != nil || o.Bytes == nil && len(o.Cells) == 0 {
		return false
	}
	shared := m.multi && in.Op != code.IndexStr // strings are never written
	if shared && !m.steady(g, m.shadowOf(o), off, int(n)) {
		return false
	}
	x = m.fit(x, code.Int64)
	value, ok := m.element(o, off, int(n), x, k)
	if !ok {
		return false
	}
	m.hold(g, m.Arena.Ult(x, m.Arena.Const(n, 64)), true, Check)
	r[in.A] = cellWord(o, off+int(i))
	sy[in.A] = m.unlessConst(value)
	if shared {
		s := m.shadowOf(o)
		s.indexed = lastOf(s.indexed, m.epochOf(g))
		m.access(g, o, off+int(i), 1, false)
		if m.tracing {
			m.accessed(g, o, off+int(i), 1, false, int(g.top().base+in.A))
		}
	}
	return true
}

// element returns the expression for element x of the n cells of o from off on,
// which are of kind k. It is false when the table has too many segments.
func (m *Machine) element(o *Object, off, n int, x expr.ID, k code.Kind) (expr.ID, bool) {
	type segment struct {
		end   int    // index after the last one
		first uint64 // value of the first element, less its index when it grows
		grows bool   // each value is one more than the one before
	}
	var segments []segment
	at := func(i int) uint64 { return m.number(cellWord(o, off+i), k) }
	for i := 0; i < n; {
		if len(segments) == maxSegments {
			return expr.None, false
		}
		equal, grows := i+1, i+1
		for equal < n && at(equal) == at(i) {
			equal++
		}
		for k != code.Bool && grows < n && at(grows) == at(i)+uint64(grows-i) {
			grows++
		}
		if grows > equal {
			segments = append(segments, segment{grows, at(i) - uint64(i), true})
		} else {
			segments = append(segments, segment{equal, at(i), false})
		}
		i = segments[len(segments)-1].end
	}
	a := m.Arena
	width := kindWidth(k)
	index := m.convert(x, code.Int64, k)
	value := expr.None
	for i := len(segments) - 1; i >= 0; i-- {
		s := &segments[i]
		v := a.Const(s.first, width)
		if s.grows {
			v = a.Add(index, v)
		}
		if value == expr.None {
			value = v
		} else {
			value = a.Ite(a.Ult(x, a.Const(uint64(s.end), 64)), v, value)
		}
	}
	return value, true
}

// steady reports whether g may read n cells of an object, whose shadow is s, in this
// way: the plan does not ask about each access, and what others have written to them
// is ordered before what g does now.
func (m *Machine) steady(g *goroutine, s *raceShadow, off, n int) bool {
	if s.visible || m.visibleHere(g) {
		return false
	}
	if !s.writers.hasOther(g.slot) {
		return true
	}
	for i := off; i < off+n; i++ {
		if c := s.seen(i); c != nil && (c.sync != nil || c.write.concurrent(g)) {
			return false
		}
	}
	return true
}

// disturb is told that g writes to an object with shadow s, which was read at
// symbolic indices.
func (m *Machine) disturb(g *goroutine, s *raceShadow) {
	for i := range s.indexed {
		if s.indexed[i].concurrent(g) {
			m.giveUp(g, "write to a table that another goroutine reads at an index that depends on the input")
			return
		}
	}
}
