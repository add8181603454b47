package mutate

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
)

// A sequence is a string or a slice.
type sequence struct {
	name  string
	parts []part // of an element, in the order in which they were first drawn
}

// A part is one of the variables of an element: that of element i of s is called
// of + s[i] + rest, with a parenthesis behind it if of has one.
type part struct {
	of    string // "", or lengthOf, realOf … for the variable called len(s[i].f)
	rest  string // "", ".f", "[3]", …
	width uint8
}

const lengthOf = "len("

// unwrap takes len(s[3].f) apart into "len(" and s[3].f, and other names into ""
// and themselves.
func unwrap(name string) (of, inner string) {
	if at := strings.IndexByte(name, '('); at >= 0 && strings.HasSuffix(name, ")") {
		return name[:at+1], name[at+1 : len(name)-1]
	}
	return "", name
}

func (s *sequence) length() string { return lengthOf + s.name + ")" }

func (s *sequence) learn(p part) {
	if !slices.Contains(s.parts, p) {
		s.parts = append(s.parts, p)
	}
}

// variable returns the name of a part of element i.
func (s *sequence) variable(i int, p part) string {
	name := p.of + s.name + "[" + strconv.Itoa(i) + "]" + p.rest
	if p.of != "" {
		name += ")"
	}
	return name
}

// ofBytes reports whether the elements are bytes, as far as is known.
func (s *sequence) ofBytes() bool {
	return len(s.parts) == 1 && s.parts[0] == part{width: 8}
}

// An element has the values of the parts of an element of a sequence.
type element []uint64

// elements returns those that the sequence has in an input.
func (s *sequence) elements(in run.Input, maxLen int) []element {
	list := make([]element, min(in[s.length()], uint64(maxLen)))
	for i := range list {
		list[i] = make(element, len(s.parts))
		for k, p := range s.parts {
			list[i][k] = in[s.variable(i, p)]
		}
	}
	return list
}

// set gives the sequence new elements, instead of the first so many that it had.
func (s *sequence) set(in run.Input, had int, list []element) {
	for i := range had {
		for _, p := range s.parts {
			delete(in, s.variable(i, p))
		}
	}
	in[s.length()] = uint64(len(list))
	for i, e := range list {
		for k, p := range s.parts {
			in[s.variable(i, p)] = e[k]
		}
	}
}

// sequence changes a sequence of an input.
func (m *Mutator) sequence(r *rand.Rand, s *sequence, in, other run.Input) {
	list := s.elements(in, m.maxLen)
	had := len(list)
	changes := elementChanges
	if s.ofBytes() {
		changes = byteChanges
	}
	for {
		change := changes[r.IntN(len(changes))]
		if changed := change(m, r, s, list, other); changed != nil && len(changed) <= m.maxLen {
			s.set(in, had, changed)
			return
		}
	}
}

// Neighbours returns the inputs in which one element of a sequence is there twice, or
// is left out. The elements after it move, so that what is behind them stays together:
// a number with a digit more is still a number. The input in was run when the variables
// were learned.
func (m *Mutator) Neighbours(in run.Input) []run.Input {
	var list []run.Input
	for _, s := range m.sequences {
		n := len(s.elements(in, m.maxLen))
		for i := range n {
			for _, copies := range []int{2, 0} {
				if n-1+copies > m.maxLen {
					continue
				}
				elements := s.elements(in, m.maxLen)
				if copies == 2 {
					elements = slices.Insert(elements, i, elements[i])
				} else {
					elements = slices.Delete(elements, i, i+1)
				}
				next := maps.Clone(in)
				s.set(next, n, elements)
				list = append(list, next)
			}
		}
	}
	return list
}

// Splice returns the input in which text has the place of some bytes of a string or
// slice: those from the first of the variables named to the last. It is nil when
// they are not bytes of one sequence, or the sequence would become too long.
func (m *Mutator) Splice(in run.Input, names []string, text []byte) run.Input {
	var s *sequence
	from, to := m.maxLen, 0
	for _, name := range names {
		of, i, ok := m.byteOf(name)
		if !ok || s != nil && s != of {
			return nil
		}
		s = of
		from, to = min(from, i), max(to, i+1)
	}
	if s == nil {
		return nil
	}
	list := s.elements(in, m.maxLen)
	had := len(list)
	if to > had || had-(to-from)+len(text) > m.maxLen {
		return nil
	}
	piece := make([]element, len(text))
	for i, c := range text {
		piece[i] = element{uint64(c)}
	}
	next := maps.Clone(in)
	s.set(next, had, slices.Replace(list, from, to, piece...))
	return next
}

