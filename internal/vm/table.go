package vm

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
)

// Elements of small tables at a symbolic index are expressions: a test of what
// class a character is in does not make every character a path of its own.

const (
	maxTable    = 256 // elements of a table
	maxSegments = 24  // of the expression for an element
)

// lookUp carries out in, which loads an element of an array, slice or string, if
// its index is symbolic and the elements are those of a table: concrete numbers
// that do not change. Its expression is made of segments of the table: elements
// that are equal, or grow with the index.
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
	if in.Op != code.IndexStr && m.multi && !m.constantTable(o) {
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

// constantTable reports whether o is a variable of the standard library: its
// tables are never written, so that another goroutine cannot notice which
// element is read.
func (m *Machine) constantTable(o *Object) bool {
	constant, known := m.tables[o]
	if known || o.ID.Goroutine != globalObjects {
		return constant
	}
	for v, global := range m.globals {
		if global == o {
			constant = v.Pkg != nil && m.prog.Standard(v.Pkg)
			break
		}
	}
	m.tables[o] = constant
	return constant
}
