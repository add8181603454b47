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

// A part is one of the variables of an element: for element i of s, its name is prefix + s[i] +
// rest, and a closing parenthesis if prefix has an opening one.
type part struct {
	prefix string // "", or lengthOf, as in len(s[i].f), or the like
	rest   string // "", ".f", "[3]", …
	width  uint8
}

const lengthOf = "len("

// unwrap splits len(s[3].f) into the prefix "len(" and s[3].f. The prefix of other names is empty.
func unwrap(name string) (prefix, inner string) {
	if at := strings.IndexByte(name, '('); at >= 0 && strings.HasSuffix(name, ")") {
		return name[:at+1], name[at+1 : len(name)-1]
	}
	return "", name
}

func (s *sequence) length() string { return lengthOf + s.name + ")" }

func (s *sequence) addPart(p part) {
	if !slices.Contains(s.parts, p) {
		s.parts = append(s.parts, p)
	}
}

// variable returns the name of a part of element i.
func (s *sequence) variable(i int, p part) string {
	name := p.prefix + s.name + "[" + strconv.Itoa(i) + "]" + p.rest
	if p.prefix != "" {
		name += ")"
	}
	return name
}

// ofBytes reports whether the elements are bytes, as far as is known.
func (s *sequence) ofBytes() bool {
	return len(s.parts) == 1 && s.parts[0] == part{width: 8}
}

// An element is the values of the parts of an element of a sequence.
type element []uint64

// elements returns the elements of the sequence in an input.
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

// set sets the elements of the sequence, which had the given number of elements.
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

// sequence mutates a sequence of an input.
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

// Neighbours returns the inputs in which one element of a sequence is repeated or left out. The
// elements after it move, so that they stay together: a number with one more digit is still a
// number. The variables are those learned from a run with the input in.
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

// Splice returns the input in which text replaces some bytes of a string or slice: those from the
// first of the named variables to the last. It is nil if they are not bytes of one sequence,
// or if the sequence would become too long.
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

// byteOf returns the sequence of bytes of which the named variable is an element, and the index
// there. It is false if there is none.
func (m *Mutator) byteOf(name string) (s *sequence, i int, ok bool) {
	at := strings.LastIndexByte(name, '[')
	if at < 0 || !strings.HasSuffix(name, "]") {
		return nil, 0, false
	}
	s = m.byName[name[:at]]
	i, err := strconv.Atoi(name[at+1 : len(name)-1])
	return s, i, s != nil && s.ofBytes() && err == nil
}

// A change returns the changed elements of a sequence, or nil if it does not apply. It may modify
// the list.
type change func(m *Mutator, r *rand.Rand, s *sequence, list []element, other run.Input) []element

// elementChanges are the changes of all sequences. Most of them change an element: they keep what
// the input has reached by the others.
var elementChanges = []change{
	remove, insert, repeat, overwrite, swap, splice,
	changeElement, changeElement, changeElement, changeElement, changeElement, changeElement,
}

// span draws the bounds of a piece of a list of n elements, n > 0. Short pieces are more likely.
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

// insert inserts new elements: zero or random, equal or different.
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
			case p.prefix == lengthOf:
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

// splice inserts a piece of the same sequence in another input, or replaces the end by that of the
// other.
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

// changeElement changes a variable of an element.
func changeElement(m *Mutator, r *rand.Rand, s *sequence, list []element, _ run.Input) []element {
	if len(list) == 0 || len(s.parts) == 0 {
		return nil
	}
	i, k := r.IntN(len(list)), r.IntN(len(s.parts))
	if p := s.parts[k]; p.prefix == lengthOf {
		list[i][k] = r.Uint64N(uint64(m.maxLen) + 1)
	} else {
		list[i][k] = number(r, list[i][k], p.width)
	}
	return list
}

// clones returns deep copies of elements.
func clones(list []element) []element {
	c := make([]element, len(list))
	for i, e := range list {
		c[i] = slices.Clone(e)
	}
	return c
}