// byteOf returns the sequence of bytes, and the index there, that the variable with a name
// is an element of.
func (m *Mutator) byteOf(name string) (s *sequence, i int, ok bool) {
	at := strings.LastIndexByte(name, '[')
	if at < 0 || !strings.HasSuffix(name, "]") {
		return nil, 0, false
	}
	s = m.byName[name[:at]]
	i, err := strconv.Atoi(name[at+1 : len(name)-1])
	return s, i, s != nil && s.ofBytes() && err == nil
}

// A change returns the changed elements of a sequence, or nil where it does not
// apply. It may overwrite the list.
type change func(m *Mutator, r *rand.Rand, s *sequence, list []element, other run.Input) []element

// Most changes are within an element: they keep what the others have reached.
var elementChanges = []change{
	remove, insert, repeat, overwrite, swap, splice,
	within, within, within, within, within, within,
}

// span returns the bounds of a piece of a list of n elements, n > 0. Short pieces
// are likelier.
func span(r *rand.Rand, n int) (from, to int) {
	from = r.IntN(n)
	size := n - from
	if r.IntN(10) > 0 {
		size = min(size, 8)
	}
	return from, from + 1 + r.IntN(size)
}

func remove(_ *Mutator, r *rand.Rand, _ *sequence, list []element, _ run.Input) []element {
	if len(list) == 0 {
		return nil
	}
	from, to := span(r, len(list))
	return slices.Delete(list, from, to)
}

// insert adds new elements: zero, or random, all of them equal or not.
func insert(m *Mutator, r *rand.Rand, s *sequence, list []element, _ run.Input) []element {
	if len(list) >= m.maxLen {
		return nil
	}
	_, n := span(r, m.maxLen-len(list))
	zero, equal := r.IntN(4) == 0, r.IntN(2) == 0
	piece := make([]element, n)
	for i := range piece {
		piece[i] = make(element, len(s.parts))
		for k, p := range s.parts {
			switch {
			case equal && i > 0:
				piece[i][k] = piece[0][k]
			case p.of == lengthOf:
				piece[i][k] = r.Uint64N(uint64(m.maxLen) + 1)
			case !zero:
				piece[i][k] = r.Uint64() & mask(p.width)
			}
		}
	}
	return slices.Insert(list, r.IntN(len(list)+1), piece...)
}

// repeat inserts a copy of a piece somewhere.
func repeat(_ *Mutator, r *rand.Rand, _ *sequence, list []element, _ run.Input) []element {
	if len(list) == 0 {
		return nil
	}
	from, to := span(r, len(list))
	return slices.Insert(list, r.IntN(len(list)+1), clones(list[from:to])...)
}

// overwrite copies a piece over another.
func overwrite(_ *Mutator, r *rand.Rand, _ *sequence, list []element, _ run.Input) []element {
	if len(list) < 2 {
		return nil
	}
	from, to := span(r, len(list))
	copy(list[r.IntN(len(list)):], clones(list[from:to]))
	return list
}

func swap(_ *Mutator, r *rand.Rand, _ *sequence, list []element, _ run.Input) []element {
	if len(list) < 2 {
		return nil
	}
	i, k := r.IntN(len(list)), r.IntN(len(list)-1)
	if k >= i {
		k++
	}
	list[i], list[k] = list[k], list[i]
	return list
}

// splice inserts a piece of the same sequence in another input, or goes on with
// the other's end.
func splice(m *Mutator, r *rand.Rand, s *sequence, list []element, other run.Input) []element {
	theirs := s.elements(other, m.maxLen)
	if len(theirs) == 0 {
		return nil
	}
	if r.IntN(2) == 0 {
		return append(list[:r.IntN(len(list)+1)], theirs[r.IntN(len(theirs)):]...)
	}
	from, to := span(r, len(theirs))
	return slices.Insert(list, r.IntN(len(list)+1), theirs[from:to]...)
}

// within changes a variable of an element.
func within(m *Mutator, r *rand.Rand, s *sequence, list []element, _ run.Input) []element {
	if len(list) == 0 || len(s.parts) == 0 {
		return nil
	}
	i, k := r.IntN(len(list)), r.IntN(len(s.parts))
	if p := s.parts[k]; p.of == lengthOf {
		list[i][k] = r.Uint64N(uint64(m.maxLen) + 1)
	} else {
		list[i][k] = number(r, list[i][k], p.width)
	}
	return list
}

// clones returns copies that share nothing with the elements.
func clones(list []element) []element {
	c := make([]element, len(list))
	for i, e := range list {
		c[i] = slices.Clone(e)
	}
	return c
}
